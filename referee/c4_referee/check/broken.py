"""What a bot did wrong, as the driver saw it: one class a kind of fault.

Each carries what was seen and what its author can do about it, whatever rule was being tried. The
checker decides whether that advice or the rule's own is given.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from c4_referee.check.evidence import Evidence

FORMAT = 'print one line like {"move":3} for each line you read, and all else to standard error'
NUMBER = 'write {"move":3} where you write 3: the answer is a JSON object with the key "move"'
NOT_JSON = (
    "write the answer with a JSON library (Python: json.dumps, JavaScript: JSON.stringify): names "
    'stand in double quotes, as in {"move":3}'
)
NO_MOVE = 'the answer needs the key "move" with a column from 0 on, as in {"move":3}'
WHOLE = (
    'write the column as a whole number, as in {"move":3}: not "3", 3.0 or [3] (Python: int(...), '
    "JavaScript: Number(...))"
)
TEXT = (
    "standard output is for answers only: print text for people to standard error "
    "(Python: print(..., file=sys.stderr), JavaScript: console.error, shell: echo ... >&2)"
)
FLUSH = (
    "flush after every answer (Python: print(..., flush=True); C++: std::endl; "
    "Java: System.out.flush(); awk: fflush()), and read line by line, not to the end of the input"
)
LEGAL = 'look at "grid": columns count from 0, and one is full when its first cell is not 0'
LOOP = "answer in a loop until the input ends, a line for a line; no answer ends the bot"
TOO_MUCH = "write little on standard error, and start few processes"
SLOW = (
    "look for a loop that never ends, and for input that it waits for; otherwise let it think for "
    "less time"
)


class Broken(Exception):
    """A rule is broken: what was ``seen``, and how to ``fix`` it; "" leaves that to the rule."""

    def __init__(self, seen: str, fix: str = "") -> None:
        super().__init__(seen)
        self.seen = seen
        self.fix = fix
        self.evidence: Evidence | None = None


class Illegal(Broken):
    """The answer is a move that the rules of the game do not allow."""


class BadLine(Broken):
    """The answer is not a line of the protocol."""


class Crashed(Broken):
    """The program ended without an answer."""


class Left(Broken):
    """The program ended after an answer, as if one were all."""


class Hung(Broken):
    """No answer came, and it took all the time that there was to find out."""


class Unflushed(Hung):
    """The answer came only when the input was closed, or has no end of line."""


def format_fix(line: bytes) -> str:
    """Return what to do about a line that is not an answer."""
    start = line.strip()
    if start.removeprefix(b"-").isdigit():
        return NUMBER
    if not start.startswith(b"{"):
        return TEXT
    return NO_MOVE if start.endswith(b"}") and b'"' in start else NOT_JSON
