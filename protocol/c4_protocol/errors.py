"""Every exception of the project.

::

    ArenaError                  something is refused, for a reason that fits in one line
     ├── ProtocolError          bytes from the other side that are no message
     │    ├── LineTooLong       a line longer than the reader agreed to hold
     │    └── ImpossiblePosition   a message about a position that no game can ask about
     ├── IllegalMove            a well-formed move that the rules do not allow
     ├── NotationError          a text that names no move, cell or position
     ├── VariantError           a game that cannot be played, or that a player does not play
     ├── BookError              an opening book that cannot be used
     ├── JudgeError             a bot that was asked for exact values gives none, or false ones
     └── UsageError             a user's mistake: a flag, a file, a name
          └── OutOfOpenings     a source has fewer openings than are asked for
"""


class ArenaError(Exception):
    """Base of all of them; ``str(error)`` is one line for people."""


class ProtocolError(ArenaError):
    """The other side's bytes are no message of the dialect."""


class LineTooLong(ProtocolError):
    """A line passed the reader's limit of so many bytes; the rest of it is being skipped.

    ``start`` are its first bytes.
    """

    def __init__(self, limit: int, start: bytes = b"") -> None:
        super().__init__(f"the line is longer than {limit} bytes")
        self.start = start


class ImpossiblePosition(ProtocolError):
    """A well-formed message describes a position that no player can be asked about."""


class IllegalMove(ArenaError):
    """The move is well-formed, but the rules do not allow it here."""


class NotationError(ArenaError):
    """A text names no move, cell or position of the variant."""


class VariantError(ArenaError):
    """The variant cannot be played at all, or not by this player."""


class BookError(ArenaError):
    """An opening book is damaged, of another kind, or contradicts itself."""


class JudgeError(ArenaError):
    """A bot that was to tell exact values died, is too slow, tells none, or contradicts itself."""


class UsageError(ArenaError):
    """A mistake on the command line or in a configuration file."""


class OutOfOpenings(UsageError):
    """A source of openings has no more of them."""
