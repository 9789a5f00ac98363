"""Any legal move, each as likely: the naive player of 004_ed209d24a05543cb.txt."""

import random
from dataclasses import dataclass, field

from c4_protocol.position import Position

from c4_bot.contract import Limits, Result


@dataclass(frozen=True)
class Random:
    """Draws from one stream of numbers; with a ``seed`` the same stream every time."""

    seed: int | None = None
    _draw: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_draw", random.Random(self.seed))

    def search(self, position: Position, limits: Limits) -> Result:
        """A legal move; the limits don't matter."""
        cell = self._draw.choice(position.moves)
        return Result(cell, nodes=1, line=(cell,), reason="drawn by lot")
