"""``c4-bot --play``: a person plays in the terminal, in a game with gravity.

``TerminalGame`` and ``board_text`` do no input or output. ``GameLoop`` is the loop around them: it
shows the board, and reads a line or asks the player for a move. It ends when the person quits or
the input ends. In all texts columns count from 1.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from functools import cached_property, reduce
from importlib import import_module
from io import TextIOWrapper
from itertools import repeat
from operator import or_
from typing import TYPE_CHECKING

from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.program.streams import END_KEY, check_input_is_open
from c4_protocol.records.messages import Precept
from c4_protocol.rules.notation import grid_of
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.registry import strength_in_words
from c4_bot.session import Session

if TYPE_CHECKING:
    from c4_bot.coach import Coach

STONE_SYMBOLS = ".XO"
"""Characters for an empty cell, a stone of player 1 and a stone of player 2."""
STONE_COLOURS = ("", "1;31", "1;33")
"""Terminal attributes of the characters in ``STONE_SYMBOLS``: none, bold red, bold yellow."""
REVERSE_VIDEO = "7"
"""Terminal attribute of a winning line: the colours of text and background are exchanged."""
STANDARD_OUTPUT, READS_ESCAPES = -11, 4
"""Names in the console of Windows: STD_OUTPUT_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING."""
THINKING_TEXT = "c4-bot is thinking ..."
HELP_TEXT = f"""\
  {{:9}}drop a stone into that column; columns count from 1
  hint     see the best move, and why
  explain  from now on, see what was wrong with a mistake (again: no longer)
  undo     take back your last move, and the answer to it
  quit     leave ({END_KEY} does the same)
"""


def board(width: str | None, height: str | None, connect: int | None) -> Variant:
    """Return the variant with these sides. ``None`` stands for the default: 7x6, lines of 4.

    Raises ``UsageError`` if there is no such board, or if no line fits on it.
    """
    try:
        variant = Variant(
            _parsed_side("--width", width, 7), _parsed_side("--height", height, 6), connect or 4
        )
    except VariantError as error:
        raise UsageError(f"--width, --height: {error}") from None
    longest = max(variant.width, variant.height)
    if variant.connect > longest:
        raise UsageError(
            f"{variant.connect} in a row do not fit on a board of {variant.size}: say --connect N, "
            f"at most {longest}, or choose a larger board"
        )
    return variant


def _parsed_side(flag: str, text: str | None, default: int) -> int:
    """Return the number of cells in the text after a flag; raise ``UsageError`` for other texts."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f"{flag} {text}: say a whole number of cells")
    return int(text)


class TerminalGame:
    """A game of a person, who plays in seat ``person``. What the person types changes it.

    ``positions`` are all its positions from the empty board.
    """

    def __init__(self, variant: Variant, person: int) -> None:
        self.positions = [Position(variant)]
        self.person = person
        self._explains_mistakes = False

    @cached_property
    def _coach(self) -> "Coach":
        """The coach, whose modules a bot with --width and --height need not import."""
        from c4_bot.coach import Coach  # noqa: PLC0415 - slow

        return Coach(self.position.variant)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    def play(self, cell: int) -> None:
        """Make a legal move."""
        self.positions.append(self.position.play(cell))

    def introduction(self, opponent: str) -> str:
        """Return the text that is shown before the first move."""
        variant, person = self.position.variant, self.person
        order = "you move first" if person == 1 else "c4-bot moves first"
        return (
            f"You play {STONE_SYMBOLS[person]}, "
            f"c4-bot ({opponent}) plays {STONE_SYMBOLS[3 - person]}; {order}."
            f"\n{strength_in_words(opponent)}"
            f"The board is {variant.size}; {variant.connect} in a row win. "
            "Columns count from 1.\nType a column, hint, undo, help or quit.\n"
        )

    def prompt(self) -> str:
        """Return the question for what ``reply`` reads."""
        if self.position.is_over:
            return "Play again? (yes, no or undo): "
        width = self.position.variant.width
        return f"Your move, {STONE_SYMBOLS[self.person]} (column 1 to {width}): "

    def reply(self, entry: str) -> str | None:
        """Do what the person typed, when to move or when the game is over; return the reply.

        Return ``None`` if the person quits.
        """
        word, is_over = entry.strip().lower(), self.position.is_over
        if word in {"q", "quit", "exit"} or (is_over and word in {"n", "no"}):
            return None
        if word in {"u", "undo"}:
            return self._undo_move()
        if is_over:
            return self._begin_new_game(word)
        if word == "hint":
            return f"{self._coach.hint(self.position)}\n"
        if word == "explain":
            return self._switch_explanations()
        return self._reply_to_column(word)

    def ending(self) -> str:
        """Return the result of a finished game, as a line of text."""
        winner = self.position.winner
        if not winner:
            return "The board is full: a draw.\n"
        return "You win!\n" if winner == self.person else "c4-bot wins.\n"

    def _undo_move(self) -> str:
        """Go back to the position before the person's last move."""
        for count in range(len(self.positions) - 1, 0, -1):
            if self.positions[count - 1].player == self.person:
                del self.positions[count:]
                return "Your last move is taken back.\n"
        return "There is no move of yours to take back.\n"

    def _switch_explanations(self) -> str:
        self._explains_mistakes = not self._explains_mistakes
        return f"Mistakes are explained{'' if self._explains_mistakes else ' no longer'}.\n"

    def _begin_new_game(self, word: str) -> str:
        if word not in {"y", "yes"}:
            return "Type yes, no or undo.\n"
        self.positions = [Position(self.position.variant)]
        return ""

    def _reply_to_column(self, word: str) -> str:
        """Make the person's move, or return the help, or the reason why the column is refused."""
        variant = self.position.variant
        if word in {"h", "help", "?"}:
            return HELP_TEXT.format(f"1 to {variant.width}")
        if not (word.isascii() and word.isdigit()):
            return f"Type a column from 1 to {variant.width}, hint, undo, help or quit.\n"
        if len(word) > 4 or not 1 <= int(word) <= variant.width:
            return f"There is no column {word[:20]}: columns count from 1 to {variant.width}.\n"
        cells = self.position.playable & variant.columns[int(word) - 1]
        if not cells:
            return f"Column {word} is full: choose another one.\n"
        position, cell = self.position, cells.bit_length() - 1
        self.play(cell)
        text = self._coach.about_mistake(position, cell) if self._explains_mistakes else ""
        return f"{text}\n" if text else ""


