"""``c4-bot --puzzle``: a person solves puzzles in the terminal.

``PuzzleGame`` does no input or output. ``solve_puzzles`` is the loop around it.
"""

import random
import signal
from textwrap import fill

from c4_protocol.program.commands import repeat_ignored_interrupts
from c4_protocol.program.errors import UsageError
from c4_protocol.program.streams import END_KEY
from c4_protocol.rules.notation import cell_name, cells_from_moves, moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_protocol.terminal.board import SIGNS, printed_board
from c4_protocol.terminal.game import TerminalGame, move_between
from c4_protocol.terminal.lines import ask_person, prepare_input, print_text

from c4_bot.puzzles import load_puzzles
from c4_bot.puzzles.scores import ExactScores
from c4_bot.reasons import sentences
from c4_bot.reasons.explanation import Explained, Knowledge, explain_move, refusal

TASKS = {"win": "{} wins.", "draw": "{} can hold the draw."}
"""The first part of the task, by the result of the puzzle."""
NAMING_KINDS = {"forced-win", "prepares", "prepares-force"}
"""Kinds whose sentences name moves that the person has to find next."""
WIDTH = 79
"""Maximum width of a line of text."""
COMMANDS = "hint, solution, next, help or quit"
HELP_TEXT = f"""\
  1 to 7    drop a stone into that column; columns count from 1
  hint      say what the move does; after that, say the column
  solution  show the moves
  next      go on to the next puzzle
  quit      leave ({END_KEY} does the same)
"""


class PuzzleGame(TerminalGame):
    """A puzzle whose moves a person has to find. Other puzzles follow it.

    ``number`` is the number of the puzzle, counting from 1. Raises ``UsageError`` if there is no
    such puzzle.
    """

    def __init__(self, number: int) -> None:
        self._puzzles, self._scores = load_puzzles(), ExactScores()
        if number > len(self._puzzles):
            raise UsageError(f"--puzzle {number}: there are {len(self._puzzles)} puzzles")
        super().__init__(STANDARD, 1)
        self._begin(number)

    def _begin(self, number: int) -> None:
        self.number, self.puzzle = number, self._puzzles[number - 1]
        self.positions, self.person = [self.puzzle.position], self.puzzle.position.player
        before, line = self.puzzle.moves, self.puzzle.line
        self._line = cells_from_moves(before + line, STANDARD)[len(before) :]
        self._hints, self.is_finished = 0, False

    def task(self) -> str:
        """Return the number of the puzzle, the board, and what the person has to find."""
        puzzle = self.puzzle
        task = TASKS[puzzle.result].format(SIGNS[self.person - 1])
        title = f"Puzzle {self.number} of {len(self._puzzles)} ({puzzle.grade})"
        return f"{title}\n{printed_board(self.position)}{task} Find the only move.\n"

    def prompt(self) -> str:
        """Return the question for what ``reply`` reads."""
        return "Type next or quit: " if self.is_finished else super().prompt()

    def reply(self, entry: str) -> str | None:
        """Do what the person typed; return the reply, or ``None`` if the person quits."""
        word = entry.strip().lower()
        if word in {"q", "quit", "exit"}:
            return None
        if word in {"n", "next"}:
            self._begin(self.number % len(self._puzzles) + 1)
            return f"\n{self.task()}\n"
        if self.is_finished:
            return "The puzzle is finished.\n"
        return f"{self._reply_in_puzzle(word).rstrip()}\n\n"

    def _reply_in_puzzle(self, word: str) -> str:
        if word in {"h", "help", "?"}:
            return HELP_TEXT
        if word == "hint":
            return self._hint()
        if word == "solution":
            return self._solution()
        if not (word.isascii() and word.isdigit()):
            return f"Type a column from 1 to 7, {COMMANDS}.\n"
        return self._reply_to_column(word) or self._judgement()

    def _hint(self) -> str:
        """Return what the move does, and from the second time on its column."""
        self._hints += 1
        if self._hints > 1:
            return f"The move is column {cell_name(STANDARD, self._line[0])}.\n"
        return f"{_in_general(self._explained(self.position, self._line[0]))}\n"

    def _solution(self) -> str:
        """Return the moves that are left, and the reason of the first one."""
        self.is_finished = True
        moves = moves_text(STANDARD, self._line) + self.puzzle.rest
        reason = self._explained(self.position, self._line[0]).text
        return f"{fill(reason, WIDTH)}\nSolution: {' '.join(moves)}\n"

    def _judgement(self) -> str:
        """Return the reply to the person's move; take the move back if it is wrong."""
        before, after = self.positions[-2:]
        cell = move_between(before, after)
        if cell == self._line[0] or after.is_won:
            return f"{fill(f'Right. {self._praise(before, cell)}', WIDTH)}\n{self._go_on()}"
        self.positions.pop()
        return fill(f"Try again. {self._refusal(cell)}", WIDTH) + "\n"

    def _praise(self, before: Position, cell: int) -> str:
        """Return the reason of a right move, without the moves that the person has to find next."""
        explained = self._explained(before, cell)
        names_moves = explained.reason.kind in NAMING_KINDS and len(self._line) > 1
        return _in_general(explained) if names_moves else explained.text

    def _go_on(self) -> str:
        """Make the opponent's answer, or end the puzzle; return the text and the board."""
        self._hints, self._line = 0, self._line[1:]
        if self.position.is_over or not self._line:
            self.is_finished = True
            rest = self.puzzle.rest
            more = f" The game could go on: {' '.join(rest)}" if rest else ""
            return f"{printed_board(self.position)}Solved.{more}\n"
        answer = self._line.pop(0)
        self.play(answer)
        return f"c4-bot plays column {cell_name(STANDARD, answer)}.\n{printed_board(self.position)}"

    def _refusal(self, cell: int) -> str:
        """Return why a move is wrong, without the move that is right."""
        known = self._known(self.position)
        if known.outcome(cell) is None:
            return f"Column {cell_name(STANDARD, cell)} does not keep the {self.puzzle.result}."
        return refusal(self._explained(self.position, cell), known)

    def _explained(self, position: Position, cell: int) -> Explained:
        return explain_move(position, cell, self._known(position), self._scores)

    def _known(self, position: Position) -> Knowledge:
        """Return the scores of all moves, or the result of the right move if they are unknown."""
        if scores := self._scores(position):
            return Knowledge.of_scores(position, scores)
        result = int(self.puzzle.result == "win")
        return Knowledge({self._line[0]: result}, result, is_exact=False)


def _in_general(explained: Explained) -> str:
    """Return what a move does, without cells and moves."""
    return str(sentences.templates()["hints"][explained.reason.kind])


def solve_puzzles(number: int | None, seed: int | None) -> int:
    """Let a person solve puzzles until they quit; return the exit code.

    The first puzzle is the one with this number, or a random one. Raises ``UsageError`` if there is
    no such puzzle, and ``OSError`` if standard input is closed.
    """
    count = len(load_puzzles())
    game = PuzzleGame(number or random.Random(seed).randint(1, count))
    prepare_input()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    repeat_ignored_interrupts()
    try:
        print_text(game.task() + f"Type a column, {COMMANDS}.\n\n")
        while (reply := game.reply(ask_person(game.prompt()))) is not None:
            print_text(reply)
    except (EOFError, KeyboardInterrupt):
        print_text("\n")
    return 0
