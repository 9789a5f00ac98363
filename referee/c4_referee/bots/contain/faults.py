"""Everything that a bot can do wrong, with the consequences.

Records, stored games and reports hold the values of these enums as texts. To add a fault, add a
member of ``Fault``. If the policy of the fault is not ``FORFEIT``, add a row to
``POLICIES_BY_FAULT``. Then raise the fault where it is detected. This is ``diagnosis.py`` if an
exit code or the bot's last words show the fault, and otherwise ``conversation.py``.
"""

from dataclasses import dataclass
from enum import StrEnum


class Policy(StrEnum):
    """Consequence of a fault for the game in which it happens, and for the bot."""

    FORFEIT = "forfeit"
    """The bot loses the game."""
    BAR = "bar"
    """The bot loses the game and all games that it has not played yet."""
    RETRY = "retry"
    """The game is played again, because the machine caused the fault."""
    VOID = "void"
    """The game counts for no bot, because both could not start or were barred before the game."""
    NOTE = "note"
    """The fault is recorded with the game, and the result stays as it is."""
    STOP = "stop"
    """The run ends, because the user has made a mistake. The game has no result."""


class Fault(StrEnum):
    """Something that a bot did wrong. The values are the texts that reports show."""

    FAILED_TO_START = "failed to start"
    NO_ROOM = "no room to start"
    WITHDRAWN = "withdrawn"
    LATE_FIRST = "late first answer"
    LATE = "late"
    CLOCK_USED_UP = "clock used up"
    ILLEGAL_MOVE = "illegal move"
    BAD_LINE = "bad line"
    LINE_TOO_LONG = "line too long"
    MORE_LINES = "more than one line"
    UNASKED = "answered before being asked"
    EXITED = "exited"
    KILLED = "killed by a signal"
    OUT_OF_MEMORY = "out of memory"
    CLOSED_OUTPUT = "closed its output"
    CLOSED_INPUT = "closed its input"
    STDERR_FLOOD = "stderr flood"
    WROTE_OUTSIDE = "wrote outside its folder"
    WROTE_TOO_MUCH = "wrote too much"
    TOO_MANY_PROCESSES = "too many processes"
    IGNORED_THE_END = "ignored the end of the game"
    LOST_WORKERS = "stopped its workers"
    CHANGED_FILES = "changed its files"
    PONDERED = "ran in its opponent's turns"
    STARVED = "late without a processor"
    MISUSED = "wrong command line"

    @property
    def policy(self) -> Policy:
        """Consequence of the fault."""
        return POLICIES_BY_FAULT.get(self, Policy.FORFEIT)


POLICIES_BY_FAULT = {
    Fault.FAILED_TO_START: Policy.BAR,  # the bot would fail in the next game, too
    Fault.WITHDRAWN: Policy.BAR,
    Fault.TOO_MANY_PROCESSES: Policy.BAR,  # the bot harms all programs on the machine
    Fault.NO_ROOM: Policy.RETRY,
    Fault.IGNORED_THE_END: Policy.NOTE,
    Fault.LOST_WORKERS: Policy.BAR,
    Fault.CHANGED_FILES: Policy.NOTE,  # compiling and learning are allowed
    Fault.PONDERED: Policy.NOTE,  # it is halted there, so it does no more harm
    Fault.STARVED: Policy.RETRY,  # its opponent used the processors
    Fault.MISUSED: Policy.STOP,
}
"""Policies of all faults for which the policy is not ``FORFEIT``."""


BARRED_FOR_ONE_RUN = frozenset({Fault.FAILED_TO_START, Fault.WITHDRAWN})
"""Faults that bar a bot only until the contest is resumed. When it is resumed, a missing program
may have been installed, and a bot that was removed may take part again."""


FAULTS_FOUND_BY_REFEREE = frozenset({Fault.WITHDRAWN, Fault.LOST_WORKERS})
"""Faults that only the referee finds. A worker's record with such a fault is refused."""


LATENESS_FAULTS = frozenset({Fault.LATE_FIRST, Fault.LATE, Fault.CLOCK_USED_UP})
"""Faults of a bot that did not answer in time."""


FAULTS_OF_MISSING_START = frozenset(
    {
        Fault.FAILED_TO_START,
        Fault.EXITED,
        Fault.KILLED,
        Fault.OUT_OF_MEMORY,
        Fault.WROTE_OUTSIDE,
        Fault.CLOSED_OUTPUT,
        Fault.CLOSED_INPUT,
    }
)
"""Faults of a bot that has ended or closed one of its pipes. If this happens before the first move
of the bot in a game, the bot could not start."""


LAST_WORDS = "; its last words: "
"""Beginning of the end of a detail that quotes what a bot wrote last on standard error."""


@dataclass(eq=False)
class Foul(Exception):
    """Exception for a fault that a bot committed, with details and the line that the bot wrote.

    ``ms`` is the time from the question until the fault was found. ``cpu_ms`` is the processor time
    that the bot used in this time. ``absent_ms`` is the time in which this process did not run;
    ``ms`` does not include it, up to ``PATIENCE_MS`` in a game. All are in milliseconds. The
    contestant adds them. ``by_opponent`` is true if not the bot that was asked committed the
    fault, but its opponent.
    """

    fault: Fault
    detail: str
    line: bytes | None = None
    ms: float = 0.0
    cpu_ms: float = 0.0
    absent_ms: float = 0.0
    by_opponent: bool = False

    def __str__(self) -> str:
        return f"{self.fault}: {self.detail}"