def board_text(position: Position, *, colours: bool = False) -> str:
    """Return the board with column numbers above it, and with a winning line in brackets."""
    variant, winning = position.variant, reduce(or_, position.complete_lines, 0)
    lines = [" " + "".join(f"{column:^3}" for column in range(1, variant.width + 1))]
    for height, owners in enumerate(zip(*grid_of(position), strict=True), 1):
        cells = (variant.cell(column, variant.height - height) for column in range(variant.width))
        wins = (winning >> cell & 1 for cell in cells)
        lines.append(" " + "".join(map(_cell_text, owners, wins, repeat(colours))))
    return "\n" + "".join(f"{line.rstrip()}\n" for line in lines) + "\n"


def _cell_text(owner: int, wins: int, colours: bool) -> str:
    """Return a cell as three characters, with terminal attributes if ``colours`` is true."""
    text = f"[{STONE_SYMBOLS[owner]}]" if wins else f" {STONE_SYMBOLS[owner]} "
    if not (colours and owner):
        return text
    attributes = f"{STONE_COLOURS[owner]};{REVERSE_VIDEO}" if wins else STONE_COLOURS[owner]
    return f"\x1b[{attributes}m{text}\x1b[0m"


class GameLoop:
    """The loop in which a person at the terminal plays against the player of a session.

    Raises ``OSError`` if standard input is closed.
    """

    def __init__(self, session: Session, variant: Variant, person: int) -> None:
        self._session = session
        prepare_input()
        self._game = TerminalGame(variant, person)
        self._colours = shows_colours()

    def run(self) -> int:
        """Play until the person quits; return the exit code."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            print_text(self._game.introduction(self._session.player.name))
            while self._take_turn():
                pass
        except (EOFError, KeyboardInterrupt):
            print_text("\n")
        return 0

    def _take_turn(self) -> bool:
        """Make the player's move, or let the person type; return whether the person continues."""
        game, position = self._game, self._game.position
        if not position.is_over and position.player != game.person:
            self._let_player_move()
            return True
        print_text(board_text(position, colours=self._colours))
        if position.is_over:
            print_text(game.ending())
        while game.position is position:
            reply = game.reply(ask_person(game.prompt()))
            if reply is None:
                return False
            print_text(reply)
        return True

    def _let_player_move(self) -> None:
        """Make the player's move."""
        if sys.stdout.isatty():
            print_text(f"{THINKING_TEXT}\r")
        position = self._game.position
        cell = self._session.think(position, Precept.of(position), time.monotonic())[0].cell
        self._game.play(cell)
        move = f"c4-bot plays column {position.variant.column_of(cell) + 1}."
        print_text(f"{move:{len(THINKING_TEXT)}}\n")  # overwrites THINKING


def prepare_input() -> None:
    """Prepare standard input for ``ask_person``; raise ``OSError`` if it is closed."""
    check_input_is_open()
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    with suppress(ImportError):
        import_module("readline")  # input() then edits the line with the arrow keys


def ask_person(question: str) -> str:
    """Return a line that the person types; raise ``EOFError`` at the end of the input."""
    entry = input(question)
    if not sys.stdin.isatty():
        print_text("\n")  # no person has pressed Enter to end the line of the question
    return entry


def print_text(text: str) -> None:
    """Write a text to standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def shows_colours() -> bool:
    """Return whether the output is a terminal whose user has not switched off colours."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty() and (os.name != "nt" or _console_reads_colours())


def _console_reads_colours() -> bool:
    """Let the console of Windows read escape sequences. Return whether it does."""
    import ctypes  # noqa: PLC0415 - only Windows needs it

    kernel, mode = getattr(ctypes, "windll").kernel32, ctypes.c_ulong()  # noqa: B009 - mypy
    console = kernel.GetStdHandle(STANDARD_OUTPUT)
    known = kernel.GetConsoleMode(console, ctypes.byref(mode))
    return bool(known and kernel.SetConsoleMode(console, mode.value | READS_ESCAPES))
