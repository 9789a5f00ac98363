"""Time controls, clocks with the time that a bot has for a move or for a game, and intervals."""

import time
from dataclasses import dataclass, replace

from c4_protocol.program.errors import UsageError
from c4_protocol.records.messages import Clock

MAX_TIME_MS = 1e9
"""Upper bound of times that can be set, in milliseconds (eleven days). A time must be less, because
poll(2) takes milliseconds as a number of 32 bits, and our JSON library writes integers of at most
64 bits."""
GRACE_MS = 20.0
"""Milliseconds that are added to every deadline, because the referee itself may be late. A bot that
uses all of its time must not lose because the referee read its line too late.
``tests/bench/latency.py`` measured that a line waits 0.03 ms on an idle machine, and at most 10 ms
with four busy processes for each processor."""
PATIENCE_MS = 5000.0
"""Maximum time in a game that a bot is not charged because the referee did not run, in
milliseconds. A bot that halts the referee's worker gains no more than that."""


@dataclass(frozen=True)
class TimeControl:
    """Time that a bot has: ``move_ms`` for each move, or ``main_ms`` for the game.

    All times are in milliseconds. ``increment_ms`` is added to the clock of a game after each move.
    ``first_ms``, if set, replaces the time for the first move of a game. ``startup_ms`` is added to
    the time for the first answer after a start. No message of the protocol says that a bot is
    ready, and an interpreter or virtual machine may take seconds to start on a busy machine.
    Without this time, bots that start slowly would lose games. A bot may also use this time to
    think.
    """

    move_ms: float = 1000.0
    main_ms: float | None = None
    increment_ms: float = 0.0
    first_ms: float | None = None
    startup_ms: float = 10_000.0

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Return the control that a text such as ``60+0.5`` describes, or raise ``UsageError``.

        The numbers are seconds. In the example, a bot has 60 seconds for the game, and 0.5 seconds
        are added after each move.
        """
        main, _, increment = text.partition("+")
        try:
            control = cls(0, float(main) * 1000, float(increment or 0) * 1000)
        except ValueError:
            advice = "say seconds+increment, as in 60+0.5"
            raise UsageError(f"no time control '{text}': {advice}") from None
        if not (0 < float(main) * 1000 < MAX_TIME_MS and 0 <= control.increment_ms < MAX_TIME_MS):
            raise UsageError(f"time control '{text}' leaves no time to play")
        return control

    def game_ms(self, moves: int) -> float:
        """Return the maximum time of a bot for its start and ``moves`` moves, in milliseconds."""
        moves_ms = moves * (GRACE_MS + self.increment_ms)
        if self.main_ms is not None:
            return self.startup_ms + self.main_ms + moves_ms
        return self.startup_ms + (self.first_ms or 0) + moves * self.move_ms + moves_ms

    def with_move_time(self, move_ms: float) -> "TimeControl":
        """Return this control with ``move_ms`` for each move, and no game clock or ``first_ms``."""
        return replace(self, move_ms=move_ms, main_ms=None, increment_ms=0.0, first_ms=None)

    def __str__(self) -> str:
        if self.main_ms is None:
            return f"{self.move_ms:g} ms a move"
        return f"{self.main_ms / 1000:g}+{self.increment_ms / 1000:g} s a game"


class PlayerClock:
    """Clock of one player in one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.left_ms = control.main_ms
        """Milliseconds left for the game, or ``None`` if there is no game clock."""
        self.budget_ms = control.move_ms if control.main_ms is None else control.main_ms
        """Milliseconds that the next move may take."""
        if control.first_ms is not None:
            self.budget_ms = control.first_ms
        self.patience_ms = PATIENCE_MS
        """Milliseconds of the referee's absence that the player is not charged in this game."""

    @property
    def question_time(self) -> float | Clock:
        """Time that a question states: milliseconds for the move, or the game clock."""
        if self.left_ms is None:
            return self.budget_ms
        return Clock(self.left_ms, self.control.increment_ms)

    def spend(self, ms: float) -> None:
        """Subtract the time of a move from the clock, and add the increment."""
        if self.left_ms is None:
            self.budget_ms = self.control.move_ms
        else:
            self.left_ms = max(self.left_ms - ms, 0.0) + self.control.increment_ms
            self.budget_ms = self.left_ms


class CheckInterval:
    """Minimum time between two checks, in seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = time.monotonic()

    def is_due(self, now: float) -> bool:
        """Return whether it is time for the next check, and begin the next interval if it is."""
        if now - self._last <= self._seconds:
            return False
        self._last = now
        return True

    def restart(self) -> None:
        """Begin the next interval now, at the end of a check."""
        self._last = time.monotonic()
