"""The solver of games with the steal, compared with a search that knows only the rules."""

from functools import cache
from itertools import product

import pytest
from c4_bot.contract import Limits
from c4_bot.solve.answers import Answerer, question
from c4_bot.solve.solver import Solver
from c4_bot.solve.steal import StealSolver, solver_of
from c4_protocol.rules.notation import position_from_moves, win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant

BOARDS = [
    "1x1+steal", "2x1x2+steal", "1x4x2+steal", "3x3x2+steal", "3x3x3+steal", "4x3x3+steal",
    "3x4+steal", "4x4x3+steal", "3x5x3+steal", "5x3x3+steal",
]  # fmt: skip
PLIES = 4
"""Number of plies to which all positions are compared."""


@cache
def naive_score(position: Position) -> int:
    """Return the score for the player to move, by a search through all games."""
    if position.is_won:
        return -win_score(position.variant, position.ply)
    if position.is_full:
        return 0
    return max(-naive_score(position.play(move)) for move in position.moves)


def positions(variant: Variant) -> set[Position]:
    """Return all positions after at most ``PLIES`` moves in which the game is not over."""
    found: set[Position] = set()
    latest = {Position(variant)}
    for _ in range(PLIES + 1):
        latest = {position for position in latest if not position.is_over}
        found |= latest
        latest = {position.play(move) for position in latest for move in position.moves}
    return found


@pytest.mark.parametrize("name", BOARDS)
def test_scores_are_those_of_all_games(name):
    """Each position and each move has the score that the naive search finds."""
    variant = Variant.parse(name)
    solver = solver_of(variant, 16)
    for position in positions(variant):
        found = solver.solve(position)
        assert (found.low, found.high) == (naive_score(position),) * 2
        scores = {move: solution.low for move, solution in solver.move_scores(position)}
        assert scores == {move: -naive_score(position.play(move)) for move in position.moves}
    naive_score.cache_clear()


@pytest.mark.parametrize("name", ["4x4x3+steal", "3x3x2+steal", "3x5x3+steal"])
def test_bounds_answer_what_was_asked(name):
    """The bounds for a window show on which side the score is. Without nodes, they are true."""
    variant = Variant.parse(name)
    solver = solver_of(variant, 16)
    for position, least in product(positions(variant), [-4, -1, 0, 1, 2, 4]):
        score = naive_score(position)
        found = solver.solve(position, wanted=(least - 1, least))
        assert (found.low >= least, found.high < least) == (score >= least, score < least)
        for bounds in (found, solver.solve(position, Limits(nodes=0))):
            assert bounds.low <= score <= bounds.high
    naive_score.cache_clear()


def test_other_variants_have_the_plain_solver():
    """Only a variant with the steal has a solver of its own."""
    assert type(solver_of(Variant(4, 4))) is Solver
    assert type(solver_of(Variant(4, 4, steal=True))) is StealSolver


@pytest.mark.parametrize(
    ("moves", "answer"),
    [("1", (1, (STEAL,), (-3, -4, -1, -4), 1)), ("", (-1, (0, 15), (-1, -4, -4, -1), None))],
)
def test_all_scores_with_that_of_the_steal(moves, answer):
    """An answer has the scores of all columns from the left, and the score of the steal."""
    variant = Variant.parse("4x4x3+steal")
    answerer = Answerer(solver_of(variant, 16), Limits(), every=True)
    found = answerer.answer(question(moves.encode(), variant))
    assert found.score == naive_score(position_from_moves(moves, variant))
    assert (found.score, found.best, found.scores, found.steal) == answer
    naive_score.cache_clear()


@pytest.mark.parametrize("moves", [b"", b"1", b"1s", b"12", b"1s2", b"121"])
def test_quick_answers_are_the_same(moves):
    """The core answers by itself only if its answer is that of the solver."""
    variant = Variant.parse("4x4x3+steal")
    answerer = Answerer(solver_of(variant, 16), Limits())
    quick = answerer.quick_answer(moves)
    if quick is not None:
        assert int(quick.split()[1]) == answerer.answer(question(moves, variant)).score
    assert (quick is None) == (moves in {b"", b"1", b"1s", b"1s2"})
