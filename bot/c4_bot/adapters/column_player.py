"""A player that answers positions with columns, as the functions of other libraries do."""

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.api import checked_depth, checked_player
from c4_bot.contract import Limits
from c4_bot.player.registry import DEFAULT_PLAYER
from c4_bot.solve.public_solver import deadline_after


class ColumnPlayer:
    """The player called ``player``, with its limits for a move, in games with gravity.

    ``seconds`` is its time for a move, and ``depth`` its maximum depth in plies. If both are
    ``None``, the limits of the player apply. With the same ``seed``, a player that chooses at
    random chooses the same moves. The moves are repeatable only if the player's time is not
    limited. Raises ``UsageError`` for an unknown player and impossible limits.
    """

    def __init__(
        self,
        player: str = DEFAULT_PLAYER,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        seed: int | None = None,
    ) -> None:
        deadline_after(seconds)
        self._player = checked_player(player, seed)
        self._seconds, self._depth = seconds, checked_depth(depth)

    def check_plays(self, variant: Variant) -> None:
        """Raise ``VariantError`` if the player does not play games of this variant."""
        self._player.check_plays(variant)

    def column(self, position: Position, max_seconds: float | None = None) -> int:
        """Return the player's move: a column, counting from 0.

        ``max_seconds`` limits the time for this move, too. Raises ``VariantError`` for a
        game that the player does not play.
        """
        times = [time for time in (self._seconds, max_seconds) if time is not None]
        limits = Limits(depth=self._depth, deadline=deadline_after(min(times, default=None)))
        return position.variant.column_of(self._player.choose(position, limits).cell)
