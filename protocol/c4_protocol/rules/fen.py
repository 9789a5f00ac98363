"""Forsyth-Edwards Notation, as cutechess writes it for its variant ``cfour``.

The board lists its rows from the top: ``P`` is a stone of player 1, ``p`` one of player 2, and a
number counts free cells. The stones in hand and the side to move, ``w`` or ``b``, follow it::

    7/7/7/7/7/3P3[PPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] b - - 0 1
"""

import re

from c4_protocol.program.errors import ProtocolError
from c4_protocol.rules.notation import rows_of, shown_position
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import MAX_SIDE, STANDARD, Variant

CELL_CHARACTERS = ".Pp"
"""Characters for a free cell, player 1 and player 2."""
SIDE_CHARACTERS = "wb"
"""Names of players 1 and 2 as the side to move."""
BOARD_PATTERN = re.compile(rf"[0-9Pp/]{{1,{MAX_SIDE * (MAX_SIDE + 1)}}}")


def fen_of(position: Position) -> str:
    """Return the FEN of a position."""
    board = re.sub(
        r"\.+", lambda run: str(len(run[0])), "/".join(rows_of(position, CELL_CHARACTERS))
    )
    first, second = (position.variant.cells // 2 - stones.bit_count() for stones in position.stones)
    side = SIDE_CHARACTERS[position.player - 1]
    return f"{board}[{'P' * first}{'p' * second}] {side} - - 0 {position.ply // 2 + 1}"


def position_of_fen(fen: str, variant: Variant = STANDARD) -> Position:
    """Return the position of a FEN. Only the board and the side to move are read.

    Raises ``ProtocolError``, also for a position that breaks the rules.
    """
    match fen.split():
        case [text, "w" | "b" as side, *_]:
            board = text.partition("[")[0]
        case _:
            raise ProtocolError("the FEN has no side to move: w or b after the board")
    if not BOARD_PATTERN.fullmatch(board):
        raise ProtocolError("the board of the FEN is not made of digits, P, p and /")
    filled = re.sub("[0-9]{1,2}", lambda free: CELL_CHARACTERS[0] * int(free[0]), board)
    rows = [[*map(CELL_CHARACTERS.index, row)] for row in filled.split("/")]
    if {*map(len, rows)} != {variant.width}:
        raise ProtocolError(f"a row of the FEN does not have {variant.width} cells")
    return shown_position([*zip(*rows, strict=True)], variant, 2 if side == "b" else 1)
