"""Answers and errors of the bot's public functions."""

import pytest
from c4_bot import NotProven, SolvedBoard, Solver, best_move, score_moves, solve_board
from c4_bot import api as public
from c4_protocol import ArenaError, Board, ImpossiblePosition, UsageError, Variant, VariantError

FREE = Variant(3, 3, 3, gravity=False)
WON = Board.from_moves("1213141")


def test_line_of_four_is_stopped():
    """The default player stops a threat on each side of the board, even without time."""
    assert best_move(Board.from_moves("44536"), seconds=0.01) == 6
    assert best_move(Board.from_moves("44352"), seconds=0) == 0


def test_move_without_gravity_is_column_and_row():
    """Without gravity, a move is a pair of column and row, and rows count from the top."""
    board = Board("line8")
    for move in ((0, 0), (7, 7), (1, 0), (7, 5), (2, 0), (5, 7)):
        board = board.play(move)
    assert best_move(board, seconds=0.5) == (3, 0)


def test_seed_repeats_a_choice():
    """A player that chooses at random gives the same answer with the same seed."""
    moves = {best_move(Board(), 0.1, "random", seed=seed) for seed in [1] * 5}
    assert len(moves) == 1
    assert len({best_move(Board(), 0.1, "random", seed=seed) for seed in range(20)}) > 1


def test_depth_limits_the_search(monkeypatch):
    """The search gets the given depth. Without seconds there is no deadline."""
    limits = []
    choose = public.build_player("needed").choose

    class Recorder:
        def choose(self, position, given):
            limits.append(given)
            return choose(position, given)

    monkeypatch.setattr(public, "build_player", lambda name, seed: Recorder())
    best_move(Board(), None, "needed", depth=2)
    assert [(given.depth, given.deadline) for given in limits] == [(2, None)]


@pytest.mark.parametrize(
    ("moves", "variant", "solved"),
    [
        ("32164625", "7x6", SolvedBoard(11, 1, 13, (2,))),
        ("4453", "7x6", SolvedBoard(-2, 2, 36, (2, 5, 6))),
        ("", "4x3", SolvedBoard(0, 0, 12, (0, 1, 2, 3))),
    ],
)
def test_solution_says_who_wins_and_when(moves, variant, solved):
    """The score is that of the player to move, with the winner and the stones until the end."""
    assert solve_board(Board.from_moves(moves, variant)) == solved


def test_best_moves_are_those_with_the_best_score():
    """The best moves are those with the highest move score, with the book and without it."""
    board = Board.from_moves("3216462515")
    for book in (True, False):
        scores = score_moves(board, book=book)
        solved = solve_board(board, book=book)
        assert solved.score == max(scores.values())
        assert [*solved.best_moves] == [move for move in scores if scores[move] == solved.score]


def test_full_column_has_no_score():
    """Only legal moves have scores."""
    board = Board.from_moves("444444")
    assert [*score_moves(board)] == board.legal_moves == [0, 1, 2, 4, 5, 6]


def test_book_is_used_unless_it_is_refused(monkeypatch):
    """The opening book is used by default, but not with ``book=False``."""
    asked = []

    class Book:
        core = None

        def score(self, position):
            asked.append(position)
            return 5

    monkeypatch.setattr("c4_bot.book.default_book", Book)
    assert solve_board(Board.from_moves("444444")).score == 5
    asked.clear()
    solve_board(Board.from_moves("32164625"), book=False)
    assert not asked


def test_solution_without_gravity():
    """Without gravity, moves are pairs of column and row, and a shortest win is marked as one."""
    board = Board("line8").play((3, 3)).play((0, 0))
    solved = solve_board(board)
    assert (solved.winner, solved.stones_left, solved.is_shortest) == (1, 9, True)
    assert set(solved.best_moves) <= set(board.legal_moves)


def test_time_without_a_proof_is_an_error():
    """A position that is not solved in time raises ``NotProven``."""
    for ask in (solve_board, score_moves):
        with pytest.raises(NotProven, match=r"not solved within 0\.05 s"):
            ask(Board("8x8"), seconds=0.05)
    with pytest.raises(NotProven, match="not proven within 0 s"):
        solve_board(Board("line8"), seconds=0)


@pytest.mark.parametrize(
    ("mistake", "error", "reason"),
    [
        (lambda: best_move("4453"), UsageError, "expected a Board.*not '4453'"),
        (lambda: best_move(WON), ImpossiblePosition, "the game is over"),
        (lambda: solve_board(WON), ImpossiblePosition, "the game is over"),
        (lambda: best_move(Board(), player="best"), UsageError, "best"),
        (lambda: best_move(Board(), player="blocker"), VariantError, "blocker"),
        (lambda: best_move(Board(), -1), UsageError, "at least 0 seconds, not -1"),
        (lambda: best_move(Board(), depth=0), UsageError, "a depth in plies is.* from 1 to"),
        (lambda: best_move(Board(), player=["perfect"]), UsageError, "a player is a name"),
        (lambda: solve_board(Board(), -1), UsageError, "at least 0 seconds"),
        (lambda: score_moves(Board(FREE)), VariantError, "solve_board finds the best moves"),
        (lambda: solve_board(Board("20x20")), ImpossiblePosition, "400 cells are free"),
        (lambda: Solver("7"), VariantError, "7"),
        (lambda: Solver(threads=0), UsageError, "a number of threads is a whole number from 1"),
        (lambda: Solver(hash_mb="16"), UsageError, "hash_mb is a whole number from 1"),
        (lambda: Solver().solve(Board("8x7")), UsageError, "this solver solves .*, not 8x7"),
        (lambda: Solver().best_line(WON), ImpossiblePosition, "over"),
        (lambda: Solver("8x8").best_line(Board("8x8"), 0.05), NotProven, "not solved within"),
        (lambda: Solver("line8").score_moves(Board("line8")), VariantError, "no gravity"),
    ],
)
def test_mistake_is_refused_in_one_line(mistake, error, reason):
    """Each mistake raises its own exception, which says in one line what is wrong."""
    with pytest.raises(error, match=reason) as caught:
        mistake()
    assert isinstance(caught.value, ArenaError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("moves", ["", "1", "2", "1s", "2s3", "12"])
def test_solution_with_the_steal(moves):
    """Best play to the end has the number of stones and the winner of the solution."""
    board = Board.from_moves(moves, "4x4x3+steal")
    solved, stones = solve_board(board), board.stones
    scores = score_moves(board)
    assert {*scores} == {*board.legal_moves}
    assert [*solved.best_moves] == [m for m in board.legal_moves if scores[m] == solved.score]
    assert best_move(board, seconds=None) in solved.best_moves
    while not board.is_over:
        board = board.play(solve_board(board).best_moves[0])
    assert (board.winner, board.stones - stones) == (solved.winner, solved.stones_left)


def test_book_is_used_for_the_game_with_the_steal():
    """On 7x6 with the steal, the book knows the value of the empty board."""
    solved = solve_board(Board("7x6+steal"), None)
    assert (solved.score, solved.best_moves) == (0, (2, 4))
