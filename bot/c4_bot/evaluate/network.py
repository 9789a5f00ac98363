"""Learned weights of patterns of cells, in the games for which there are such weights.

The score is that of ``Zugzwang`` plus the weights of all patterns of the position (see
``_patterns``). So the weights hold what ``Zugzwang`` does not know. Such sums of table entries are
known as n-tuple networks (S. M. Lucas, "Learning to Play Othello with N-Tuple Systems", 2008; for
Connect Four: M. Thill, P. Koch and W. Konen, "Reinforcement Learning with N-Tuples on the Game
Connect-4", 2012). The weights are learned from games of the program against itself:
``c4-tune train``.

The stored weights are whole numbers. 32 of them are one unit of the logarithm of the odds of
winning, so their sum is tripled to have the unit of ``Zugzwang``.
"""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.evaluate.zugzwang import Zugzwang

if TYPE_CHECKING:
    from c4_bot.evaluate._weights import Weights

WEIGHTS_FOLDER = Path(__file__).parent / "weights"
STORED_UNITS_PER_LOGIT = 32
"""Unit of the logarithm of the odds in stored weights."""
UNITS_PER_STORED_UNIT = 3
"""Factor from stored weights to scores."""


@dataclass(frozen=True)
class Network(Zugzwang):
    """``Zugzwang``, corrected by learned weights in games for which there are such weights.

    The weights were learned with the default parameters of ``Zugzwang``.
    """

    def evaluate(self, position: Position, player: int) -> int:
        """Return the score for ``player``, in units of a twentieth of a point."""
        score = super().evaluate(position, player)
        learned = learned_weights(position.variant)
        if learned is None:
            return score
        values = memoryview(learned.values).cast("b")
        correction = UNITS_PER_STORED_UNIT * sum(
            values[index] for index in learned.patterns.indices(position)
        )
        return score + (correction if player == position.player else -correction)


@cache
def learned_weights(variant: Variant) -> "Weights | None":
    """Return the learned weights of a variant, or ``None`` if there are none.

    Their file is read at the first call. A file that is damaged, or has the weights of another
    variant, is reported on standard error once. The steal changes nothing, because only the second
    move of a game can be the steal.
    """
    path = WEIGHTS_FOLDER / f"{variant.size}x{variant.connect}.network"
    if variant.without_steal != Variant(variant.width, variant.height, variant.connect):
        return None
    if not path.exists():
        return None
    try:
        return _read_weights_of(variant.without_steal, path)
    except UsageError as error:
        sys.stderr.write(f"c4: {error}; continuing without them\n")
        return None


def _read_weights_of(variant: Variant, path: Path) -> "Weights":
    """Return the weights in a file; raise ``UsageError`` unless they are those of the variant."""
    from c4_bot.evaluate._weights import read  # noqa: PLC0415 - few games need it

    weights = read(path)
    if weights.patterns.variant != variant:
        raise UsageError(f"the weights {path} are those of {weights.patterns.variant}")
    return weights
