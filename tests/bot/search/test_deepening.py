"""Iterative deepening: scores of a fixed depth, and searches that reduce late moves."""

from c4_bot.contract import Limits, is_proven, won
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.search.deepening import Deepening
from c4_bot.solve.reference import ReferenceSolver
from c4_bot.solve.score import last_ply
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of
from hypothesis import given
from hypothesis import strategies as st

SMALL = [Variant(4, 4, 3), Variant(5, 4), Variant(4, 5), Variant(6, 3, 3)]
LARGE = [Variant(7, 6), Variant(6, 7), Variant(8, 5), Variant(7, 7, 5)]


@st.composite
def positions(
    draw: st.DrawFn, variants: list[Variant] = SMALL, least: int = 8, most: int = 20
) -> Position:
    """Draw a position from ``least`` to ``most`` plies after the start, if the game lasts."""
    position = Position(draw(st.sampled_from(variants)))
    for pick in draw(st.lists(st.integers(0, 99), min_size=least, max_size=most)):
        following = position.play(position.moves[pick % len(position.moves)])
        if following.is_over:
            break
        position = following
    return position


def exact_score(position: Position) -> int:
    """Return the exact score in the form of a search."""
    found = ReferenceSolver().solve(
        position, -position.variant.cells, position.variant.cells, Limits()
    )
    sign = (found.low > 0) - (found.low < 0)
    return sign * won(last_ply(position, found.low))


def minimax(position: Position, depth: int, judge: Zugzwang) -> int:
    """Return the score of a full search for the player to move, without windows or a table."""
    if position.winning_cells:
        return won(position.ply + 1)
    threats = position.opponent_winning_cells
    if threats.bit_count() > 1:
        return -won(position.ply + 2)
    if depth == 0 and not threats:
        return judge.evaluate(position, position.player)
    moves = [*cells_of(threats)] or position.moves
    children = map(position.play, moves)
    left = depth - (not threats)
    return max(0 if child.is_full else -minimax(child, left, judge) for child in children)


@given(positions(LARGE, 0, 16), st.integers(1, 3))
def test_score_of_a_fixed_depth_is_that_of_minimax(position: Position, depth: int) -> None:
    """Null windows and the order of moves change nothing about the score of a depth."""
    found = Deepening(Zugzwang()).search(position, Limits(depth=depth))
    if found.depth == depth:  # it may end sooner with a proof
        expected = max(
            won(position.ply + 1)
            if child.is_won
            else 0
            if child.is_full
            else -minimax(child, depth - 1, Zugzwang())
            for child in map(position.play, position.moves)
        )
        assert found.score == expected


@given(positions(), st.integers(0, 600))
def test_reduced_searches_claim_only_what_is_certain(position: Position, nodes: int) -> None:
    """An exact score is exact. A win or loss without this claim is at least a win or loss."""
    found = Deepening(Zugzwang(), reduces=True).search(position, Limits(nodes=nodes))
    if found.exact:
        assert found.score == exact_score(position)
    elif is_proven(found.score):
        assert found.score * exact_score(position) > 0
