"""Iterative deepening that slips now and then: the players of the lower levels.

The difficulty setting that 000_ccbf42599ea318ee.txt wishes for: less depth, poorer weights, and
moves drawn by lot. A slip may leave a threat open; a win at once is never missed, as a child of
five does not miss one.
"""

import random
from dataclasses import dataclass, field

from c4_protocol.errors import UsageError
from c4_protocol.position import Position

from c4_bot.contract import Evaluator, Limits, Result, Search
from c4_bot.native import twin
from c4_bot.search.deepening import Deepening


@dataclass(frozen=True)
class Slipping:
    """``slips`` of a hundred moves are drawn by lot; with a ``seed`` the same ones every time."""

    evaluator: Evaluator
    slips: int = 0
    seed: int | None = None
    _draw: random.Random = field(init=False, repr=False, compare=False)
    _ahead: Search = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.slips <= 100:
            raise UsageError(f"slips are 0 to 100 of a hundred moves, not {self.slips}")
        object.__setattr__(self, "_draw", random.Random(self.seed))
        object.__setattr__(self, "_ahead", twin("deepening", Deepening(self.evaluator)))

    def search(self, position: Position, limits: Limits) -> Result:
        """What iterative deepening finds, or any legal move."""
        slips, cell = self._draw.randrange(100) < self.slips, self._draw.choice(position.moves)
        if slips and not position.winning_cells:
            return Result(cell, nodes=1, line=(cell,), reason="a slip")
        return self._ahead.search(position, limits)
