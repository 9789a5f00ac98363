"""What a bot can do wrong, and what follows from it: one table."""

from enum import Enum


class Policy(Enum):
    """What a fault does to the game it happens in."""

    FORFEIT = "forfeit"
    """The bot loses the game."""
    BAR = "bar"
    """The bot loses the game, and all that it has still to play in the event."""
    RETRY = "retry"
    """The game is played again: the machine's fault, not the bot's."""
    VOID = "void"
    """The game counts for nobody: neither bot could start, or both were barred before it."""
    NOTE = "note"
    """The result stands; the fault is written down beside it."""


class Fault(Enum):
    """A rule that was broken; the values are the reasons that reports show."""

    FAILED_TO_START = "failed to start"
    NO_ROOM = "no room to start"
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
        """What follows from it."""
        return POLICIES.get(self, Policy.FORFEIT)


POLICIES = {
    Fault.FAILED_TO_START: Policy.BAR,  # it would not start for the next game either
    Fault.TOO_MANY_PROCESSES: Policy.BAR,  # it harms whoever shares the machine
    Fault.NO_ROOM: Policy.RETRY,
    Fault.IGNORED_THE_END: Policy.NOTE,
}
"""Every other fault forfeits the game."""


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
"""Faults that mean, before a bot's first move in a game, that it could not start: it is gone, or it
has closed its pipes."""


class Foul(Exception):
    """A bot's fault: which, in words, and the line it wrote where there is one."""

    def __init__(self, fault: Fault, detail: str, line: bytes | None = None) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail
        self.line = line
        self.ms = 0.0
        """How long the question was open when the fault was found."""
        self.cpu_ms = 0.0
        """How long the bot had worked on it."""
