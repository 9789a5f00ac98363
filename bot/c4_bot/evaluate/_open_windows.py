"""Windows without an obstacle: as long as a line, with stones of one player only."""

from collections.abc import Sequence

from c4_protocol.position import Position


def counts(position: Position, player: int) -> list[int]:
    """How many windows hold 0, 1, 2, ... of the player's stones and none of the opponent's."""
    own, other = position.stones if player == 1 else reversed(position.stones)
    found = [0] * (position.variant.connect + 1)
    for line in position.variant.lines:
        if not line & other:
            found[(line & own).bit_count()] += 1
    return found


def difference(position: Position, player: int, worth: Sequence[int]) -> int:
    """The worth of the player's windows, less that of the opponent's.

    ``worth`` is that of a window that lacks 0, 1, 2, ... stones of a line; one that lacks more is
    worth nothing. To count what a window lacks rather than holds makes a threat the same on lines
    of any length.
    """
    own, other = counts(position, player), counts(position, 3 - player)
    more = [mine - yours for mine, yours in zip(own[:0:-1], other[:0:-1], strict=True)]
    return sum(weight * windows for weight, windows in zip(worth, more, strict=False))


def told(position: Position, player: int) -> str:
    """The counts in words, those of windows with the most stones first."""
    own, other = counts(position, player), counts(position, 3 - player)
    told = (
        f"with {stones}: {own[stones]} own, {other[stones]} of the opponent"
        for stones in range(position.variant.connect - 1, 0, -1)
    )
    return f"open windows by stones: {'; '.join(told)}"
