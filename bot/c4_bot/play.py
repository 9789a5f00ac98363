"""``c4-bot --play``: a person plays in the terminal, in a game with gravity.

``TerminalGame``, ``board_text``, ``reply_to`` and ``reply_at_end`` do no input or output: from a
game and the line that the person types they make a text and the next game. ``GameLoop`` is the loop
around them. It shows the board, and reads a line or asks the player for a move. It ends when the
person quits or the input ends. In all texts columns count from 1.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from io import TextIOWrapper
from typing import NamedTuple

from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.program.streams import check_input
from c4_protocol.records.messages import Precept
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.session import Session

SYMBOLS = ".XO"
"""Characters for an empty cell, a stone of player 1 and a stone of player 2."""
COLOURS = ("", "1;31", "1;33")
"""Terminal attributes of the characters in ``SYMBOLS``: none, bold red, bold yellow."""
REVERSE = "7"
"""Terminal attribute of a winning line: the colours of text and background are exchanged."""
THINKING = "c4-bot is thinking ..."
ASK_AGAIN = "Play again? (yes, no or undo): "


def board(width: str | None, height: str | None, connect: int | None) -> Variant:
    """Return the variant with these sides. ``None`` stands for the default: 7x6, lines of 4.

    Raises ``UsageError`` if there is no such board, or if no line fits on it.
    """
    try:
        variant = Variant(_side("--width", width, 7), _side("--height", height, 6), connect or 4)
    except VariantError as error:
        raise UsageError(f"--width, --height: {error}") from None
    longest = max(variant.width, variant.height)
    if variant.connect > longest:
        raise UsageError(
            f"{variant.connect} in a row do not fit on a board of {variant.size}: say --connect N, "
            f"at most {longest}, or choose a larger board"
        )
    return variant


def _side(flag: str, text: str | None, default: int) -> int:
    """Return the number of cells in the text after a flag; raise ``UsageError`` for other texts."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f"{flag} {text}: say a whole number of cells")
    return int(text)


@dataclass(frozen=True)
class TerminalGame:
    """A game that is being played: all its positions from the empty board, and the person's seat.

    ``person`` is 1 or 2.
    """

    positions: tuple[Position, ...]
    person: int

    @classmethod
    def new(cls, variant: Variant, person: int) -> "TerminalGame":
        """Return a game at its start."""
        return cls((Position(variant),), person)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    def played(self, cell: int) -> "TerminalGame":
        """Return the game after a legal move."""
        return replace(self, positions=(*self.positions, self.position.play(cell)))

    def undone(self) -> "TerminalGame | None":
        """Return the game before the person's last move; ``None`` if there is no such move."""
        for count in range(len(self.positions) - 1, 0, -1):
            if self.positions[count - 1].player == self.person:
                return replace(self, positions=self.positions[:count])
        return None


class EntryReply(NamedTuple):
    """The reply to a line that the person typed. ``game`` is ``None`` if the person quits."""

    game: TerminalGame | None
    text: str = ""


def introduction(game: TerminalGame, opponent: str) -> str:
    """Return the text that is shown before the first move."""
    variant, person = game.position.variant, game.person
    order = "you move first" if person == 1 else "c4-bot moves first"
    return (
        f"You play {SYMBOLS[person]}, c4-bot ({opponent}) plays {SYMBOLS[3 - person]}; {order}.\n"
        f"The board is {variant.size}; {variant.connect} in a row win. Columns count from 1.\n"
        "Type a column, undo, help or quit.\n"
    )


def prompt(game: TerminalGame) -> str:
    """Return the question for the person's move."""
    return f"Your move, {SYMBOLS[game.person]} (column 1 to {game.position.variant.width}): "


def reply_to(game: TerminalGame, entry: str) -> EntryReply:
    """Return the reply to ``entry``, typed when the person is to move."""
    word = entry.strip().lower()
    if word in {"q", "quit", "exit"}:
        return EntryReply(None)
    if word in {"u", "undo"}:
        return _undo(game)
    if word in {"h", "help", "?"}:
        return EntryReply(game, _help(game.position.variant))
    return _move(game, word)


def reply_at_end(game: TerminalGame, entry: str) -> EntryReply:
    """Return the reply to ``entry``, typed when the game is over."""
    word = entry.strip().lower()
    if word in {"n", "no", "q", "quit", "exit"}:
        return EntryReply(None)
    if word in {"y", "yes"}:
        return EntryReply(TerminalGame.new(game.position.variant, game.person))
    if word in {"u", "undo"}:
        return _undo(game)
    return EntryReply(game, "Type yes, no or undo.\n")


def _undo(game: TerminalGame) -> EntryReply:
    before = game.undone()
    if before is None:
        return EntryReply(game, "There is no move of yours to take back.\n")
    return EntryReply(before, "Your last move is taken back.\n")


def _help(variant: Variant) -> str:
    return (
        f"  {f'1 to {variant.width}':9}drop a stone into that column; columns count from 1\n"
        "  undo     take back your last move, and the answer to it\n"
        "  quit     leave (Ctrl-D does the same)\n"
    )


