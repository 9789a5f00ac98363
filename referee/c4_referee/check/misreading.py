"""Finds the mistake of a bot whose moves are illegal: the way in which it misreads the grid.

The bot is asked about *probes*. In these positions, each mistake leads to a different answer.
Either only one column has room, at different heights, or only one column is empty. A mistake is
reported if it explains all answers and at least one of them is illegal. This works only in games
with gravity, in which a move is a column, and in dialects that can describe these positions.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant, cells_of

from c4_referee.check import boards
from c4_referee.check.broken import Broken, Hung
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import Evidence

MINIMUM = 4
"""Minimum width and height of boards on which the mistakes can be distinguished."""


class Mistake(NamedTuple):
    """Way to misread the grid, or to write a wrong answer.

    ``seen`` describes the mistake, and ``fix`` is the advice. ``answers`` returns the columns that
    a bot with this mistake may answer in a position. An empty set means that the bot believes that
    the board is full.
    """

    seen: str
    fix: str
    answers: Callable[[Position], set[int]]


def _open(position: Position) -> set[int]:
    """Return the columns with room for a stone; columns count from 0."""
    return {position.variant.column_of(cell) for cell in cells_of(position.playable)}


def _rows(position: Position) -> set[int]:
    """Return the rows, from 0 at the bottom, on which the next stone can land."""
    return {position.variant.row_of(cell) for cell in cells_of(position.playable)}


def _stones(position: Position, column: int) -> int:
    """Return the number of stones in a column."""
    taken = position.stones[0] | position.stones[1]
    return (taken & position.variant.columns[column]).bit_count()


FROM_ONE = Mistake(
    "it counts columns from 1",
    "count columns from 0: the leftmost, column 1, is move 0 (subtract 1 from what you print)",
    lambda position: {column + 1 for column in _open(position)},
)
FROM_THE_RIGHT = Mistake(
    "it counts columns from the right",
    "count columns from the left: column 1, the first list in grid, is move 0",
    lambda position: {position.variant.width - 1 - column for column in _open(position)},
)
ROW = Mistake(
    "it answers the row in which its stone lands",
    'answer the column, not the row: "move" is the number of the column, and column 1 is move 0',
    lambda position: {position.variant.height - 1 - row for row in _rows(position)},
)
ROW_FROM_BELOW = ROW._replace(answers=_rows)
UPSIDE_DOWN = Mistake(
    "it reads columns upside down",
    "each column lists its cells from the top: the first cell is the top one, the last cell the "
    "bottom one; a column is full when its first cell is not 0",
    lambda position: {x for x in range(position.variant.width) if not _stones(position, x)},
)
AS_ROWS = Mistake(
    "it reads the grid as a list of rows",
    '"grid" is a list of columns: grid[x][y] is column x from the left, cell y from the top',
    lambda position: set(range(position.variant.height - _stones(position, 0))),
)
INTO_FULL = Mistake(
    "it plays into full columns",
    "choose among the columns that have room: a column is full when its first cell, the top one, "
    "is not 0",
    lambda position: set(range(position.variant.width)),
)
MISTAKES = (FROM_ONE, FROM_THE_RIGHT, ROW, ROW_FROM_BELOW, UPSIDE_DOWN, AS_ROWS, INTO_FULL)
"""All mistakes in jsonl. The first one that fits is reported, so mistakes with few answers come
first. ``INTO_FULL`` is the last."""
MISTAKES_IN_COLUMNS: tuple[Mistake, ...] = (
    FROM_ONE,
    FROM_THE_RIGHT._replace(fix="count columns from the left: column 1 is move 0"),
    INTO_FULL._replace(fix="choose among the columns that have room"),
)
"""Mistakes in other dialects, if columns count from 0."""


class ProbeAnswer(NamedTuple):
    """A bot's answer in a position: a column, legal or not, or ``None`` if it failed."""

    position: Position
    column: int | None
    evidence: Evidence | None = None

    @property
    def is_legal(self) -> bool:
        """True if the rules of the game allow the move."""
        return self.column in _open(self.position)

    @property
    def is_on_the_board(self) -> bool:
        """True if the column exists."""
        return self.column in range(self.position.variant.width)


