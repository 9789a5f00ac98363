"""Learned weights of patterns of cells, in the games for which there are such weights.

The score is the sum of the weights of all patterns of the position (see ``_patterns``). Such sums
of table entries are known as n-tuple networks (Lucas 2008; for Connect Four: Thill, Koch and Konen
2012). The weights are learned from games of the program against itself: ``c4-tune train``.

``UNIT`` times the score is the logarithm of the odds of winning: at 1 point, the player wins 73 of
100 games.
"""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from c4_protocol.errors import UsageError
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.evaluate._open_windows import counts_text
from c4_bot.evaluate._weights import Weights, read
from c4_bot.evaluate.sequences import Sequences

FOLDER = Path(__file__).parent / "weights"
UNIT = 32
"""Units in one point."""


@dataclass(frozen=True)
class Network:
    """An evaluator with learned weights.

    In games without learned weights, it counts open sequences with ``weights``, as ``Sequences``.
    """

    weights: tuple[int, ...] = (1, 3, 6)

    unit = UNIT

    def evaluate(self, position: Position, player: int) -> int:
        """Return the sum of the weights of all patterns, in ``UNIT``-ths of a point."""
        learned = learned_weights(position.variant)
        if learned is None:
            return UNIT * Sequences(self.weights).evaluate(position, player)
        values = memoryview(learned.values).cast("b")
        score = sum(values[index] for index in learned.patterns.indices(position))
        return score if player == position.player else -score

    def explain(self, position: Position, player: int) -> str:
        """Return the counts of open windows, in words."""
        return counts_text(position, player)


@cache
def learned_weights(variant: Variant) -> Weights | None:
    """Return the learned weights of a variant, or ``None`` if there are none.

    Their file is read at the first call. A damaged file is reported on standard error once. The
    steal changes nothing, because only the second move of a game can be the steal.
    """
    path = FOLDER / f"{variant.size}x{variant.connect}.network"
    if variant.without_steal != Variant(variant.width, variant.height, variant.connect):
        return None
    if not path.exists():
        return None
    try:
        return read(path)
    except UsageError as error:
        sys.stderr.write(f"c4: {error}; continuing without them\n")
        return None