def _move(game: TerminalGame, word: str) -> EntryReply:
    """Return the game after the person's move, or the reason why the column is refused."""
    position = game.position
    width = position.variant.width
    if not (word.isascii() and word.isdigit()):
        return EntryReply(game, f"Type a column from 1 to {width}, undo, help or quit.\n")
    if len(word) > 4 or not 1 <= int(word) <= width:
        return EntryReply(
            game, f"There is no column {word[:20]}: columns count from 1 to {width}.\n"
        )
    cells = position.playable & position.variant.columns[int(word) - 1]
    if not cells:
        return EntryReply(game, f"Column {word} is full: choose another one.\n")
    return EntryReply(game.played(cells.bit_length() - 1))


def ending(game: TerminalGame) -> str:
    """Return the result of a finished game, as a line of text."""
    winner = game.position.winner
    if not winner:
        return "The board is full: a draw.\n"
    return "You win!\n" if winner == game.person else "c4-bot wins.\n"


def board_text(position: Position, *, colours: bool = False) -> str:
    """Return the board with column numbers above it, and with a winning line in brackets."""
    variant = position.variant
    line = _winning_cells(position)
    rows = [" " + "".join(f"{column:^3}" for column in range(1, variant.width + 1)).rstrip()]
    for row in reversed(range(variant.height)):
        cells = (variant.cell(column, row) for column in range(variant.width))
        texts = (_cell_text(_owner(position, cell), line >> cell & 1, colours) for cell in cells)
        rows.append(" " + "".join(texts).rstrip())
    return "\n" + "\n".join(rows) + "\n\n"


def _owner(position: Position, cell: int) -> int:
    """Return the player whose stone is on a cell; 0 if the cell is empty."""
    first, second = (stones >> cell & 1 for stones in position.stones)
    return first + 2 * second


def _cell_text(owner: int, wins: int, colours: bool) -> str:
    """Return a cell as three characters, with terminal attributes if ``colours`` is true."""
    text = f"[{SYMBOLS[owner]}]" if wins else f" {SYMBOLS[owner]} "
    if not (colours and owner):
        return text
    attributes = f"{COLOURS[owner]};{REVERSE}" if wins else COLOURS[owner]
    return f"\x1b[{attributes}m{text}\x1b[0m"


def _winning_cells(position: Position) -> int:
    """Return the cells of all complete lines, as a bitboard."""
    if not position.winner:
        return 0
    stones = position.stones[position.winner - 1]
    cells = 0
    for line in position.variant.lines:
        if stones & line == line:
            cells |= line
    return cells


class GameLoop:
    """The loop in which a person at the terminal plays against the player of a session.

    Raises ``OSError`` if standard input is closed.
    """

    def __init__(self, session: Session, variant: Variant, person: int) -> None:
        self._session = session
        check_input()
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        with suppress(ImportError):
            import_module("readline")  # input() then edits the line with the arrow keys
        self._game = TerminalGame.new(variant, person)
        self._colours = _shows_colours()

    def run(self) -> int:
        """Play until the person quits; return the exit code."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self._say(introduction(self._game, self._session.player.name))
            while self._turn():
                pass
        except (EOFError, KeyboardInterrupt):
            self._say("\n")
        return 0

    def _turn(self) -> bool:
        """Make one move or read one line; return whether the person continues."""
        game = self._game
        if game.position.is_over:
            self._show()
            self._say(ending(game))
            return self._ask_until_changed(reply_at_end, ASK_AGAIN)
        if game.position.player != game.person:
            self._let_player_move()
            return True
        self._show()
        return self._ask_until_changed(reply_to, prompt(game))

    def _ask_until_changed(
        self, read: Callable[[TerminalGame, str], EntryReply], question: str
    ) -> bool:
        """Ask until an answer changes the game; return whether the person continues."""
        while True:
            reply = read(self._game, self._ask(question))
            self._say(reply.text)
            if reply.game is None:
                return False
            if reply.game is not self._game:
                self._game = reply.game
                return True

    def _ask(self, question: str) -> str:
        entry = input(question)
        if not sys.stdin.isatty():
            self._say("\n")  # no person has pressed Enter to end the line of the question
        return entry

    def _let_player_move(self) -> None:
        """Make the player's move."""
        if sys.stdout.isatty():
            self._say(f"{THINKING}\r")
        position = self._game.position
        cell = self._session.think(position, Precept.of(position), time.monotonic())[0].cell
        self._game = self._game.played(cell)
        move = f"c4-bot plays column {position.variant.column_of(cell) + 1}."
        self._say(f"{move:{len(THINKING)}}\n")  # overwrites THINKING

    def _show(self) -> None:
        self._say(board_text(self._game.position, colours=self._colours))

    def _say(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _shows_colours() -> bool:
    """Return whether the output is a terminal whose user has not switched off colours."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()
