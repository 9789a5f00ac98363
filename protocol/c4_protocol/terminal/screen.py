"""A game of a person on the whole screen of a terminal, with keys.

The opponent and the coach think in processes of their own (``background.py``). The loop waits for
keys and for their answers, and draws the screen when something has changed. Each question contains
the moves or the position, so an answer to an earlier question is recognised.
"""

import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from textwrap import wrap
from typing import NoReturn

from rich.text import Text

from c4_protocol.program.commands import repeat_ignored_interrupts
from c4_protocol.rules.notation import COLUMN_NAMES
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL
from c4_protocol.terminal.background import SIGNALS, Background
from c4_protocol.terminal.board import SIGNS, STYLES, board_page, room_for_width
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.contract import Answer, Opponent, Scores
from c4_protocol.terminal.game import TerminalGame, move_between
from c4_protocol.terminal.keys import END_OF_INPUT, Keyboard
from c4_protocol.terminal.lines import print_text
from c4_protocol.terminal.paragraphs import Paragraph, fitted_lines, paragraph

REFRESH_SECONDS = 0.2
"""Time in seconds between two checks of the size of the terminal."""
MARGIN = "  "
"""Blanks before each line of the game."""
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, 1), "down": (0, -1)}
KEYS = "arrows, enter  u_undo  h_hint  v_values  r_why  s_save  n_new  q_quit  ?_help"
"""The keys, for the last line of the screen. At a mark ``_``, a blank that does not end a line."""
HELP = (
    "Left and right choose a column, and enter, space or down drops a stone there. A digit drops "
    "one at once. Without gravity, arrows choose a cell and enter takes it. t is the steal. u "
    "takes back a move. h says which move is best, and why. v shows the value of each column: + "
    "wins, 0 draws, - loses. r explains your mistakes from now on. n begins a new game when this "
    "one is over."
)
WAIT = "Please wait."
NEXT_KEYS = "n new game, u take back, s save, q quit"


