"""A player that chooses a legal move at random, each with the same probability.

The naive player of 004_ed209d24a05543cb.txt.
"""

import random
from dataclasses import dataclass
from typing import ClassVar

from c4_protocol.rules.position import Position

from c4_bot.contract import Limits, Result


@dataclass
class Random:
    """A search that chooses at random. A ``seed`` makes its choices repeatable."""

    seed: int | None = None
    plays_steal: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self._draw = random.Random(self.seed)

    def search(self, position: Position, limits: Limits) -> Result:
        """Return a legal move. The limits have no effect."""
        cell = self._draw.choice(position.moves)
        return Result(cell, nodes=1, line=(cell,), reason="chosen at random")
