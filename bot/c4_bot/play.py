"""``c4-bot --play``: a person plays in the terminal, on a board on which stones fall.

``Game``, ``screen``, ``answer`` and ``answer_at_end`` are pure: they turn a game and what the
person types into a text and the next game. ``Table`` is the loop around them: it shows the board,
reads a line or asks the player for a move, and ends with the input. Columns count from 1 in every
text here.
"""

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from io import TextIOWrapper
from typing import NamedTuple

from c4_protocol.errors import UsageError, VariantError
from c4_protocol.messages import Precept
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.session import Session

SYMBOLS = ".XO"
"""An empty cell, the stones of player 1, and those of player 2."""
COLOURS = ("", "1;31", "1;33")
"""Terminal attributes of the same: none, bold red, bold yellow."""
REVERSE = "7"
"""Terminal attribute of a winning line: background and text are exchanged."""
THINKING = "c4-bot is thinking ..."
ASK_AGAIN = "Play again? (yes, no or undo): "


def board(width: str | None, height: str | None, connect: int | None) -> Variant:
    """Return the game with a board of these sides; 7x6 and lines of 4 by default.

    Raises ``UsageError`` for a board that does not exist, or on which no line fits.
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
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f"{flag} {text}: say a whole number of cells")
    return int(text)


@dataclass(frozen=True)
class Game:
    """A game under way: its positions from the empty board on, and the side of the person."""

    positions: tuple[Position, ...]
    person: int

    @classmethod
    def new(cls, variant: Variant, person: int) -> "Game":
        """Return a game that begins."""
        return cls((Position(variant),), person)

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.positions[-1]

    def played(self, cell: int) -> "Game":
        """Return the game after a legal move."""
        return replace(self, positions=(*self.positions, self.position.play(cell)))

    def undone(self) -> "Game | None":
        """Return the game before the person's last move; ``None`` if there is no such move."""
        for count in range(len(self.positions) - 1, 0, -1):
            if self.positions[count - 1].player == self.person:
                return replace(self, positions=self.positions[:count])
        return None


class Answer(NamedTuple):
    """The reply to a line that the person typed; ``game`` is ``None`` if they leave."""

    game: Game | None
    text: str = ""


def introduction(game: Game, opponent: str) -> str:
    """Return what a person reads before the first move."""
    variant, person = game.position.variant, game.person
    order = "you move first" if person == 1 else "c4-bot moves first"
    return (
        f"You play {SYMBOLS[person]}, c4-bot ({opponent}) plays {SYMBOLS[3 - person]}; {order}.\n"
        f"The board is {variant.size}; {variant.connect} in a row win. Columns count from 1.\n"
        "Type a column, undo, help or quit.\n"
    )


def prompt(game: Game) -> str:
    """Return the question for the person's move."""
    return f"Your move, {SYMBOLS[game.person]} (column 1 to {game.position.variant.width}): "


def answer(game: Game, entry: str) -> Answer:
    """Return what follows when the person, who is to move, types ``entry``."""
    word = entry.strip().lower()
    if word in {"q", "quit", "exit"}:
        return Answer(None)
    if word in {"u", "undo"}:
        return _undo(game)
    if word in {"h", "help", "?"}:
        return Answer(game, _help(game.position.variant))
    return _move(game, word)


def answer_at_end(game: Game, entry: str) -> Answer:
    """Return what follows when the game is over and the person types ``entry``."""
    word = entry.strip().lower()
    if word in {"n", "no", "q", "quit", "exit"}:
        return Answer(None)
    if word in {"y", "yes"}:
        return Answer(Game.new(game.position.variant, game.person))
    if word in {"u", "undo"}:
        return _undo(game)
    return Answer(game, "Type yes, no or undo.\n")


def _undo(game: Game) -> Answer:
    before = game.undone()
    if before is None:
        return Answer(game, "There is no move of yours to take back.\n")
    return Answer(before, "Your last move is taken back.\n")


def _help(variant: Variant) -> str:
    return (
        f"  {f'1 to {variant.width}':9}drop a stone into that column; columns count from 1\n"
        "  undo     take back your last move, and the answer to it\n"
        "  quit     leave (Ctrl-D does the same)\n"
    )


