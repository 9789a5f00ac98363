"""``Solver``: the answers of the functions, and a line of best moves."""

import pytest
from c4_bot import Solver, score_moves, solve_board
from c4_protocol import Board

GAMES = [
    ("32164625", "standard"),
    ("4453", "standard"),
    ("", "4x3"),
    ("1", "4x4x3+steal"),
    ("2", "4x4x3+steal"),
]


@pytest.mark.parametrize(("moves", "variant"), GAMES)
def test_solver_answers_as_the_functions_do(moves, variant):
    """A solver gives the same results as ``solve_board`` and ``score_moves``, also repeatedly."""
    board, solver = Board.from_moves(moves, variant), Solver(variant, threads=2)
    for _ in range(2):
        assert solver.solve(board) == solve_board(board)
        assert solver.score_moves(board) == score_moves(board)


@pytest.mark.parametrize(("moves", "variant"), [*GAMES, ("d4 d5 c4 e4", "line8")])
def test_best_line_ends_as_the_result_says(moves, variant):
    """The best line is legal, and its end has the winner and the stones of the result."""
    board, solver = Board.from_moves(moves, variant), Solver(variant)
    solved, stones = solver.solve(board), board.stones
    for move in solver.best_line(board):
        board = board.play(move)
    assert (board.winner, board.stones - stones) == (solved.winner, solved.stones_left)
