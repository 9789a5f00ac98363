"""The game of a person in a terminal: its moves, and the replies to what the person types.

Nothing here does input or output. In all texts columns count from 1.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate, pairwise, repeat
from operator import or_

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.streams import END_KEY
from c4_protocol.rules.notation import ROW_NAMES, STEAL_NAME, cell_name, cell_named, grid_of
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant
from c4_protocol.terminal.contract import Answer, Coach, Opponent, Scores

STONE_SYMBOLS = ".XO"
"""Characters for an empty cell, a stone of player 1 and a stone of player 2."""
STONE_COLOURS = ("", "1;31", "1;33")
"""Terminal attributes of the characters in ``STONE_SYMBOLS``: none, bold red, bold yellow."""
REVERSE_VIDEO = "7"
"""Terminal attribute of a winning line: the colours of text and background are exchanged."""
HELP_TEXT = f"""\
  {{:9}}drop a stone into that column; columns count from 1
  hint     see the best move, and why
  explain  from now on, see what was wrong with a mistake (again: no longer)
  undo     take back your last move, and the answer to it
  save     store the game when it is over
  quit     leave ({END_KEY} does the same)
"""
NO_COACH = "There are no hints in this game."
NO_VALUES = "The values of cells are not known in this game."


class TerminalGame:
    """A game of a person, who plays in seat ``person``. What the person types changes it.

    ``positions`` are all its positions from the empty board; it begins with the moves of ``start``.
    ``opponent`` is the other player's name. A sentence about a ``fault`` of the opponent ends the
    game. ``record`` is the opponent's. ``saved_text`` says where the game is stored, and
    ``no_undo`` why no move can be taken back.
    """

    def __init__(
        self,
        variant: Variant,
        person: int,
        opponent: str = "c4-bot",
        coach: Coach | None = None,
        start: Sequence[int] = (),
    ) -> None:
        self._start = [*accumulate(start, Position.play, initial=Position(variant))]
        self.positions = [*self._start]
        self.person, self.opponent, self.coach = person, opponent, coach
        self.fault = self.record = self.no_undo = ""
        self.explains_mistakes = False
        self._saved, self.saved_text = list[int](), ""

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
            f"You play {STONE_SYMBOLS[person]}, {title} plays {STONE_SYMBOLS[3 - person]}; {order}."
            f"\n{about}"
            f"The board is {variant.size}; {variant.connect} in a row win. "
            f"{moves}, hint, undo, help or quit.\n"
        )

    def prompt(self) -> str:
        """Return the question for what ``reply`` reads."""
        if self.is_over:
            return "Play again? (yes, no or undo): "
        return f"Your move, {STONE_SYMBOLS[self.person]} ({self._kind} {self._range}): "

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
        if word in {"u", "undo"}:
            return f"{self.undo()}\n"
        if self.is_over:
            return self._begin_new_game(word)
        if word == "hint":
            return f"{self.advice('hint', self.position)}\n"
        if word == "explain":
            return f"{self.switch_explanations()}\n"
        return self._reply_to_column(word)

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
        for count in range(len(self.positions) - 1, len(self._start) - 1, -1):
            if self.positions[count - 1].player == self.person:
                del self.positions[count:]
                self.fault = ""
                return "Your last move is taken back."
        return "There is no move of yours to take back."

    def begin_again(self) -> None:
        """Begin a new game on the empty board."""
        self.positions = [*self._start]
        self.fault = ""

    def save(self, opponent: Opponent) -> str:
        """Store a game that is over, once. Return what happened."""
        if not self.is_over:
            return "The game is not over yet."
        if self._saved != self.cells:
            try:
                self.saved_text = opponent.save(self.cells, self.record)
            except ArenaError as error:
                return str(error)
            self._saved = self.cells
        return self.saved_text

    def advice(self, kind: str, position: Position, cell: int = 0) -> str | Scores:
        """Return what the coach knows, or why it knows nothing.

        ``kind`` is "hint" for the best move, "values" for the scores of the columns, or "mistake"
        for what the move ``cell`` allows, which is empty if it is not known to be a mistake.
        """
        if not self.coach:
            return NO_COACH
        try:
            if kind == "values":
                return self.coach.values(position) or NO_VALUES
            hint = kind == "hint"
            return self.coach.hint(position) if hint else self.coach.about_mistake(position, cell)
        except ArenaError as error:
            return str(error)

    def switch_explanations(self) -> str:
        """Explain mistakes from now on, or no longer. Return which of them."""
        if not self.coach:
            return NO_COACH
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
        text = self.advice("mistake", position, cell) if self.explains_mistakes else ""
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


def board_text(position: Position, *, colours: bool = False) -> str:
    """Return the board with column numbers above it, and with a winning line in brackets."""
    variant, winning = position.variant, reduce(or_, position.complete_lines, 0)
    lines = [" " + "".join(f"{column:^3}" for column in range(1, variant.width + 1))]
    for height, owners in enumerate(zip(*grid_of(position), strict=True), 1):
        cells = (variant.cell(column, variant.height - height) for column in range(variant.width))
        wins = (winning >> cell & 1 for cell in cells)
        margin = " " if variant.gravity else ROW_NAMES[height - 1]
        lines.append(margin + "".join(map(_cell_text, owners, wins, repeat(colours))))
    return "\n" + "".join(f"{line.rstrip()}\n" for line in lines) + "\n"


def _cell_text(owner: int, wins: int, colours: bool) -> str:
    """Return a cell as three characters, with terminal attributes if ``colours`` is true."""
    text = f"[{STONE_SYMBOLS[owner]}]" if wins else f" {STONE_SYMBOLS[owner]} "
    if not (colours and owner):
        return text
    attributes = f"{STONE_COLOURS[owner]};{REVERSE_VIDEO}" if wins else STONE_COLOURS[owner]
    return f"\x1b[{attributes}m{text}\x1b[0m"
