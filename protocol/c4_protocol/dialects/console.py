"""4-in-a-Line at a terminal, as CS 420 wanted it (seed document 003_042b791f4f409f5b.txt).

The program is the Player, whoever types the Opponent: a person, or another program whose moves
are copied. The game is 8x8 without gravity, rows and columns only. Cells are ``a1`` to ``h8``:
the letter is the row from the top, the digit the column from the left. X is whoever moves first::

      1 2 3 4 5 6 7 8      Player vs. Opponent
    A - - - - - - - -        1. e5 d5
    B - - - - - - - -        2. e4
    ...
    Player's move is: e4
    Choose Opponent's next move:

The last entry of the log ends in ``wins`` for whoever made the last move of it, or in ``draw``.
Blanks and capitals in entries mean nothing, and an entry that cannot be is asked for again. A
referee cannot speak this dialect: there are no words to tell a position.
"""

import re
from collections.abc import Callable, Sequence
from itertools import zip_longest

from c4_protocol import dialects
from c4_protocol.errors import IllegalMove
from c4_protocol.messages import Info, Precept
from c4_protocol.notation import ROW_NAMES, WireMove, cell_name, cell_of_wire, grid_of
from c4_protocol.position import Position
from c4_protocol.variant import LINE8

PLAYER, OPPONENT = "Player", "Opponent"
MOST_SECONDS = 30
ASK_TIME = f"Maximum time for a move, in seconds (1 to {MOST_SECONDS}): "
ASK_SIDE = f"Who goes first, {PLAYER} (this program) or {OPPONENT} (you)? (p/o): "
ASK_MOVE = f"Choose {OPPONENT}'s next move: "
STONES = "-XO"


class BotEnd(dialects.BotEnd):
    """Asks for the time, then who goes first, then for moves, until the game is over."""

    variant = LINE8
    greeting = ASK_TIME.encode()
    minds_blank_lines = True

    def __init__(self) -> None:
        self._read: Callable[[str], Precept | str] = self._read_time
        self._seconds = 0
        self._names = (PLAYER, OPPONENT)
        self._position = Position(LINE8)
        self._cells: list[int] = []

    def read_precept(self, line: bytes) -> Precept | bytes:
        """An entry: the reply to it, or the position in which the Player is to move."""
        entry = "".join(line.decode(errors="replace").split()).lower()
        found = self._read(entry)
        return found.encode() if isinstance(found, str) else found

    def write_move(self, move: WireMove, info: Info | None = None, score: float = 0) -> bytes:
        """The board and the log after a move of the Player, and what comes next."""
        cell = cell_of_wire(self._position, move)
        self._play(cell)
        told = f"{PLAYER}'s move is: {cell_name(LINE8, cell)}\n"
        if info is not None:
            told += f"It saw: score {info.score:g}, depth {info.depth}, {info.nodes} nodes; "
            told += f"{info.reason}\n"
        return f"{self._screen()}{told}{self._ending() or ASK_MOVE}".encode()

    def end(self) -> bytes:
        """A game has to be played to its end."""
        return b"\nThe input has ended before the game.\n"

    def _read_time(self, entry: str) -> str:
        if not re.fullmatch("[0-9]{1,2}", entry) or not 1 <= int(entry) <= MOST_SECONDS:
            return f"Not a whole number from 1 to {MOST_SECONDS}.\n{ASK_TIME}"
        self._seconds, self._read = int(entry), self._read_side
        return ASK_SIDE

    def _read_side(self, entry: str) -> Precept | str:
        if entry not in {"p", "o", PLAYER.lower(), OPPONENT.lower()}:
            return f"Not p or o.\n{ASK_SIDE}"
        self._read = self._read_move
        if entry.startswith("p"):
            return self._precept()
        self._names = (OPPONENT, PLAYER)
        return self._screen() + ASK_MOVE

    def _read_move(self, entry: str) -> Precept | str:
        if not re.fullmatch("[a-h][1-8]", entry):
            return f"Not a cell: they are called a1 to h8, the row first.\n{ASK_MOVE}"
        try:
            cell = self._position.check(int(entry[1]) - 1, ROW_NAMES.index(entry[0]))
        except IllegalMove:
            return f"{entry} is taken.\n{ASK_MOVE}"
        self._play(cell)
        if ending := self._ending():
            return self._screen() + ending
        return self._precept()

    def _precept(self) -> Precept:
        return Precept.of(self._position, 1000.0 * self._seconds)

    def _play(self, cell: int) -> None:
        self._position = self._position.play(cell)
        self._cells.append(cell)
        self.is_over = self._position.is_over

    def _ending(self) -> str:
        """How the game ended; nothing while it goes on."""
        if winner := self._position.winner:
            return f"{self._names[winner - 1]} wins.\n"
        return "A draw.\n" if self.is_over else ""

    def _screen(self) -> str:
        return screen(self._names, self._cells)


def screen(names: tuple[str, str], cells: Sequence[int]) -> str:
    """The board after some moves with their log beside it; ``names`` begin with who moved first."""
    position = Position(LINE8)
    for cell in cells:
        position = position.play(cell)
    left = ["  " + " ".join(str(x + 1) for x in range(LINE8.width)), *_rows(position)]
    right = [f"{names[0]} vs. {names[1]}", *_log(position, cells)]
    lines = zip_longest(left, right, fillvalue="")
    return "\n" + "".join(f"{board:23}{log}".rstrip() + "\n" for board, log in lines)


def _rows(position: Position) -> list[str]:
    """The board's rows from the top, each behind its letter."""
    rows = zip(*grid_of(position), strict=True)
    return [
        f"{name.upper()} " + " ".join(STONES[stone] for stone in row)
        for name, row in zip(ROW_NAMES, rows, strict=False)
    ]


def _log(position: Position, cells: Sequence[int]) -> list[str]:
    """The moves in pairs, numbered; behind the last one, how it ended the game."""
    moves = [cell_name(LINE8, cell) for cell in cells]
    if position.is_over:
        moves[-1] += " wins" if position.is_won else " draw"
    pairs = (" ".join(moves[i : i + 2]) for i in range(0, len(moves), 2))
    return [f"{number:3}. {pair}" for number, pair in enumerate(pairs, 1)]
