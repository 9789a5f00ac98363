"""``Solver``: the answers of the functions, a line of best moves, and its mistakes."""

import pytest
from c4_bot import NotProven, Solver, score_moves, solve_board
from c4_protocol import Board, ImpossiblePosition, UsageError, VariantError

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


@pytest.mark.parametrize(
    ("mistake", "error", "reason"),
    [
        (lambda: Solver("7"), VariantError, "7"),
        (lambda: Solver(threads=0), UsageError, "a number of threads is a whole number from 1"),
        (lambda: Solver(hash_mb="16"), UsageError, "hash_mb is a whole number from 1"),
        (lambda: Solver().solve(Board("8x7")), UsageError, "this solver solves .*, not 8x7"),
        (lambda: Solver().best_line(Board.from_moves("1212121")), ImpossiblePosition, "over"),
        (lambda: Solver("8x8").best_line(Board("8x8"), 0.05), NotProven, "not solved within"),
        (lambda: Solver("line8").score_moves(Board("line8")), VariantError, "no gravity"),
    ],
)
def test_mistake_is_refused_in_one_line(mistake, error, reason):
    """Each mistake raises its own exception, with one line."""
    with pytest.raises(error, match=reason) as caught:
        mistake()
    assert "\n" not in str(caught.value)
