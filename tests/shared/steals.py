"""Strategies for hypothesis: games in which player 2 may steal the first stone."""

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import DIRECTIONS, STEAL, Variant
from hypothesis import strategies as st

VARIANTS = st.builds(
    Variant,
    width=st.integers(1, 11),
    height=st.integers(1, 9),
    connect=st.integers(2, 5),
    directions=st.lists(st.sampled_from(DIRECTIONS), min_size=1, unique=True).map(tuple),
    steal=st.just(True),
)
"""Small variants with the steal."""


@st.composite
def _positions(draw: st.DrawFn) -> Position:
    """Draw a position that legal moves reach, and in which the game is not over."""
    position = Position(draw(VARIANTS))
    steals = draw(st.booleans())
    for pick in draw(st.lists(st.integers(0, 99), max_size=30)):
        moves = position.moves
        cell = STEAL if steals and position.can_steal else moves[pick % len(moves)]
        if position.play(cell).is_over:
            break
        position = position.play(cell)
    return position


POSITIONS = _positions()
"""Positions in games with the steal. In half of them the first stone was stolen."""
