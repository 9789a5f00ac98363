"""Time: what a bot may use for a move, and what is left of its clock."""

from dataclasses import dataclass

from protocol.errors import UsageError
from protocol.messages import Clock

GRACE_MS = 50.0
"""Added to every deadline for the referee's own latency and the machine's: a bot that uses its
time to the end must not lose because its line waited to be read."""
STARTUP_MS = 10_000.0
"""Added to the deadline of the first answer after a start, which no protocol message precedes:
an interpreter or virtual machine may take seconds to come up on a busy machine. A bot could think
on this time; it is the price of not losing games to slow starts."""


@dataclass(frozen=True)
class TimeControl:
    """Either ``move_ms`` for each move, or ``main_ms`` for the game and ``increment_ms`` a move."""

    move_ms: float = 1000.0
    main_ms: float | None = None
    increment_ms: float = 0.0

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """``60+0.5``: a minute for the game and half a second a move; raises ``UsageError``."""
        main, _, increment = text.partition("+")
        try:
            control = cls(0, float(main) * 1000, float(increment or 0) * 1000)
        except ValueError:
            raise UsageError(
                f"no time control '{text}': say seconds+increment, as 60+0.5"
            ) from None
        if not (0 < float(main) < 1e6 and 0 <= control.increment_ms < 1e9):
            raise UsageError(f"time control '{text}' leaves no time to play")
        return control

    def __str__(self) -> str:
        if self.main_ms is None:
            return f"{self.move_ms:g} ms a move"
        return f"{self.main_ms / 1000:g}+{self.increment_ms / 1000:g} s a game"


class PlayerClock:
    """One player's time in one game."""

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._left = control.main_ms

    @property
    def budget_ms(self) -> float:
        """What the next move may take."""
        return self._control.move_ms if self._left is None else self._left

    @property
    def told(self) -> float | Clock:
        """What the bot is told: the milliseconds for the move, or its clock."""
        if self._left is None:
            return self._control.move_ms
        return Clock(remaining_ms=self._left, increment_ms=self._control.increment_ms)

    def spend(self, ms: float) -> None:
        """Takes the time of a move off the clock and adds the increment."""
        if self._left is not None:
            self._left = max(self._left - ms, 0.0) + self._control.increment_ms
