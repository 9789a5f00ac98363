"""A player: a search with its parameters, and the games it plays."""

import time
from dataclasses import dataclass, field, replace

from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import Evaluator, Limits, Result, Scored, Search
from c4_bot.player import steal

GAME_KINDS = {
    "any": "games of any kind",
    "gravity": "games with gravity, in which stones fall",
    "free": "games without gravity",
}
"""Kinds of games that a player can be limited to, in words."""
MAX_DEPTH = (1 << 31) - 1
"""Maximum depth in plies: the core counts them in 31 bits."""


@dataclass
class Player:
    """A player that chooses moves with ``search`` in the games that ``variants`` names.

    ``variants`` is a key of ``GAME_KINDS``. ``depth`` is in plies, and applies if the caller sets
    no depth. ``time_ms`` is the time for each move, and applies if the caller sets no limit of any
    kind. ``None`` means no limit. If ``centre_first`` is true, the player plays the most central
    cell on the empty board, unless the opponent could steal this stone. If ``centre_on_first_line``
    is true, the player plays the most central free cell in the first position that it gets. Raises
    ``UsageError`` for a depth that is not between 1 and ``MAX_DEPTH``, and for a time that is
    negative or infinite.
    """

    name: str
    search: Search
    variants: str = "any"
    depth: int | None = None
    time_ms: float | None = None
    centre_first: bool = False
    centre_on_first_line: bool = False
    _was_asked: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.depth is not None and self.depth < 1:
            raise UsageError(f"a depth is at least 1 ply, not {self.depth}")
        if self.depth is not None and self.depth > MAX_DEPTH:
            raise UsageError(f"a depth is at most {MAX_DEPTH} plies, not {self.depth}")
        if not 0 <= (self.time_ms or 0) < float("inf"):
            raise UsageError(f"a time is at least 0 ms, not {self.time_ms}")

    @property
    def evaluator(self) -> Evaluator | None:
        """The evaluator of the search; ``None`` if the search has no evaluator."""
        return getattr(self.search, "evaluator", None)

    def plays(self, variant: Variant) -> bool:
        """Return whether the player plays games of this variant."""
        return self.variants == "any" or variant.gravity == (self.variants == "gravity")

    def check_plays(self, variant: Variant) -> None:
        """Raise ``VariantError`` if the player does not play games of this variant."""
        if not self.plays(variant):
            raise VariantError(f"player '{self.name}' plays only {GAME_KINDS[self.variants]}")

    def choose(self, position: Position, limits: Limits) -> Result:
        """Return a legal move; raise ``VariantError`` for a game that the player does not play."""
        self.check_plays(position.variant)
        if self._takes_centre(position):
            return Result(position.moves[0], line=(position.moves[0],), reason="the first move")
        return steal.choose(self.search, position, self.bounded(limits))

    def scores(self, position: Position, result: Result, limits: Limits) -> tuple[Scored, ...]:
        """Return the moves whose scores are known, with their scores.

        If ``result`` holds no scores, the search finds them within ``limits``, if it can.
        """
        return steal.move_scores(self.search, position, result, self.bounded(limits))

    def bounded(self, limits: Limits) -> Limits:
        """Return ``limits``, completed by the player's own limits.

        The player's depth applies if the caller sets no depth. The player's time applies if the
        caller sets no limit at all, and is measured from this call.
        """
        if self.time_ms is not None and limits.depth is None and not limits.is_bounded:
            limits = replace(limits, deadline=time.monotonic() + self.time_ms / 1000)
        return replace(limits, depth=self.depth) if limits.depth is None else limits

    def _takes_centre(self, position: Position) -> bool:
        """Return whether to play the most central move without a search."""
        is_first, self._was_asked = not self._was_asked, True
        if self.centre_on_first_line and is_first:
            return True
        return self.centre_first and not position.occupied and not position.steal_is_ahead
