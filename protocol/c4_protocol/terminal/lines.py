"""A game of a person in lines of text, for pipes and for terminals without a screen."""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper

from c4_protocol.program.streams import check_input_is_open
from c4_protocol.terminal.contract import Opponent
from c4_protocol.terminal.game import TerminalGame, board_text

STANDARD_OUTPUT, READS_ESCAPES = -11, 4
"""Names in the console of Windows: STD_OUTPUT_HANDLE, ENABLE_VIRTUAL_TERMINAL_PROCESSING."""


class GameLoop:
    """The loop in which a person at the terminal plays against an opponent.

    Raises ``OSError`` if standard input is closed.
    """

    def __init__(self, game: TerminalGame, opponent: Opponent) -> None:
        prepare_input()
        self._game, self._opponent = game, opponent
        self._colours = shows_colours()

    def run(self) -> int:
        """Play until the person quits; return the exit code."""
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            print_text(self._game.introduction(self._opponent.title, self._opponent.about))
            while self._take_turn():
                pass
        except (EOFError, KeyboardInterrupt):
            print_text("\n")
        return 0

    def _take_turn(self) -> bool:
        """Make the opponent's move, or let the person type; return whether the person continues."""
        game = self._game
        self._hear_opponent()
        if not (game.is_over or game.is_persons_turn):
            return True
        position = game.position
        print_text(board_text(position, colours=self._colours))
        if game.is_over:
            print_text(f"{game.ending()}\n")
        while game.position is position:
            entry = ask_person(game.prompt())
            is_save = entry.strip().lower() == "save"
            reply = f"{game.save(self._opponent)}\n" if is_save else game.reply(entry)
            if reply is None:
                return False
            print_text(reply)
        return True

    def _hear_opponent(self) -> None:
        """Let the opponent answer to the moves so far."""
        game = self._game
        thinking = f"{game.opponent} is thinking ..."
        shows_thinking = sys.stdout.isatty() and not (game.is_over or game.is_persons_turn)
        if shows_thinking:
            print_text(f"{thinking}\r")
        answer = self._opponent.answer(game.cells)
        game.take(answer)
        if answer.cell is not None:
            move = game.sentence_of_move(answer.cell)
            print_text(f"{move:{len(thinking)}}\n")  # overwrites the line before
            print_text(f"  {answer.remark}\n" if answer.remark else "")


def has_screen() -> bool:
    """Return whether keys can be read and the screen can be drawn again."""
    are_terminals = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    is_dumb = os.environ.get("TERM", "") in {"", "dumb", "unknown"}
    return are_terminals and not is_dumb and find_spec("termios") is not None


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
