"""A game of a person in lines of text, for pipes and for terminals without a screen."""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper

from c4_protocol.program.commands import repeat_ignored_interrupts
from c4_protocol.program.streams import check_input_is_open
from c4_protocol.rules.notation import moves_text
from c4_protocol.terminal.board import printed_board
from c4_protocol.terminal.contract import Opponent
from c4_protocol.terminal.game import TerminalGame


def play_game(game: TerminalGame, opponent: Opponent) -> int:
    """Let a person play until they quit, on the whole screen if there is one; return the exit code.

    Raises ``OSError`` if standard input is closed.
    """
    if _has_screen():
        from c4_protocol.terminal.screen import play_on_screen  # noqa: PLC0415 - slow

        play_on_screen(game, opponent)
    else:
        _play_in_lines(game, opponent)
    if game.cells:
        print_text(f"Moves: {moves_text(game.position.variant, game.cells)}\n")
    return 0


def _play_in_lines(game: TerminalGame, opponent: Opponent) -> None:
    """Play until the person quits."""
    prepare_input()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    repeat_ignored_interrupts()
    try:
        print_text(game.introduction(opponent.title, opponent.about))
        while _take_turn(game, opponent):
            pass
    except (EOFError, KeyboardInterrupt):
        print_text("\n")


def _take_turn(game: TerminalGame, opponent: Opponent) -> bool:
    """Make the opponent's move, or let the person type; return whether the person continues."""
    _hear_opponent(game, opponent)
    if not (game.is_over or game.is_persons_turn):
        return True
    position, is_over = game.position, game.is_over
    print_text(printed_board(position))
    if is_over:
        print_text(f"{game.ending()}\n")
    while game.position is position and game.is_over == is_over:
        reply = game.reply(ask_person(game.prompt()))
        if reply is None:
            return False
        print_text(reply)
    return True


def _hear_opponent(game: TerminalGame, opponent: Opponent) -> None:
    """Let the opponent answer to the moves so far."""
    thinking = f"{game.opponent} is thinking ..."
    if sys.stdout.isatty() and not (game.is_over or game.is_persons_turn):
        print_text(f"{thinking}\r")
    answer = opponent.answer(game.cells)
    game.take(answer)
    if answer.cell is not None:
        move = game.sentence_of_move(answer.cell)
        print_text(f"{move:{len(thinking)}}\n")  # overwrites the line before
        print_text(f"  {answer.remark}\n" if answer.remark else "")


def _has_screen() -> bool:
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
    is_person = sys.stdin.isatty()
    entry = input(question if is_person else question.rstrip())
    if not is_person:
        print_text("\n")  # no person has pressed Enter to end the line of the question
    return entry


def print_text(text: str) -> None:
    """Write a text to standard output at once."""
    sys.stdout.write(text)
    sys.stdout.flush()