def _move(game: Game, word: str) -> Answer:
    """Return the game after a move of the person, or the reason why the column is refused."""
    position = game.position
    width = position.variant.width
    if not (word.isascii() and word.isdigit()):
        return Answer(game, f"Type a column from 1 to {width}, undo, help or quit.\n")
    if len(word) > 4 or not 1 <= int(word) <= width:
        return Answer(game, f"There is no column {word[:20]}: columns count from 1 to {width}.\n")
    cells = position.playable & position.variant.columns[int(word) - 1]
    if not cells:
        return Answer(game, f"Column {word} is full: choose another one.\n")
    return Answer(game.played(cells.bit_length() - 1))


def ending(game: Game) -> str:
    """Return who has won."""
    winner = game.position.winner
    if not winner:
        return "The board is full: a draw.\n"
    return "You win!\n" if winner == game.person else "c4-bot wins.\n"


def screen(position: Position, *, colours: bool = False) -> str:
    """Return the board with the numbers of its columns above; a winning line is in brackets."""
    variant = position.variant
    line = _winning_cells(position)
    rows = [" " + "".join(f"{column:^3}" for column in range(1, variant.width + 1)).rstrip()]
    for row in reversed(range(variant.height)):
        cells = (variant.cell(column, row) for column in range(variant.width))
        drawn = (_drawn(_owner(position, cell), line >> cell & 1, colours) for cell in cells)
        rows.append(" " + "".join(drawn).rstrip())
    return "\n" + "\n".join(rows) + "\n\n"


def _owner(position: Position, cell: int) -> int:
    first, second = (stones >> cell & 1 for stones in position.stones)
    return first + 2 * second


def _drawn(owner: int, wins: int, colours: bool) -> str:
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
    found = 0
    for line in position.variant.lines:
        if stones & line == line:
            found |= line
    return found


class Table:
    """The loop: a person at the terminal, and the player of a session opposite.

    Raises ``UsageError`` if there is nothing to read from or to write to.
    """

    def __init__(self, session: Session, variant: Variant, person: int) -> None:
        self._session = session
        if not (isinstance(sys.stdin, TextIOWrapper) and sys.stdout):
            raise UsageError("--play needs standard input and standard output: one is closed")
        sys.stdin.reconfigure(errors="replace")
        self._game = Game.new(variant, person)
        self._thinker = ThreadPoolExecutor(1)
        self._colours = _shows_colours()

    def run(self) -> int:
        """Play until the person leaves; return the exit code."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            self._say(introduction(self._game, self._session.player.name))
            while self._turn():
                pass
        except EOFError:
            self._say("\n")
        except KeyboardInterrupt:
            self._say("\n")
            os._exit(0)  # a search may still run in its thread; nobody waits for it
        return 0

    def _turn(self) -> bool:
        """Make one move or read one line; return whether the person stays."""
        game = self._game
        if game.position.is_over:
            self._show()
            self._say(ending(game))
            return self._take(answer_at_end, ASK_AGAIN)
        if game.position.player != game.person:
            self._reply()
            return True
        self._show()
        return self._take(answer, prompt(game))

    def _take(self, read: Callable[[Game, str], Answer], question: str) -> bool:
        """Ask until an entry changes the game; return whether the person stays."""
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
            self._say("\n")  # nobody has pressed Enter on this screen
        return entry

    def _reply(self) -> None:
        """Let the player move.

        It thinks in a thread of its own, so that Ctrl-C is heard while the core is searching.
        """
        if sys.stdout.isatty():
            self._say(f"{THINKING}\r")
        position = self._game.position
        found = self._thinker.submit(
            self._session.think, position, Precept.of(position), time.monotonic()
        )
        cell = found.result()[0].cell
        self._game = self._game.played(cell)
        move = f"c4-bot plays column {position.variant.column_of(cell) + 1}."
        self._say(f"{move:{len(THINKING)}}\n")  # over the other text

    def _show(self) -> None:
        self._say(screen(self._game.position, colours=self._colours))

    def _say(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


def _shows_colours() -> bool:
    """Return whether the screen is a terminal whose user has not asked for no colours."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()
