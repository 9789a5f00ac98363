"""Iterative deepening that sometimes plays at random: the players of the lower levels.

This is the difficulty setting that 000_ccbf42599ea318ee.txt proposes: less depth, poorer weights,
and some moves drawn by lot. A slip may leave a threat open, but never misses a win at once: not
even a child of five does.
"""

import random
from dataclasses import dataclass

from c4_protocol.errors import UsageError
from c4_protocol.position import Position

from c4_bot.contract import Evaluator, Limits, Result
from c4_bot.native import twin
from c4_bot.search.deepening import Deepening


@dataclass
class Slipping:
    """A search that draws ``slips`` of a hundred moves by lot; a ``seed`` makes it repeatable."""

    evaluator: Evaluator
    slips: int = 0
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 100:
            raise UsageError(f"slips are 0 to 100 of a hundred moves, not {self.slips}")
        self._draw = random.Random(self.seed)
        self._ahead = twin("deepening", Deepening(self.evaluator))

    def search(self, position: Position, limits: Limits) -> Result:
        """Return what iterative deepening finds, or any legal move."""
        slips, cell = self._draw.randrange(100) < self.slips, self._draw.choice(position.moves)
        if slips and not position.winning_cells:
            return Result(cell, nodes=1, line=(cell,), reason="a slip")
        return self._ahead.search(position, limits)
