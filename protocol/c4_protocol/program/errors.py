"""All exceptions of the project.

::

    ArenaError                  base class of all exceptions
     ├── ProtocolError          bytes from the other side that are not a message
     │    ├── LineTooLong       a line that is longer than the reader's limit
     │    └── ImpossiblePosition   a position that breaks the rules or in which the game is over
     ├── IllegalMove            a well-formed move that the rules do not allow
     ├── NotationError          a text that is not a move, cell or position
     ├── VariantError           a variant that does not exist or is not supported here
     ├── BookError              an opening book that cannot be used
     ├── JudgeError             a judge that gives no exact values, or wrong values
     └── UsageError             a mistake of the user: a flag, a file, a name
          └── OutOfOpenings     a source that has fewer openings than are asked for
"""

from c4_protocol.program.text import visible


class ArenaError(Exception):
    """Base class of all exceptions of the project. ``str(error)`` is one line for people."""

    def __str__(self) -> str:
        return visible(super().__str__())  # it may quote texts of other people


class ProtocolError(ArenaError):
    """Bytes from the other side that are not a message of the dialect."""


class LineTooLong(ProtocolError):
    """A line that is longer than the reader's limit in bytes.

    The reader skips the rest of the line. ``start`` holds its first bytes.
    """

    def __init__(self, limit: int, start: bytes = b"") -> None:
        super().__init__(f"the line is longer than {limit} bytes")
        self.start = start


class ImpossiblePosition(ProtocolError):
    """A well-formed message whose position breaks the rules or in which the game is over."""


class IllegalMove(ArenaError):
    """A well-formed move that the rules do not allow in this position."""


class NotationError(ArenaError):
    """A text that is not a move, cell or position of the variant."""


class VariantError(ArenaError):
    """A variant that does not exist, or that this player or dialect does not support."""


class BookError(ArenaError):
    """An opening book that cannot be used, for example because it is damaged."""


class JudgeError(ArenaError):
    """A judge (a bot that gives exact values) that cannot be used.

    Its process died, it is too slow, it gives no values, or it contradicts itself.
    """


class UsageError(ArenaError):
    """A mistake on the command line or in a configuration file."""


class OutOfOpenings(UsageError):
    """A source of openings that has fewer openings than the contest needs."""
