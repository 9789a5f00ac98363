"""The evaluator ``zugzwang``: endings in which nobody makes a new threat."""

from functools import cache

from c4_bot.evaluate.zugzwang import Zugzwang, ending_result
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, Variant, cells_of
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

EARLY, LATE = "76315365635777", "561754266253663526157572"
"""Games in which player 1 has a threat that player 2 will have to play below."""
SMALL = [Variant(width, height) for width in (3, 4) for height in (4, 5, 6)]


def exact_result(variant: Variant, occupied: int, own: int, other: int) -> int:
    """Return the result of an ending by a complete search: 1, 0 or -1 for the player to move."""

    @cache
    def visit(occupied: int, own: int, other: int) -> int:
        playable = (occupied + variant.bottom) & variant.board
        if not playable or playable & own:
            return 1 if playable else 0
        return max(-visit(occupied | 1 << cell, other, own) for cell in cells_of(playable))

    return visit(occupied, own, other)


@st.composite
def endings(draw: st.DrawFn, sizes: list[tuple[int, int]]) -> tuple[Variant, int, int, int]:
    """Draw an ending in which each player has as many threats as ``sizes`` says.

    Returns the variant, the taken cells, and the threats of both players. No threat is playable.
    """
    variant = draw(st.sampled_from(SMALL))
    heights = [draw(st.integers(0, variant.height)) for _ in range(variant.width)]
    occupied = sum(((1 << rows) - 1) << x * variant.stride for x, rows in enumerate(heights))
    later = [*cells_of(variant.board & ~occupied & ~(occupied + variant.bottom))]
    counts = draw(st.sampled_from(sizes))
    chosen = draw(st.permutations(later))[: sum(counts)]
    threats = [
        sum(1 << cell for cell in part) for part in (chosen[: counts[0]], chosen[counts[0] :])
    ]
    return variant, occupied, threats[0], threats[1]


@given(endings([(1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1)]))
@examples(300)
def test_endings_are_exact(drawn: tuple[Variant, int, int, int]) -> None:
    """An ending with threats of one player, or one threat of each, has its exact result."""
    assert ending_result(*drawn)[0] == exact_result(*drawn)


def test_explanation_says_who_loses_the_ending() -> None:
    """The ending is explained in words, for either player, and left out without gravity."""
    position, judge = position_from_moves(EARLY, STANDARD), Zugzwang()
    assert "after 23 safe cells the opponent has to play below" in judge.explain(position, 1)
    assert "after 23 safe cells the player has to play below" in judge.explain(position, 2)
    assert "nobody has to play below" in judge.explain(Position(), 1)
    assert "safe cells" not in judge.explain(Position(LINE8), 1)
