"""What a bot can do wrong."""

from enum import Enum


class Fault(Enum):
    """Each loses the game it happens in; the values are the reasons that reports show."""

    FAILED_TO_START = "failed to start"
    LATE = "late"
    ILLEGAL_MOVE = "illegal move"
    BAD_LINE = "bad line"
    LINE_TOO_LONG = "line too long"
    UNASKED = "answered before being asked"
    EXITED = "exited"
    KILLED = "killed by a signal"
    CLOSED_OUTPUT = "closed its output"
    CLOSED_INPUT = "closed its input"


class Foul(Exception):
    """A bot's fault: which, in words, and the line it wrote where there is one."""

    def __init__(self, fault: Fault, detail: str, line: bytes | None = None) -> None:
        super().__init__(f"{fault.value}: {detail}")
        self.fault = fault
        self.detail = detail
        self.line = line
        self.ms = 0.0
        """How long the question was open when the fault was found."""
