"""Everything that a bot can do wrong, and what follows from it.

Records, stored games and reports hold the values of these enums as texts. To add a fault, add a
member and, unless it only loses the game, a row of ``POLICIES``; then raise it where it is detected
(``conversation.py``, or ``diagnosis.py`` if an exit code or a bot's last words show it).
"""

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
    """The game counts for no bot: neither could start, or both were barred before it."""
    NOTE = "note"
    """The result stands; the fault is recorded with it."""


class Fault(StrEnum):
    """Something that a bot did wrong; the values are the reasons that reports show."""

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
    TOO_MANY_PROCESSES = "too many processes"
    IGNORED_THE_END = "ignored the end of the game"

    @property
    def policy(self) -> Policy:
        """Consequence of the fault."""
        return POLICIES.get(self, Policy.FORFEIT)


POLICIES = {
    Fault.FAILED_TO_START: Policy.BAR,  # it would not start in the next game either
    Fault.WITHDRAWN: Policy.BAR,
    Fault.TOO_MANY_PROCESSES: Policy.BAR,  # it harms all programs on the machine
    Fault.NO_ROOM: Policy.RETRY,
    Fault.IGNORED_THE_END: Policy.NOTE,
}
"""Policies of the faults that do more, or less, than forfeit the game."""


BARRED_FOR_ONE_RUN = frozenset({Fault.FAILED_TO_START, Fault.WITHDRAWN})
"""Faults that bar a bot only until the contest is resumed: by then a missing program may be
installed, and a bot that was removed may take part again."""


NOT_STARTED = frozenset(
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
"""Faults of a bot that has ended or closed one of its pipes. Before its first move in a game, they
mean that it could not start."""


class Foul(Exception):
    """A fault that a bot committed: its kind, the details, and the line that the bot wrote, if any.

    ``ms`` is the time from the question until the fault was found, and ``cpu_ms`` the bot's
    processor time in it, both in milliseconds. The conversation sets them.
    """

    def __init__(self, fault: Fault, detail: str, line: bytes | None = None) -> None:
        super().__init__(f"{fault}: {detail}")
        self.fault = fault
        self.detail = detail
        self.line = line
        self.ms = 0.0
        self.cpu_ms = 0.0
