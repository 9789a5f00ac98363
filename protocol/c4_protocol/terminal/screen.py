"""A game of a person on the whole screen of a terminal, with keys.

The opponent and the coach think in processes of their own (``background.py``). The loop waits for
keys and for their answers, and draws the screen when something has changed. Each question contains
the moves or the position, so an answer to an earlier question is recognised.
"""

import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import partial
from textwrap import wrap
from typing import Any, NoReturn

from rich.text import Text

from c4_protocol.rules.notation import COLUMN_NAMES, moves_text
from c4_protocol.rules.position import Position, Seat
from c4_protocol.rules.variant import STEAL
from c4_protocol.terminal.background import SIGNALS, Background
from c4_protocol.terminal.board import SIGNS, STYLES, board_for_width
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.contract import Answer, Opponent, Scores
from c4_protocol.terminal.game import TerminalGame, move_between
from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard
from c4_protocol.terminal.lines import print_text
from c4_protocol.terminal.paragraphs import Paragraph, fitted_lines, paragraph

REFRESH_SECONDS = 0.2
"""Time in seconds between two checks of the size of the terminal."""
INDENT = 2
"""Number of blanks before each line of the game."""
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
MAX_NAMED_COLUMNS = 35
"""Maximum number of columns that have keys. Capital letters are never keys of columns."""
KEYS = "arrows, enter  u_undo  h_hint  v_values  r_why  s_save  n_new  q_quit  ?_help"
"""The keys, for the last line of the screen. At a mark ``_``, a blank that does not end a line."""
HELP = (
    "Left and right choose a column, and enter, space or down drops a stone there. A digit, or a "
    "letter after column 9, drops one at once. Without gravity, arrows choose a cell and enter "
    "takes it. t is the steal. u takes back a move. h says which move is best, and why. v shows "
    "the value of each column: + wins, 0 draws, - loses. r explains your mistakes from now on. If "
    "a letter is a column, type the capital letter instead."
)
GIVE_UP = "Press n again to give up this game."
WAIT = "Please wait."
NEXT_KEYS = "n new game, u take back, s save, q quit"


def play_on_screen(game: TerminalGame, opponent: Opponent) -> int:
    """Play until the person quits. Return the exit code. Signals raise ``KeyboardInterrupt``.

    At the end, the terminal has its earlier settings and its earlier content again.
    """
    for number in SIGNALS:
        signal.signal(number, _raise_once)
    console = SafeConsole(highlight=False)
    with ExitStack() as stack:
        screen = GameScreen(console, game, opponent)
        stack.callback(screen.end)
        keyboard = stack.enter_context(Keyboard(sys.stdin.fileno()))
        terminal, drawn = stack.enter_context(console.screen()), Text()
        while not screen.is_closed:
            if drawn != (drawing := screen.drawing()):
                terminal.update(drawing)
                drawn = drawing
            if key := keyboard.key(REFRESH_SECONDS, screen.helpers):
                screen.press(key)
            screen.hear()
    if game.cells:
        print_text(f"Moves: {moves_text(game.position.variant, game.cells)}\n")
        print_text(f"{game.saved_text}\n" if game.saved_text else "")
    return 0


def _raise_once(*_: object) -> NoReturn:
    """Raise ``KeyboardInterrupt``. Later signals do not disturb what restores the terminal."""
    for number in SIGNALS:
        signal.signal(number, lambda *_: None)  # Python complains of SIG_IGN if one is pending
    raise KeyboardInterrupt