Finding = tuple[Mistake, Evidence | None]
"""The mistake that a bot makes, and a conversation that shows it."""


def find_mistake(trial: Trial) -> Finding | None:
    """Ask a bot about the probes; return the mistake that explains its answers, or ``None``."""
    variant = trial.variant
    if not variant.gravity or min(variant.width, variant.height) < MINIMUM:
        return None
    if trial.referee.starts_empty:
        return None
    mistakes = MISTAKES if trial.is_json else MISTAKES_IN_COLUMNS
    if not trial.is_json and trial.referee.first_column != "0":
        mistakes = MISTAKES_IN_COLUMNS[-1:]
    try:
        answers = [_answer(trial, position) for position in probes(variant)]
        mistake = explain(answers, mistakes) or _rows_by_crashing(trial, answers)
    except Hung:  # every further probe would take as long
        return None
    shown = next((answer.evidence for answer in answers if not answer.is_legal), None)
    return (mistake, shown) if mistake else None


def explain(
    answers: Sequence[ProbeAnswer], mistakes: Sequence[Mistake] = MISTAKES
) -> Mistake | None:
    """Return the mistake that explains all answers.

    Return ``None`` if no mistake explains them, or if all answers are legal.
    """
    if all(answer.is_legal for answer in answers):
        return None
    if len({answer.column for answer in answers}) == 1 and answers[0].is_on_the_board:
        return mistakes[-1]  # INTO_FULL: the same column everywhere
    return next((mistake for mistake in mistakes if _fits(mistake, answers)), None)


def _fits(mistake: Mistake, answers: Sequence[ProbeAnswer]) -> bool:
    """Return whether a bot with the mistake may give these answers.

    The mistake must allow a move in at least two positions. If the bot believes that the board is
    full, it must fail, answer outside the board, or answer 0, as many programs do by default.
    """
    expected = [(mistake.answers(answer.position), answer) for answer in answers]
    if sum(bool(moves) for moves, _ in expected) < 2:
        return False
    return all(
        answer.column in moves if moves else answer.column == 0 or not answer.is_on_the_board
        for moves, answer in expected
    )


def probes(variant: Variant) -> list[Position]:
    """Return the probes. A probe for which no position is found is left out."""
    width, height = variant.width, variant.height
    full = [height] * width
    only_first, only_last = [2, *full[1:]], [*full[1:], height - 2]
    wanted = [only_first, only_last, only_first[::-1], only_last[::-1]]
    partly = [1 + column % 2 for column in range(width)]
    wanted += [[*partly[:x], 0, *partly[x + 1 :]] for x in (1, width - 2)]
    return [*filter(None, (boards.with_heights(variant, tuple(heights)) for heights in wanted))]


def _answer(trial: Trial, position: Position) -> ProbeAnswer:
    """Return a bot's answer in a position; raise ``Hung`` if it gives none in time."""
    try:
        with trial.start(player=position.player, variant=position.variant) as bot:
            return ProbeAnswer(position, bot.column(position), bot.evidence())
    except Hung:
        raise
    except Broken as broken:
        return ProbeAnswer(position, None, broken.evidence)


def _rows_by_crashing(trial: Trial, answers: Sequence[ProbeAnswer]) -> Mistake | None:
    """Return ``AS_ROWS`` if the bot fails on all probes but not on a square board."""
    variant = trial.variant
    has_answered = any(answer.column is not None for answer in answers)
    if has_answered or not trial.is_json or variant.width == variant.height:
        return None
    square = replace(variant, height=variant.width)
    return None if _answer(trial, boards.middle(square)).column is None else AS_ROWS
