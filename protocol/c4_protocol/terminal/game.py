"""The game of a person in a terminal: its moves, and the replies to what the person types.

Nothing here does input or output. In all texts columns count from 1.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Literal

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.streams import END_KEY
from c4_protocol.rules.notation import COLUMN_NAMES, ROW_NAMES, STEAL_NAME, cell_name, cell_named
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant
from c4_protocol.terminal.board import SIGNS
from c4_protocol.terminal.contract import Answer, Coach, Scores

HELP_TEXT = f"""\
  {{:9}}drop a stone into that column; columns count from 1
  hint     see the best move, and why
  explain  from now on, see what was wrong with a mistake (again: no longer)
  undo     take back your last move, and the answer to it
  save     store the game when it is over
  quit     leave ({END_KEY} does the same)
"""


class TerminalGame:
    """A game of a person, who plays in seat ``person``. What the person types changes it.

    ``positions`` are all its positions, and ``opponent`` is the other player's name. A sentence
    about a ``fault`` of the opponent ends the game. ``record`` is the opponent's, and ``store``
    stores it and says where. ``no_undo`` says why no move can be taken back, if so.
    """

    def __init__(
        self,
        variant: Variant,
        person: int,
        opponent: str = "c4-bot",
        coach: Coach | None = None,
        store: Callable[[str], str] = str,
    ) -> None:
        self.positions = [Position(variant)]
        self.person, self.opponent, self.coach = person, opponent, coach
        self.fault = self.record = self.no_undo = ""
        self.explains_mistakes = False
        self._store, self.saved_text = cache(store), ""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def cells(self) -> list[int]:
        """The moves."""
        return [move_between(*pair) for pair in pairwise(self.positions)]

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return bool(self.fault) or self.position.is_over

    @property
    def is_persons_turn(self) -> bool:
        """True if the person is to move."""
        return not self.is_over and self.position.player == self.person

    def play(self, cell: int) -> None:
        """Make a legal move."""
        self.positions.append(self.position.play(cell))

    def take(self, answer: Answer) -> None:
        """Make the opponent's move, or end the game with its fault."""
        self.fault, self.record = answer.fault, answer.record
        if answer.cell is not None:
            self.play(answer.cell)

    def introduction(self, title: str, about: str) -> str:
        """Return the text that is shown before the first move. Both texts are the opponent's."""
        variant, person, name = self.position.variant, self.person, self.opponent
        order = "you move first" if person == 1 else f"{name} moves first"
        moves = "Columns count from 1.\nType a column" if variant.gravity else "\nType a cell"
        return (
            f"You play {SIGNS[person - 1]}, {title} plays {SIGNS[2 - person]}; {order}."
            f"\n{about}"
            f"The board is {variant.size}; {variant.connect} in a row win. "
            f"{moves}, hint, undo, help or quit.\n"
        )

    def prompt(self) -> str:
        """Return the question for what ``reply`` reads."""
        if self.is_over:
            return "Play again? (yes, no or undo): "
        return f"Your move, {SIGNS[self.person - 1]} ({self._kind} {self._range}): "

    @property
    def _kind(self) -> str:
        return "column" if self.position.variant.gravity else "cell"

    @property
    def _range(self) -> str:
        variant = self.position.variant
        if variant.gravity:
            return f"1 to {variant.width}"
        return f"a1 to {ROW_NAMES[variant.height - 1]}{variant.width}"

    def reply(self, entry: str) -> str | None:
        """Do what the person typed, when to move or when the game is over; return the reply.

        Return ``None`` if the person quits.
        """
        word = entry.strip().lower()
        if word in {"q", "quit", "exit"} or (self.is_over and word in {"n", "no"}):
            return None
        replies = {"u": self.undo, "undo": self.undo, "save": self.save}
        if not self.is_over:
            replies |= {
                "hint": lambda: str(self.advice("hint", self.position)),
                "explain": self.switch_explanations,
            }
        if word in replies:
            return f"{replies[word]()}\n"
        return self._begin_new_game(word) if self.is_over else self._reply_to_column(word)

    def ending(self) -> str:
        """Return the result of a finished game, as a sentence."""
        if self.fault:
            return self.fault
        winner = self.position.winner
        if not winner:
            return "The board is full: a draw."
        return "You win!" if winner == self.person else f"{self.opponent} wins."

    def undo(self) -> str:
        """Go back to the position before the person's last move. Return what happened."""
        if self.no_undo:
            return self.no_undo
        for count in range(len(self.positions) - 1, 0, -1):
            if self.positions[count - 1].player == self.person:
                del self.positions[count:]
                self.fault = ""
                return "Your last move is taken back."
        return "There is no move of yours to take back."

    def begin_again(self) -> None:
        """Begin a new game from the first position."""
        del self.positions[1:]
        self.fault = ""

    def save(self) -> str:
        """Store a game that is over, once. Return what happened."""
        if not self.is_over:
            return "The game is not over yet."
        if not self.record:
            return "The moves are printed at the end."
        try:
            self.saved_text = self._store(self.record)
        except ArenaError as error:
            return str(error)
        return self.saved_text

    def advice(
        self, kind: Literal["hint", "values", "about_mistake"], position: Position, *cell: int
    ) -> str | Scores:
        """Return the answer of a method of the coach, or why there is none."""
        try:
            answer: str | Scores = getattr(self.coach, kind)(position, *cell)
        except ArenaError as error:
            return str(error)
        return answer

    def switch_explanations(self) -> str:
        """Explain mistakes from now on, or no longer. Return which of them."""
        self.explains_mistakes = not self.explains_mistakes
        return f"Mistakes are explained{'' if self.explains_mistakes else ' no longer'}."

    def _begin_new_game(self, word: str) -> str:
        if word not in {"y", "yes"}:
            return "Type yes, no or undo.\n"
        self.begin_again()
        return ""

    def _reply_to_column(self, word: str) -> str:
        """Make the person's move, or return the help, or the reason why the move is refused."""
        if word in {"h", "help", "?"}:
            return HELP_TEXT.format(self._range)
        position, cell = self.position, self._typed_cell(word)
        if isinstance(cell, str):
            return f"{cell}\n"
        self.play(cell)
        text = self.advice("about_mistake", position, cell) if self.explains_mistakes else ""
        return f"{text}\n" if text else ""

    def _typed_cell(self, word: str) -> int | str:
        """Return the move that was typed, or why it is refused."""
        position, variant = self.position, self.position.variant
        if position.can_steal and word in {STEAL_NAME, "steal"}:
            return STEAL
        if not variant.gravity:
            try:
                return cell_named(position, word or " ")
            except ArenaError as error:
                return f"{error}."
        if len(word) == 1 and word in COLUMN_NAMES[9 : variant.width]:
            word = str(COLUMN_NAMES.index(word) + 1)
        if not (word.isascii() and word.isdigit()):
            return f"Type a column from {self._range}, hint, undo, help or quit."
        if len(word) > 4 or not 1 <= int(word) <= variant.width:
            return f"There is no column {word[:20]}: columns count from {self._range}."
        cells = position.playable & variant.columns[int(word) - 1]
        return cells.bit_length() - 1 if cells else f"Column {word} is full: choose another one."

    def sentence_of_move(self, cell: int) -> str:
        """Return a move of the opponent, as a sentence."""
        if cell == STEAL:
            return f"{self.opponent} steals the first stone."
        name = cell_name(self.position.variant, cell)
        if self.position.variant.gravity:
            name = str(self.position.variant.column_of(cell) + 1)
        return f"{self.opponent} plays {self._kind} {name}."


def move_between(before: Position, after: Position) -> int:
    """Return the move that leads from a position to the next one."""
    return (before.occupied ^ after.occupied).bit_length() - 1 if before.ply < after.ply else STEAL
