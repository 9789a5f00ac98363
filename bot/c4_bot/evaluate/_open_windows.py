"""Open windows.

A window is a set of cells that can become a line. It is open if at most one player has
stones in it.
"""

from collections.abc import Sequence

from c4_protocol.rules.position import Position


def count_open_windows(position: Position, player: int) -> list[int]:
    """Count the windows with 0, 1, 2, ... stones of the player and none of the opponent."""
    own, other = position.stones if player == 1 else reversed(position.stones)
    numbers = [0] * (position.variant.connect + 1)
    for line in position.variant.lines:
        if not line & other:
            numbers[(line & own).bit_count()] += 1
    return numbers


def worth_difference(position: Position, player: int, worth: Sequence[int]) -> int:
    """Return the worth of the player's open windows minus the worth of the opponent's.

    ``worth`` lists the worth of a window that lacks 0, 1, 2, ... stones. A window that lacks more
    stones is worth 0. The stones that a window lacks count, not those that it holds, so that a
    threat is worth the same in games with lines of any length.
    """
    own, other = count_open_windows(position, player), count_open_windows(position, 3 - player)
    more = [mine - yours for mine, yours in zip(own[:0:-1], other[:0:-1], strict=True)]
    return sum(weight * windows for weight, windows in zip(worth, more, strict=False))


def counts_in_words(position: Position, player: int) -> str:
    """Return both players' counts in words, beginning with the windows with the most stones."""
    own, other = count_open_windows(position, player), count_open_windows(position, 3 - player)
    texts = (
        f"with {stones}: {own[stones]} own, {other[stones]} of the opponent"
        for stones in range(position.variant.connect - 1, 0, -1)
    )
    return f"open windows by stones: {'; '.join(texts)}"
