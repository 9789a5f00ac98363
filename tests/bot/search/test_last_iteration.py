"""The claims of ``last_iteration`` and ``line-perfect`` about games without gravity are true.

``tests/bot/test_twins.py`` compares the Python and the C++ version of the search.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from c4_bot import native
from c4_bot.contract import WIN, Limits, Result, is_proven, won
from c4_bot.evaluate.sequences import Sequences
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.search.last_iteration import LastIteration
from c4_bot.search.line_perfect import MAX_FOURS, LinePerfect
from c4_bot.solve.line.solver import LineSolver
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import DIRECTIONS, LINE8, Variant
from cores import needs_core

AHEAD = LastIteration(Sequences(), reduces=True, fours=MAX_FOURS)
SHORT = Variant(5, 4, gravity=False)
SQUARE = Variant(5, 5, gravity=False)
CUT_SHORT = ((LINE8, 65629, 16827554), (LINE8, 83064393935904858626, 55772685267454139405))
"""Positions in which some moves lose and others do not, as a variant and the stones of the player
to move and of the opponent. A search of 300 nodes ends when it has found only moves that lose."""
SOONER = (
    (SHORT, 224, 34049),
    (SQUARE, 3178496, 4195072),
    (SHORT, 262218, 137473),
    (SQUARE, 768, 16514),
)
"""Positions in which a player wins with many fours, or sooner without."""
NODES = 50_000
"""Maximum number of nodes to prove that a claim is false."""


def positions(variant: Variant, count: int, plies: range) -> Iterator[Position]:
    """Yield positions after random moves.

    In every second one, threats were answered, and nobody won on the spot.
    """
    draw = random.Random(variant.cells)
    for number in range(count):
        position = Position(variant)
        while position.ply < draw.choice(plies):
            urgent = position.opponent_winning_cells if number % 2 else 0
            moves = [cell for cell in position.moves if urgent >> cell & 1] or position.moves
            child = position.play(draw.choice(moves))
            if child.is_over:
                break
            position = child
        yield position


def is_false(solver: LineSolver, position: Position, found: Result) -> bool:
    """Return whether the solver refutes the score of a search, its move, or its exactness."""
    cells, limits = position.variant.cells, Limits(nodes=NODES)

    def wins(stones: int) -> bool | None:
        return solver.wins(position, stones, cells, limits).holds

    def loses(at: Position, stones: int) -> bool | None:
        return solver.loses(at, stones, cells, limits).holds

    if not is_proven(found.score):
        free = cells - position.ply
        ends = wins((free + 1) // 2) or loses(position, free // 2)
        return found.exact and (found.score != 0 or bool(ends))
    stones = (WIN - abs(found.score) - position.ply + 1) // 2
    if found.score < 0:
        sooner = found.exact and loses(position, stones - 1)
        return loses(position, stones) is False or bool(sooner)
    child = position.play(found.cell)
    loser_escapes = not child.is_won and loses(child, stones - 1) is False
    return loser_escapes or (found.exact and stones > 1 and bool(wins(stones - 1)))


@needs_core
@pytest.mark.parametrize("depth", [None, 7])
@pytest.mark.parametrize(
    ("variant", "plies", "count"),
    [(LINE8, range(8, 41), 300), (SQUARE, range(2, 16), 120), (SHORT, range(6, 17), 250)],
    ids=str,
)
def test_the_search_ahead_claims_what_is_true(variant, plies, count, depth):
    """The solver refutes no win, loss, draw or distance that the search ahead claims."""
    solver, search = LineSolver(variant), native.native_twin("last_iteration", AHEAD)
    claims = 0
    for number, position in enumerate(positions(variant, count, plies)):
        found = search.search(position, Limits(depth, nodes=(300, 3000)[number // 2 % 2]))
        claims += is_proven(found.score) or found.exact
        assert not is_false(solver, position, found), (position, found)
    assert claims > count / 4


@needs_core
@pytest.mark.parametrize(
    ("variant", "plies"), [(LINE8, range(8, 41)), (SQUARE, range(2, 16))], ids=str
)
def test_line_perfect_claims_what_is_true(variant, plies):
    """The solver refutes no claim of ``line-perfect``, with many nodes or with few."""
    solver = LineSolver(variant)
    for number, position in enumerate(positions(variant, 80, plies)):
        limits = Limits(nodes=(500, 20_000)[number // 2 % 2])
        found = LinePerfect(Sequences()).search(position, limits)
        assert not is_false(solver, position, found), (position, found)


@cache
def minimax(position: Position) -> int:
    """Return the exact score of a position, found by trying all moves."""
    if position.is_won:
        return -won(position.ply)
    return max((-minimax(position.play(cell)) for cell in position.moves), default=0)


@pytest.mark.parametrize(
    ("variant", "plies"),
    [
        (Variant(3, 3, 3, False, DIRECTIONS), range(9)),
        (Variant(4, 4, 3, False), range(8, 12)),
        (Variant(4, 4, gravity=False), range(8, 12)),
        (Variant(5, 4, gravity=False), range(12, 15)),
    ],
    ids=str,
)
def test_on_small_boards_exact_scores_are_those_of_minimax(variant, plies):
    """Exact scores are right; other claims are no better for the winner than the truth."""
    for position in positions(variant, 12, plies):
        for nodes in (10, 300):
            found, score = AHEAD.search(position, Limits(nodes=nodes)), minimax(position)
            after = -minimax(position.play(found.cell))
            if found.exact:
                assert found.score == after == score
            elif is_proven(found.score):
                assert abs(found.score) <= abs(score)
                assert found.score * after > 0


@pytest.mark.parametrize("native_too", [False, pytest.param(True, marks=needs_core)])
@pytest.mark.parametrize(("variant", "own", "other"), CUT_SHORT)
def test_a_search_that_is_cut_short_claims_no_loss(variant, own, other, native_too):
    """The search chooses a move that it has not finished if all that it finished lose."""
    search = replace(AHEAD, evaluator=Zugzwang())
    search = native.native_twin("last_iteration", search) if native_too else search
    found = search.search(Position(variant, (own, other)), Limits(nodes=300))
    assert not is_proven(found.score)
    assert found.line == (found.cell,)


@needs_core
@pytest.mark.parametrize(("variant", "own", "other"), SOONER)
def test_a_win_by_many_fours_is_not_called_the_soonest(variant, own, other):
    """A score is exact only if no win without fours is sooner."""
    position = Position(variant, (own, other))
    search = native.native_twin("last_iteration", replace(AHEAD, evaluator=Zugzwang()))
    found = [search.search(position, Limits(nodes=nodes)) for nodes in (300, 3000, 20_000)]
    assert any(is_proven(one.score) for one in found)
    assert not any(is_false(LineSolver(variant), position, one) for one in found)
