"""A player: a search with its parameters, and the games it plays."""

from dataclasses import dataclass, replace

from bot.contract import Evaluator, Limits, Result, Search
from protocol.errors import VariantError
from protocol.position import Position


@dataclass(frozen=True)
class Player:
    """Chooses moves with ``search``.

    ``depth`` (plies) and ``time_ms`` (a move) hold where nothing else is asked for; ``None`` is
    no limit. With ``centre_first`` the empty board is answered with its middle column.
    """

    name: str
    search: Search
    needs_gravity: bool = False
    depth: int | None = None
    time_ms: float | None = None
    centre_first: bool = False

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
        depth = self.depth if limits.depth is None else limits.depth
        return self.search.search(position, replace(limits, depth=depth))