class GameScreen:
    """A game, what is shown of it, and what keys and answers change."""

    def __init__(self, console: SafeConsole, game: TerminalGame, opponent: Opponent) -> None:
        self._console, self._game, self._opponent = console, game, opponent
        self._variant = game.position.variant
        self.helpers = [self._new_opponent(), Background(partial(_advice_of, game))]
        self._column, self._row = self._variant.width // 2, self._variant.height // 2
        self._said = self._note = ""
        self._shows_values, self._scores = False, dict[tuple[int, ...], Scores]()
        self._actions: dict[str, Callable[[], None]] = {
            "u": self._undo,
            "h": self._hint,
            "v": self._switch_values,
            "r": self._switch_reasons,
            "s": self._save,
            "n": self._begin_again,
            "t": self._steal,
            "?": self._help,
            "q": self._quit,
            END_OF_INPUT: self._quit,
        }
        self.is_closed = False
        self._begin_turn()

    def end(self) -> None:
        """End the processes."""
        for helper in self.helpers:
            helper.end()

    def press(self, key: str) -> None:
        """Do what a key says. A key without meaning does nothing."""
        gravity = self._variant.gravity
        keys = COLUMN_NAMES[: min(self._variant.width, MAX_NAMED_COLUMNS)] if gravity else ""
        if key in keys:
            self._column = keys.index(key)
            self._play()
        elif key in {"\n", "\r", " "} or (gravity and key == "down"):
            self._play()
        elif key in ARROWS:
            self._move_cursor(*ARROWS[key])
        elif action := self._actions.get(key.lower()):
            action()

    def hear(self) -> None:
        """Take the answers that have arrived."""
        for helper in select.select(self.helpers, [], [], 0)[0]:
            for question, answer in helper.read():
                if helper is self.helpers[0]:
                    self._take_answer(question[0], Answer(**answer))
                else:
                    self._take_advice(question, answer)

    def _new_opponent(self) -> Background:
        return Background(partial(_answer_of, self._opponent))

    def _begin_turn(self) -> None:
        """Ask the opponent for an answer to the moves so far, and the coach for their values."""
        self._waits, self._since = True, time.monotonic()
        self.helpers[0].ask(self._game.cells)
        self._move_cursor(0, 0)
        self._ask_for_values()

    def _take_answer(self, cells: list[int], answer: Answer) -> None:
        game = self._game
        if cells != game.cells:
            return
        self._waits = False
        self._note = "" if self._note == WAIT else self._note
        game.take(answer)
        if answer.cell is not None:
            self._said = game.sentence_of_move(answer.cell)[:-1]
            ms = f"{answer.ms / 1000:.1f} s" if answer.ms >= 1000 else f"{answer.ms:.0f} ms"
            self._said += f" after {ms}: {answer.remark}".rstrip(": ")
            self._move_cursor(0, 0)
            self._ask_for_values()

    def _ask_coach(self, kind: str, position: Position, cell: int = 0) -> None:
        self.helpers[1].ask(kind, position.stones, position.player, cell)

    def _ask_for_values(self) -> None:
        game = self._game
        is_known = game.position.stones in self._scores
        if self._shows_values and game.is_persons_turn and not is_known:
            self._ask_coach("values", game.position)

    def _take_advice(self, question: Sequence[Any], advice: list[int | None] | str) -> None:
        """Show advice, or keep values. A hint for another position is too late."""
        kind, stones = question[0], tuple(question[1])
        if isinstance(advice, list):
            self._scores[stones] = tuple(advice)
        elif advice and (kind == "mistake" or stones == self._game.position.stones):
            self._note = advice

    def _move_cursor(self, columns: int, rows: int) -> None:
        """Move the cursor to the next cell, or with gravity to the next column that has room."""
        variant = self._variant
        if not variant.gravity:
            self._column = min(max(self._column + columns, 0), variant.width - 1)
            self._row = min(max(self._row + rows, 0), variant.height - 1)
            return
        playable = self._game.position.playable
        free = [x for x, cells in enumerate(variant.columns) if cells & playable]
        ahead = [x for x in free if (x - self._column) * columns > 0] if columns else free
        if ahead and not rows:
            self._column = min(ahead, key=lambda x: abs(x - self._column))

    def _cursor(self) -> int | None:
        """Return the cell of the cursor, or ``None`` if the column is full."""
        if not self._variant.gravity:
            return self._variant.cell(self._column, self._row)
        cells = self._game.position.playable & self._variant.columns[self._column]
        return cells.bit_length() - 1 if cells else None

    def _play(self) -> None:
        cell = self._cursor()
        if not self._game.is_persons_turn:
            self._note = f"The game is over: {NEXT_KEYS}." if self._game.is_over else WAIT
        elif cell is None or not self._game.position.playable >> cell & 1:
            gravity = self._variant.gravity
            self._note = f"Column {self._column + 1} is full." if gravity else "The cell is taken."
        else:
            self._make_move(cell)

    def _make_move(self, cell: int) -> None:
        before, self._note = self._game.position, ""
        self._game.play(cell)
        self._begin_turn()
        if self._game.explains_mistakes:
            self._ask_coach("mistake", before, cell)

    def _steal(self) -> None:
        if self._game.is_persons_turn and self._game.position.can_steal:
            self._make_move(STEAL)

    def _undo(self) -> None:
        before = self._game.position
        self._note = self._game.undo()
        if self._game.position is not before:
            self._go_on_from_here()

    def _begin_again(self) -> None:
        if self._game.cells and not self._game.is_over and self._note != GIVE_UP:
            self._note = GIVE_UP
            return
        self._game.begin_again()
        self._note = ""
        self._go_on_from_here()

    def _go_on_from_here(self) -> None:
        """Continue after a change of the moves. An opponent that still thinks is ended."""
        if self._waits:
            self.helpers[0].end()
            self.helpers[0] = self._new_opponent()
        self._said = ""
        self._begin_turn()

    def _hint(self) -> None:
        if self._game.is_persons_turn:
            self._note = "Looking for the best move ..."
            self._ask_coach("hint", self._game.position)

    def _switch_values(self) -> None:
        self._shows_values = not self._shows_values
        self._note = ""
        self._ask_for_values()

    def _switch_reasons(self) -> None:
        self._note = self._game.switch_explanations()

    def _save(self) -> None:
        self._note = WAIT if self._waits else self._game.save(self._opponent)

    def _help(self) -> None:
        self._note = "" if self._note == HELP else HELP

    def _quit(self) -> None:
        self.is_closed = True

    def drawing(self) -> Text:
        """Return the whole screen: players, board, what was said, and the keys at the bottom."""
        width, height = self._console.size
        bottom = [Text(keys.replace("_", " "), "reverse") for keys in wrap(KEYS, max(width, 1))]
        below = [*fitted_lines(self._console, self._texts(), width)]
        board = [*fitted_lines(self._console, self._board(width), width)]
        room = max(height - len(bottom), 0)
        if len(board) + 3 > room:
            board = [Text(f"  The board needs {len(board) + 3 + len(bottom)} lines.")]
        top = [self._title(width), Text(), *board, Text(), *below]
        if len(top) > room:
            top = [line for line in top if line]
        blank = [Text()] * (room - len(top))
        return Text("\n", no_wrap=True).join([*top[:room], *blank, *bottom][:height])

    def _title(self, width: int) -> Text:
        names = ["You", self._opponent.title][:: 1 if self._game.person == 1 else -1]
        players = [Text(f"{names[i]} ({SIGNS[i]})", STYLES[i]) for i in (0, 1)]
        title = Text(" " * INDENT).append_text(Text(" against ").join(players))
        title.truncate(width, overflow="ellipsis")
        return title

    def _board(self, width: int) -> Iterator[Paragraph]:
        game = self._game
        scores = self._scores.get(game.position.stones, ()) if self._shows_values else ()
        last = move_between(*game.positions[-2:]) if game.cells else None
        cursor = self._cursor() if game.is_persons_turn else None
        for row in board_for_width(game.position, width - INDENT, last, scores, cursor):
            yield replace(row, indent=INDENT)

    def _texts(self) -> Iterator[Paragraph]:
        """Yield whose turn it is or who has won, what the opponent said, and the note."""
        game = self._game
        if game.is_over:
            yield paragraph(game.ending(), INDENT, "bold")
            yield paragraph(NEXT_KEYS, INDENT)
        elif game.is_persons_turn:
            steal = " Key t steals the first stone." if game.position.can_steal else ""
            style = STYLES[game.person - 1]
            yield paragraph(f"Your move, {SIGNS[game.person - 1]}.{steal}", INDENT, style)
        else:
            seconds = int(time.monotonic() - self._since)
            after = f" {seconds} s" if seconds else ""
            yield paragraph(f"{game.opponent} is thinking ...{after}", INDENT)
        if self._said:
            yield paragraph(self._said, INDENT, "dim")
        if self._note:
            yield paragraph("")
            yield paragraph(self._note, INDENT)


def _answer_of(opponent: Opponent, cells: list[int]) -> dict[str, Any]:
    """Return an opponent's answer as a JSON object. If it fails, this is a fault."""
    try:
        return asdict(opponent.answer(cells))
    except Exception as error:  # it may be a program of the person
        return asdict(Answer(fault=f"{opponent.title} failed: {error}"))


def _advice_of(
    game: TerminalGame, kind: str, stones: Sequence[int], player: Seat, cell: int
) -> str | Scores:
    position = Position(game.position.variant, (stones[0], stones[1]), player)
    return game.advice(kind, position, cell)
