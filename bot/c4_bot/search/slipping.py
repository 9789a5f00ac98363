"""Iterative deepening that sometimes plays at random: the players of the lower levels.

000_ccbf42599ea318ee.txt proposes these ways to make a player weaker: less depth, poorer weights,
and some moves chosen at random. A random move may ignore a threat, but it never replaces an
immediate win.
"""

import random
from dataclasses import dataclass
from typing import ClassVar

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position

from c4_bot.contract import Evaluator, Limits, Result
from c4_bot.native import native_twin
from c4_bot.search.deepening import Deepening
from c4_bot.steal import choose


@dataclass
class Slipping:
    """A search that chooses about ``slips`` of a hundred moves at random.

    A ``seed`` makes the moves repeatable.
    """

    evaluator: Evaluator
    slips: int = 0
    seed: int | None = None
    plays_steal: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 100:
            raise UsageError(f"slips are 0 to 100 of a hundred moves, not {self.slips}")
        self._draw = random.Random(self.seed)
        self._ahead = native_twin("deepening", Deepening(self.evaluator))

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the result of iterative deepening, or a random legal move."""
        slips, cell = self._draw.randrange(100) < self.slips, self._draw.choice(position.moves)
        if slips and not position.winning_cells:
            return Result(cell, nodes=1, line=(cell,), reason="a slip")
        return choose(self._ahead, position, limits)
