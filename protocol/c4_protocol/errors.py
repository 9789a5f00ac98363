"""All exceptions of the project.

::

    ArenaError                  base class; the reason fits in one line
     ├── ProtocolError          bytes from the other side that are not a message
     │    ├── LineTooLong       a line that is longer than the reader's limit
     │    └── ImpossiblePosition   a message about a position in which nobody can be asked to move
     ├── IllegalMove            a well-formed move that the rules do not allow
     ├── NotationError          a text that is not a move, cell or position
     ├── VariantError           a game that cannot be played, or not by this player
     ├── BookError              an opening book that cannot be used
     ├── JudgeError             a judge that gives no exact values, or wrong ones
     └── UsageError             a mistake of the user: a flag, a file, a name
          └── OutOfOpenings     a source that has fewer openings than are asked for
"""


class ArenaError(Exception):
    """Base of all exceptions of the project; ``str(error)`` is one line for people."""


class ProtocolError(ArenaError):
    """Bytes from the other side that are not a message of the dialect."""


class LineTooLong(ProtocolError):
    """A line that is longer than the reader's limit in bytes; the reader skips the rest of it.

    ``start`` holds its first bytes.
    """

    def __init__(self, limit: int, start: bytes = b"") -> None:
        super().__init__(f"the line is longer than {limit} bytes")
        self.start = start


class ImpossiblePosition(ProtocolError):
    """A well-formed message about a position in which nobody can be asked to move."""


class IllegalMove(ArenaError):
    """A well-formed move that the rules do not allow in this position."""


class NotationError(ArenaError):
    """A text that is not a move, cell or position of the variant."""


class VariantError(ArenaError):
    """A variant that cannot be played at all, or not by this player."""


class BookError(ArenaError):
    """An opening book that is damaged, is of another kind or contradicts itself."""


class JudgeError(ArenaError):
    """A judge (a bot that gives exact values) that cannot be used.

    It died, is too slow, gives no values, or contradicts itself.
    """


class UsageError(ArenaError):
    """A mistake on the command line or in a configuration file."""


class OutOfOpenings(UsageError):
    """A source of openings that has no more of them."""
