"""The rules of the Connect Four family, positions, and the messages of bots and referees.

``Board`` is a position: it can be parsed and printed, lists the legal moves, and plays a move.
``Variant`` defines a game: the size of the board and the rules. Every error is an ``ArenaError``.
The other modules are internal.

>>> from c4_protocol import Board
>>> board = Board.from_moves("4453")
>>> print(board)
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . O . . .
. . O X X . .
0 1 2 3 4 5 6  (from 0)
player 1 (X) to move
>>> board.play(3).move_string
'44534'
"""

from c4_protocol.program.lazy import lazy_names

__all__ = [
    "ArenaError",
    "Board",
    "IllegalMove",
    "ImpossiblePosition",
    "NotationError",
    "ProtocolError",
    "UsageError",
    "Variant",
    "VariantError",
    "WireMove",
]

TYPE_CHECKING = False  # an import of typing would take longer than all of this
if TYPE_CHECKING:
    from c4_protocol.board import Board
    from c4_protocol.program.errors import (
        ArenaError,
        IllegalMove,
        ImpossiblePosition,
        NotationError,
        ProtocolError,
        UsageError,
        VariantError,
    )
    from c4_protocol.rules.notation import WireMove
    from c4_protocol.rules.variant import Variant
else:
    __getattr__, __dir__ = lazy_names(
        __name__, __all__, "program.errors", "rules.variant", "rules.notation", "board"
    )
