"""A player: a search with its parameters, and the games it plays."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count

from c4_protocol.errors import UsageError, VariantError
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.contract import Evaluator, Limits, Result, Scored, Search

GAMES = {
    "any": "games of any kind",
    "gravity": "games in which stones fall",
    "free": "games in which stones stay where they are put",
}
"""What a player may be limited to."""
DEEPEST = (1 << 31) - 1
"""Plies that can be asked for: what the core can count."""


@dataclass(frozen=True)
class Player:
    """Chooses moves with ``search`` in the games that ``variants`` names (see ``GAMES``).

    ``depth`` (plies) holds where no other is asked for, ``time_ms`` (a move) where there is no
    limit of any kind; ``None`` is none. With ``centre_first`` the empty board is answered with its
    middle column; with ``centre_on_first_line`` so is whatever it is asked first, as long as there
    is room. Raises ``UsageError`` for a depth below 1 or a negative time.
    """

    name: str
    search: Search
    variants: str = "any"
    depth: int | None = None
    time_ms: float | None = None
    centre_first: bool = False
    centre_on_first_line: bool = False
    _asked: Iterator[int] = field(default_factory=count, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"a depth is at least 1 ply, not {self.depth}")
        if self.depth is not None and self.depth > DEEPEST:
            raise UsageError(f"a depth is at most {DEEPEST} plies, not {self.depth}")
        if not 0 <= (self.time_ms or 0) < float("inf"):
            raise UsageError(f"a time is at least 0 ms, not {self.time_ms}")

    @property
    def evaluator(self) -> Evaluator | None:
        """The search's evaluator, where it has one."""
        return getattr(self.search, "evaluator", None)

    def plays(self, variant: Variant) -> bool:
        """Whether the player plays such games."""
        return self.variants == "any" or variant.gravity == (self.variants == "gravity")

    def check_plays(self, variant: Variant) -> None:
        """Raises ``VariantError`` for a game that this player does not play."""
        if not self.plays(variant):
            raise VariantError(f"player '{self.name}' plays only {GAMES[self.variants]}")

    def choose(self, position: Position, limits: Limits) -> Result:
        """A legal move; raises ``VariantError`` for a game that this player does not play."""
        self.check_plays(position.variant)
        if self._takes_centre(position):
            return Result(position.moves[0], line=(position.moves[0],), reason="the first move")
        return self.search.search(position, self.bounded(limits))

    def scores(self, position: Position, result: Result, limits: Limits) -> tuple[Scored, ...]:
        """The scores of the moves as far as they are known: ``result``'s, or asked for now.

        That takes what the limits leave.
        """
        ask = getattr(self.search, "move_scores", None)
        if result.scores or not ask:
            return result.scores
        return tuple(ask(position, self.bounded(limits)))

    def bounded(self, limits: Limits) -> Limits:
        """The limits, with the player's own where there are none; those hold from now on."""
        if self.time_ms is not None and limits.depth is None and not limits.is_bounded:
            limits = replace(limits, deadline=time.monotonic() + self.time_ms / 1000)
        return replace(limits, depth=self.depth) if limits.depth is None else limits

    def _takes_centre(self, position: Position) -> bool:
        """Whether the most central move is played without a search."""
        if self.centre_on_first_line and next(self._asked) == 0:
            return True
        return self.centre_first and not position.occupied
