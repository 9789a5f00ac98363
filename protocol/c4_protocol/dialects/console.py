"""4-in-a-Line at a terminal, as the course CS 420 defined it.

Seed document 003_042b791f4f409f5b.txt is its assignment. The program is called the Player. The
Opponent is a person who types, or another program whose moves a person copies. The board is 8x8,
and stones do not fall. Only rows and columns count as lines. Cells are ``a1`` to ``h8``: the letter
is the row from the top, the digit the column from the left. X moves first::

      1 2 3 4 5 6 7 8      Player vs. Opponent
    A - - - - - - - -        1. e5 d5
    B - - - - - - - -        2. e4
    ...
    Player's move is: e4
    Choose Opponent's next move:

When the game is over, the last line of the log ends in ``wins`` or ``draw``. Blanks and capitals in
the person's input do not matter. After invalid input the program asks again. A referee cannot speak
this dialect, because the dialect has no way to describe a position.
"""

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

from c4_protocol import dialects
from c4_protocol.program.errors import IllegalMove
from c4_protocol.records.messages import Info, MoveRequest, Precept, Reply
from c4_protocol.rules.notation import ROW_NAMES, WireMove, cell_name, cell_of_wire, rows_of
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8

PLAYER_NAME, OPPONENT_NAME = "Player", "Opponent"
MAX_MOVE_SECONDS = 30
TIME_PROMPT = f"Maximum time for a move, in seconds (1 to {MAX_MOVE_SECONDS}): "
SIDE_PROMPT = f"Who goes first, {PLAYER_NAME} (this program) or {OPPONENT_NAME} (you)? (p/o): "
MOVE_PROMPT = f"Choose {OPPONENT_NAME}'s next move: "
CELL_MARKS = "-XO"
"""The characters for an empty cell, player 1 and player 2."""


class BotEnd(dialects.BotEnd):
    """The bot's side of a conversation.

    The bot asks for the time for a move, then for the player who moves first, and then for moves
    until the game is over.
    """

    variant = LINE8
    greeting = TIME_PROMPT.encode()
    reads_blank_lines = True

    def __init__(self) -> None:
        self._read_entry: Callable[[str], MoveRequest | str] = self._read_time
        self._seconds = 0
        self._names = (PLAYER_NAME, OPPONENT_NAME)
        self._position = Position(LINE8)
        self._cells: list[int] = []

    def read_line(self, line: bytes) -> MoveRequest | Reply:
        """Read one answer of the person; return a ``MoveRequest`` if the Player is to move."""
        entry = "".join(line.decode(errors="replace").split()).lower()
        found = self._read_entry(entry)
        return Reply(found.encode()) if isinstance(found, str) else found

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """Return the board and the log after the Player's move, then the prompt or the result."""
        cell = cell_of_wire(self._position, move)
        self._make_move(cell)
        text = f"{PLAYER_NAME}'s move is: {cell_name(LINE8, cell)}\n"
        if info is not None:
            text += f"Its search: score {info.score:g}, depth {info.depth}, {info.nodes} nodes; "
            text += f"{info.reason}\n"
        board = board_and_log(self._names, self._cells)
        return f"{board}{text}{self._result_line() or MOVE_PROMPT}".encode()

    def end(self) -> bytes:
        """Return an error message: the game is not over."""
        return b"\nThe input has ended before the game.\n"

    def _read_time(self, entry: str) -> str:
        if not re.fullmatch("[0-9]{1,2}", entry) or not 1 <= int(entry) <= MAX_MOVE_SECONDS:
            return f"Not a whole number from 1 to {MAX_MOVE_SECONDS}.\n{TIME_PROMPT}"
        self._seconds, self._read_entry = int(entry), self._read_side
        return SIDE_PROMPT

    def _read_side(self, entry: str) -> MoveRequest | str:
        if entry not in {"p", "o", PLAYER_NAME.lower(), OPPONENT_NAME.lower()}:
            return f"Not p or o.\n{SIDE_PROMPT}"
        self._read_entry = self._read_opponents_move
        if entry.startswith("p"):
            return self._move_request()
        self._names = (OPPONENT_NAME, PLAYER_NAME)
        return board_and_log(self._names, self._cells) + MOVE_PROMPT

    def _read_opponents_move(self, entry: str) -> MoveRequest | str:
        if not re.fullmatch("[a-h][1-8]", entry):
            return f"Not a cell: cells are a1 to h8, the row first.\n{MOVE_PROMPT}"
        try:
            cell = self._position.check(int(entry[1]) - 1, ROW_NAMES.index(entry[0]))
        except IllegalMove:
            return f"{entry} is taken.\n{MOVE_PROMPT}"
        self._make_move(cell)
        if result := self._result_line():
            return board_and_log(self._names, self._cells) + result
        return self._move_request()

    def _move_request(self) -> MoveRequest:
        return MoveRequest(Precept.of(self._position, 1000.0 * self._seconds))

    def _make_move(self, cell: int) -> None:
        self._position = self._position.play(cell)
        self._cells.append(cell)
        self.is_over = self._position.is_over

    def _result_line(self) -> str:
        """Return a line with the result of the game, or an empty text if the game is not over."""
        if winner := self._position.winner:
            return f"{self._names[winner - 1]} wins.\n"
        return "A draw.\n" if self.is_over else ""


def board_and_log(names: tuple[str, str], cells: Sequence[int]) -> str:
    """Return the board after the moves ``cells``, with the log of these moves beside it.

    ``names`` are the names of the first and the second player.
    """
    position = Position(LINE8)
    for cell in cells:
        position = position.play(cell)
    rows = zip(ROW_NAMES, rows_of(position, CELL_MARKS), strict=False)
    named = (" ".join((name.upper(), *row)) for name, row in rows)
    left = ["  " + " ".join(str(x + 1) for x in range(LINE8.width)), *named]
    right = [f"{names[0]} vs. {names[1]}", *_log_lines(position, cells)]
    lines = zip_longest(left, right, fillvalue="")
    return "\n" + "".join(f"{board:23}{log}".rstrip() + "\n" for board, log in lines)


def _log_lines(position: Position, cells: Sequence[int]) -> list[str]:
    """Return numbered pairs of moves. The last pair of a finished game ends with the result."""
    moves = [cell_name(LINE8, cell) for cell in cells]
    if position.is_over:
        moves[-1] += " wins" if position.is_won else " draw"
    pairs = (" ".join(moves[i : i + 2]) for i in range(0, len(moves), 2))
    return [f"{number:3}. {pair}" for number, pair in enumerate(pairs, 1)]
