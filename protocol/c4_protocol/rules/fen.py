"""Forsyth-Edwards Notation, as cutechess writes it for its variant ``cfour``.

The board lists its rows from the top: ``P`` is a stone of player 1, ``p`` one of player 2, and a
number counts free cells. The stones in hand and the side to move, ``w`` or ``b``, follow it::

    7/7/7/7/7/3P3[PPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] b - - 0 1
"""

import re
from collections.abc import Iterable

from c4_protocol.program.errors import ProtocolError
from c4_protocol.rules.notation import rows_of, shown_position
from c4_protocol.rules.position import SEATS, Position, Seat
from c4_protocol.rules.variant import MAX_SIDE, STANDARD, Variant

CELL_CHARACTERS = ".Pp"
"""Characters for a free cell, player 1 and player 2."""
SIDE_CHARACTERS = "wb"
"""Names of players 1 and 2 as the side to move."""


def fen_of(position: Position) -> str:
    """Return the FEN of a position."""
    board = board_text(rows_of(position, CELL_CHARACTERS))
    first, second = (position.variant.cells // 2 - stones.bit_count() for stones in position.stones)
    side = SIDE_CHARACTERS[position.player - 1]
    return f"{board}[{'P' * first}{'p' * second}] {side} - - 0 {position.ply // 2 + 1}"


def position_of_fen(fen: str, variant: Variant = STANDARD) -> Position:
    """Return the position of a FEN. Only the board and the side to move are read.

    Raises ``ProtocolError``, also for a position that breaks the rules.
    """
    match fen.split():
        case [text, "w" | "b" as side, *_]:
            board, player = text.partition("[")[0], SEATS[SIDE_CHARACTERS.index(side)]
            return parsed_board(board, CELL_CHARACTERS, player, variant)
    raise ProtocolError("the FEN has no side to move: w or b after the board")


def board_text(rows: Iterable[str]) -> str:
    """Return rows in one text, with a slash between rows and numbers of free cells for ``.``."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))


def parsed_board(board: str, marks: str, player: Seat, variant: Variant = STANDARD) -> Position:
    """Return the position of a board as ``board_text`` writes it, with its rows from the top.

    ``marks`` are the characters for a free cell, player 1 and player 2. Raises ``ProtocolError``,
    also for a position that breaks the rules.
    """
    if not re.fullmatch(f"[0-9{marks[1:]}/]{{1,{MAX_SIDE * (MAX_SIDE + 1)}}}", board):
        raise ProtocolError(f"the board is not made of digits, {marks[1]}, {marks[2]} and /")
    filled = re.sub("[0-9]{1,2}", lambda free: marks[0] * int(free[0]), board)
    rows = [[*map(marks.index, row)] for row in filled.split("/")]
    if {*map(len, rows)} != {variant.width}:
        raise ProtocolError(f"a row of the board does not have {variant.width} cells")
    return shown_position([*zip(*rows, strict=True)], variant, player)
