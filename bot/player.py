"""A player: a search with its parameters, and the games it plays."""

import time
from dataclasses import dataclass, replace

from bot.contract import Evaluator, Limits, Result, Search
from protocol.errors import UsageError, VariantError
from protocol.position import Position


@dataclass(frozen=True)
class Player:
    """Chooses moves with ``search``.

    ``depth`` (plies) holds where no other is asked for, ``time_ms`` (a move) where there is no
    limit of any kind; ``None`` is none. With ``centre_first`` the empty board is answered with its
    middle column. Raises ``UsageError`` for a depth below 1 or a negative time.
    """

    name: str
    search: Search
    needs_gravity: bool = False
    depth: int | None = None
    time_ms: float | None = None
    centre_first: bool = False

    def __post_init__(self) -> None:
        if not 1 <= (1 if self.depth is None else self.depth) < 1 << 31:
            raise UsageError(f"a depth is at least 1 ply, not {self.depth}")
        if not 0 <= (self.time_ms or 0) < float("inf"):
            raise UsageError(f"a time is at least 0 ms, not {self.time_ms}")

    @property
    def evaluator(self) -> Evaluator | None:
        """The search's evaluator, where it has one."""
        return getattr(self.search, "evaluator", None)

    def choose(self, position: Position, limits: Limits) -> Result:
        """A legal move; raises ``VariantError`` for a game that this player does not play."""
        if self.needs_gravity and not position.variant.gravity:
            raise VariantError(f"player '{self.name}' plays only games in which stones fall")
        if self.centre_first and not position.occupied:
            return Result(position.moves[0], line=(position.moves[0],))
        if self.time_ms is not None and limits.depth is None and not limits.is_bounded:
            limits = replace(limits, deadline=time.monotonic() + self.time_ms / 1000)
        if limits.depth is None:
            limits = replace(limits, depth=self.depth)
        return self.search.search(position, limits)
