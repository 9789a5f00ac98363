"""Time: what a bot may use for a move, and what is left of its clock."""

from dataclasses import dataclass, replace

from c4_protocol.errors import UsageError
from c4_protocol.messages import UncheckedClock

LONGEST_MS = 1e9
"""Whatever time is set is shorter, eleven days: the system counts the milliseconds that it waits in
32 bits, and JSON is written with integers of 64."""
GRACE_MS = 20.0
"""Added to every deadline for the referee's own latency: a bot that uses its time to the end must
not lose because its line waited to be read. Measured with ``tests/bench/latency.py``: a line waits
0.03 ms on an idle machine, and at most 10 ms with four busy processes to each processor."""


@dataclass(frozen=True)
class TimeControl:
    """``move_ms`` for each move, or ``main_ms`` for the game and ``increment_ms`` a move.

    ``first_ms`` is another time for the first move of a game. ``startup_ms`` comes on top of a
    bot's first answer after a start: nothing in the protocol says when it is ready, and an
    interpreter or virtual machine may take seconds on a busy machine. A bot could think on that
    time; it is the price of not losing games to slow starts.
    """

    move_ms: float = 1000.0
    main_ms: float | None = None
    increment_ms: float = 0.0
    first_ms: float | None = None
    startup_ms: float = 10_000.0

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
        if not (0 < float(main) * 1000 < LONGEST_MS and 0 <= control.increment_ms < LONGEST_MS):
            raise UsageError(f"time control '{text}' leaves no time to play")
        return control

    def of_moves(self, move_ms: float) -> "TimeControl":
        """The same start-up, but this time for each move and no clock."""
        return replace(self, move_ms=move_ms, main_ms=None, increment_ms=0.0, first_ms=None)

    def __str__(self) -> str:
        if self.main_ms is None:
            return f"{self.move_ms:g} ms a move"
        return f"{self.main_ms / 1000:g}+{self.increment_ms / 1000:g} s a game"


class PlayerClock:
    """One player's time in one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left_ms = control.main_ms
        """What is left of a game clock; ``None`` where there is none."""
        self.is_first = True
        """Whether the player has not moved yet."""

    @property
    def budget_ms(self) -> float:
        """What the next move may take."""
        if self.is_first and self.control.first_ms is not None:
            return self.control.first_ms
        return self.control.move_ms if self.left_ms is None else self.left_ms

    @property
    def told(self) -> float | UncheckedClock:
        """What the bot is told: the milliseconds for the move, or its clock."""
        if self.left_ms is None:
            return self.budget_ms
        return UncheckedClock(self.left_ms, self.control.increment_ms)

    def spend(self, ms: float) -> None:
        """Takes the time of a move off the clock and adds the increment."""
        self.is_first = False
        if self.left_ms is not None:
            self.left_ms = max(self.left_ms - ms, 0.0) + self.control.increment_ms