def play_on_screen(game: TerminalGame, opponent: Opponent) -> None:
    """Play until the person quits. Signals raise ``KeyboardInterrupt``.

    At the end, the terminal has its earlier settings and its earlier content again.
    """
    for number in SIGNALS:
        signal.signal(number, _raise_once)
    repeat_ignored_interrupts()
    console = SafeConsole(highlight=False)
    with ExitStack() as stack:
        screen = GameScreen(console, game, opponent)
        stack.callback(screen.end)
        keyboard = stack.enter_context(Keyboard(sys.stdin.fileno()))
        terminal, drawn = stack.enter_context(console.screen()), Text()
        key: str | None = None
        while key not in {"q", "Q", END_OF_INPUT}:
            if drawn != (drawing := screen.drawing()):
                terminal.update(drawing)
                drawn = drawing
            if key := keyboard.key(REFRESH_SECONDS, screen.helpers):
                screen.press(key)
            screen.hear()
    print_text(f"{game.saved_text}\n" if game.saved_text else "")


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
        self.helpers = [Background(self._answer), Background(game.advice)]
        self._column, self._row = self._variant.width // 2, self._variant.height // 2
        self._said = self._note = ""
        self._shows_values, self._scores = False, dict[Position, Scores]()
        self._actions: dict[str, Callable[[], str]] = {
            "u": self._undo,
            "h": self._hint,
            "v": self._switch_values,
            "r": game.switch_explanations,
            "s": lambda: WAIT if self._waits else game.save(),
            "n": self._begin_again,
            "t": self._steal,
            "?": lambda: "" if self._note == HELP else HELP,
        }
        self._begin_turn()

    def end(self) -> None:
        """End the processes."""
        for helper in self.helpers:
            helper.end()

    def press(self, key: str) -> None:
        """Do what a key says. A key without meaning does nothing."""
        gravity = self._variant.gravity
        if gravity and key in COLUMN_NAMES[: min(self._variant.width, 9)]:
            self._column = int(key) - 1
            self._note = self._play()
        elif key in {"\n", "\r", " "} or (gravity and key == "down"):
            self._note = self._play()
        elif key in ARROWS:
            self._move_cursor(*ARROWS[key])
        elif action := self._actions.get(key.lower()):
            self._note = action()

    def hear(self) -> None:
        """Take the answers that have arrived."""
        for helper in select.select(self.helpers, [], [], 0)[0]:
            question, answer = helper.read()
            if helper is self.helpers[0]:
                self._take_answer(question[0], answer)
            else:
                self._take_advice(question[0], question[1], answer)

    def _answer(self, cells: list[int]) -> Answer:
        """Return the opponent's answer. If it fails, this is a fault."""
        try:
            return self._opponent.answer(cells)
        except Exception as error:  # it may be a program of the person
            return Answer(fault=f"{self._opponent.title} failed: {error}")

    def _begin_turn(self) -> None:
        """Ask the opponent for an answer to the moves so far, and the coach for their values."""
        self._waits = True
        self.helpers[0].ask(self._game.cells)
        self._show_turn()

    def _show_turn(self) -> None:
        """Move the cursor to where there is room, and ask for the values if they are shown."""
        game = self._game
        self._move_cursor(0, 0)
        if self._shows_values and game.is_persons_turn and game.position not in self._scores:
            self.helpers[1].ask("values", game.position)

    def _take_answer(self, cells: list[int], answer: Answer) -> None:
        game = self._game
        if cells != game.cells:
            return
        self._waits = False
        self._note = "" if self._note == WAIT else self._note
        game.take(answer)
        if answer.cell is not None:
            self._said = f"{game.sentence_of_move(answer.cell)} {answer.remark}"
            self._show_turn()

    def _take_advice(self, kind: str, position: Position, advice: Scores | str) -> None:
        """Show advice, or keep values. A hint for another position is too late."""
        if isinstance(advice, tuple):
            self._scores[position] = advice
        elif advice and (kind == "about_mistake" or position == self._game.position):
            self._note = advice

    def _move_cursor(self, columns: int, rows: int) -> None:
        """Move the cursor to the next cell, or with gravity to the next column that has room."""
        variant, playable = self._variant, self._game.position.playable
        self._row = (self._row + rows) % variant.height
        for step in range(variant.width):
            column = (self._column + columns + step * (columns or 1)) % variant.width
            if not variant.gravity or playable & variant.columns[column]:
                self._column = column
                break

    def _cursor(self) -> int | None:
        """Return the cell of the cursor, or ``None`` if the column is full."""
        if not self._variant.gravity:
            return self._variant.cell(self._column, self._row)
        cells = self._game.position.playable & self._variant.columns[self._column]
        return cells.bit_length() - 1 if cells else None

    def _play(self) -> str:
        cell = self._cursor()
        if not self._game.is_persons_turn:
            return f"The game is over: {NEXT_KEYS}." if self._game.is_over else WAIT
        if cell is None or not self._game.position.playable >> cell & 1:
            gravity = self._variant.gravity
            return f"Column {self._column + 1} is full." if gravity else "The cell is taken."
        return self._make_move(cell)

    def _make_move(self, cell: int) -> str:
        before = self._game.position
        self._game.play(cell)
        self._begin_turn()
        if self._game.explains_mistakes:
            self.helpers[1].ask("about_mistake", before, cell)
        return ""

    def _steal(self) -> str:
        can_steal = self._game.is_persons_turn and self._game.position.can_steal
        return self._make_move(STEAL) if can_steal else ""

    def _undo(self) -> str:
        before, note = self._game.position, self._game.undo()
        if self._game.position is not before:
            self._go_on_from_here()
        return note

    def _begin_again(self) -> str:
        if not self._game.is_over:
            return "The game is not over yet."
        self._game.begin_again()
        self._go_on_from_here()
        return ""

    def _go_on_from_here(self) -> None:
        """Continue after a change of the moves. An opponent that still thinks is ended."""
        if self._waits:
            self.helpers[0].end()
            self.helpers[0] = Background(self._answer)
        self._said = ""
        self._begin_turn()

    def _hint(self) -> str:
        if not self._game.is_persons_turn:
            return ""
        self.helpers[1].ask("hint", self._game.position)
        return "Looking for the best move ..."

    def _switch_values(self) -> str:
        self._shows_values = not self._shows_values
        self._show_turn()
        return ""

    def drawing(self) -> Text:
        """Return the whole screen: players, board, what was said, and the keys at the bottom."""
        width, height = self._console.size
        keys = [Text(line.replace("_", " "), "reverse") for line in wrap(KEYS, max(width, 1))]
        room, needed = max(height - len(keys), 0), self._variant.height + 5
        page = [*self._page(width - len(MARGIN))]
        if needed > room:
            page = [paragraph(f"The board needs {needed + len(keys)} lines.")]
        lines = [*fitted_lines(self._console, page, width - len(MARGIN))][:room]
        shown = [Text(MARGIN).append_text(line) for line in lines]
        return Text("\n", no_wrap=True).join([*shown, *[Text()] * (room - len(shown)), *keys])

    def _page(self, width: int) -> Iterator[Paragraph]:
        """Yield the players, the board, whose turn it is or who has won, and what was said."""
        game = self._game
        names = ["You", self._opponent.title][:: 1 if game.person == 1 else -1]
        players = [Text(f"{names[i]} ({SIGNS[i]})", STYLES[i]) for i in (0, 1)]
        yield Paragraph(Text(" against ").join(players))
        yield paragraph("")
        yield from self._board(width)
        yield paragraph("")
        yield from self._turn()
        yield paragraph(self._said, style="dim")
        yield paragraph(self._note)

    def _board(self, width: int) -> Iterator[Paragraph]:
        game = self._game
        unknown = (None,) * self._variant.width
        scores = self._scores.get(game.position, unknown) if self._shows_values else ()
        last = move_between(*game.positions[-2:]) if game.cells else None
        cursor = self._cursor() if game.is_persons_turn else None
        room = room_for_width(self._variant, width)
        return board_page(game.position, room, last, scores, cursor)

    def _turn(self) -> Iterator[Paragraph]:
        game = self._game
        if game.is_over:
            yield paragraph(game.ending(), style="bold")
            yield paragraph(NEXT_KEYS)
        elif game.is_persons_turn:
            steal = " Key t steals the first stone." if game.position.can_steal else ""
            sign, style = SIGNS[game.person - 1], STYLES[game.person - 1]
            yield paragraph(f"Your move, {sign}.{steal}", style=style)
        else:
            yield paragraph(f"{game.opponent} is thinking ...")
