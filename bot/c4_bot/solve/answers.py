"""The questions that ``c4-solve`` reads and the answers that it writes, one in each line.

A line is ``MOVES [anything]``. MOVES is the text before the first blank or tab. If the line is
empty, or begins with a blank or tab, MOVES is empty and stands for the empty board.
"""

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

from c4_protocol.program.errors import (
    ArenaError,
    IllegalMove,
    ImpossiblePosition,
    LineTooLong,
    NotationError,
)
from c4_protocol.program.text import shown
from c4_protocol.records.codec import BYTE_ORDER_MARK
from c4_protocol.rules.notation import cell_name, check_not_over, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant

from c4_bot.contract import Limits
from c4_bot.solve.score import Solution, sign_of
from c4_bot.solve.solver import Solver

MAX_LINE_BYTES = 1 << 16
"""Maximum length of a line, in bytes. A longer line is refused."""
MAX_FREE_CELLS = 20
"""Maximum number of free cells of a position that the reference solver in Python solves. With 20
free cells it takes seconds, and every further free cell multiplies its time and its memory."""


def lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file as they come, without their endings.

    Only a little more than ``MAX_LINE_BYTES`` bytes of a longer line are returned. So ``question``
    can still see that the line is too long.
    """
    mark = BYTE_ORDER_MARK
    while line := file.readline(MAX_LINE_BYTES + 2):
        end = line
        while not end.endswith(b"\n") and (end := file.readline(MAX_LINE_BYTES)):
            pass
        yield line.removeprefix(mark).removesuffix(b"\n").removesuffix(b"\r")
        mark = b""


@dataclass(frozen=True, slots=True)
class SolverAnswer:
    """The score for the player to move, the nodes visited, and the wall time in microseconds.

    ``best`` lists the moves that preserve the score. ``scores`` lists the scores of the columns
    from left to right, with ``None`` for a full column. Each of them is empty if it was not
    requested. ``steal`` is the score of the steal, or ``None`` if it is impossible or no scores
    were requested.
    """

    score: int
    nodes: int
    us: int
    best: tuple[int, ...] = ()
    scores: tuple[int | None, ...] = ()
    steal: int | None = None
    shortfall = ""
    """Description of what could not be proven; empty if everything was proven."""

    def text(self, asked: "Question") -> str:
        """Return the answer as a line: ``MOVES SCORE NODES MICROSECONDS``.

        If the scores of all columns were requested, they replace ``SCORE``. In games with the
        steal, the scores of the columns are followed by that of the steal.
        """
        steal = (self.steal,) if asked.position.variant.steal else ()
        scores = (*self.scores, *steal) if self.scores else (self.score,)
        shown = " ".join("." if score is None else str(score) for score in scores)
        return f"{asked.moves} {shown} {self.nodes} {self.us}"

    def fields(self, asked: "Question") -> dict[str, object]:
        """Return the answer as a JSON object.

        ``best`` lists columns, counting from 1, or cells such as ``d4``. The steal is ``s``.
        """
        variant = asked.position.variant
        found: dict[str, object] = {
            "moves": asked.moves,
            "score": self.score,
            "nodes": self.nodes,
            "us": self.us,
            "best": [move_in_json(variant, cell) for cell in self.best],
        }
        if self.scores:
            found["scores"] = self.scores
            if variant.steal:
                found["steal"] = self.steal
        return found


def move_in_json(variant: Variant, cell: int) -> int | str:
    """Return a column, counting from 1, or the name of any other move."""
    if variant.gravity and cell != STEAL:
        return variant.column_of(cell) + 1
    return cell_name(variant, cell)


CELL_PATTERN = re.compile(r"([a-z]\d{1,4})(?: +|$)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """A question in a line of input: its moves as they were written, and the position after them.

    ``claim`` is the score in the line, which ``check`` compares. If nothing is checked, it is 0. If
    ``is_json`` is true, the line was a JSON object, and the answer is one, too. Then ``moves`` is
    ``None`` if the object had a grid instead. ``move`` is a legal move that the object asks about.
    """

    moves: str | None
    position: Position
    claim: int = 0
    is_json: bool = False
    move: int | None = None

    def check(self, score: int, *, weak: bool) -> None:
        """Raise ``ScoreDiffers`` if the score is not the claimed score.

        If ``weak`` is true, compare only who wins.
        """
        claim = sign_of(self.claim) if weak else self.claim
        if score != claim:
            shown = "the position" if self.moves is None else repr(self.moves)
            raise ScoreDiffers(f"{shown} is worth {score}, not {claim}")


class ScoreDiffers(ArenaError):
    """Raised when a score is not the claimed score."""


class NotProven(ArenaError):
    """Raised when the limits are reached before the answer is proven."""


def question(line: bytes, variant: Variant, *, checked: bool = False) -> Question:
    """Return the question in a line. If ``checked`` is true, the second field must be a score.

    Raises an ``ArenaError`` with the reason if the line cannot be understood.
    """
    if len(line) > MAX_LINE_BYTES:
        raise LineTooLong(MAX_LINE_BYTES)
    if line.startswith(b"{"):
        return _json_question(line, variant, checked=checked)
    moves, _, rest = line.decode(errors="replace").replace("\t", " ").partition(" ")
    while moves and not variant.gravity and (cell := CELL_PATTERN.match(rest)):
        moves, rest = moves + cell[1], rest[cell.end() :]
    try:
        spaced = moves if variant.gravity else re.sub(r"(?<=\d)(?=\D)", " ", moves)
        position = position_from_moves(spaced, variant)
    except NotationError as error:
        hint = " (the line is not UTF-8 text)" if "\ufffd" in moves else ""
        raise NotationError(f"{error}{hint}") from None
    check_not_over(position)
    return Question(moves, position, _claimed_score(rest) if checked else 0)


def _claimed_score(fields: str) -> int:
    """Return the first field as a score; raise ``NotationError`` if it is not a score."""
    claim = next(iter(fields.split()), "")
    if not re.fullmatch(r"[+-]?\d{1,4}", claim, re.ASCII):
        problem = f"{claim[:20]!r} is not one" if claim else "there is none"
        raise NotationError(f"the second field has to be a score to compare with: {problem}")
    return int(claim)


def _json_question(line: bytes, variant: Variant, *, checked: bool) -> Question:
    """Return the question in an object with the text ``moves``, or with the ``grid`` of a precept.

    If ``checked`` is true, the object must have an integer ``score``. Raises an ``ArenaError`` with
    the reason if the line cannot be understood, or if a grid is not of the variant. A precept that
    does not mention the steal may be of a variant with the steal.
    """
    from c4_protocol.dialects.jsonl import json_object, precept_of  # noqa: PLC0415 - a slow import

    value = json_object(line)
    claim = value.get("score") if checked else 0
    if type(claim) is not int:
        raise NotationError('the object needs a "score" to compare with')
    moves = value.get("moves")
    if "grid" in value:
        moves, position = None, precept_of(line).position()
        if position.variant not in {variant, variant.without_steal}:
            raise ImpossiblePosition(f"the game is {position.variant}: say --variant to solve it")
        position = replace(position, variant=variant)
    elif isinstance(moves, str):
        position = position_from_moves(moves, variant)
        check_not_over(position)
    else:
        raise NotationError('the object has neither "grid" nor the text "moves"')
    return Question(moves, position, claim, is_json=True, move=_asked_move(value, position))


def _asked_move(value: Mapping[str, object], position: Position) -> int | None:
    """Return the move that an object asks about, or ``None`` if it asks about none."""
    if "move" not in value:
        return None
    name = value["move"]
    for cell in position.moves:
        if move_in_json(position.variant, cell) == name and type(name) is not bool:
            return cell
    raise IllegalMove(f'{shown(name)} is no legal move there: name it as in "best"')


@dataclass(slots=True)
class Answerer:
    """A solver that answers questions about one variant.

    If ``weak`` is true, answers only say who wins. ``every`` adds the scores of all columns, and
    ``best`` adds the best moves. If ``cold`` is true, the solver forgets everything before each
    answer.
    """

    solver: Solver
    limits: Limits
    weak: bool = False
    every: bool = False
    best: bool = False
    cold: bool = False
    _nodes: int = 0

    def answer(self, asked: Question) -> SolverAnswer:
        """Return the exact score of a game that is not over; if ``weak``, only its sign.

        Raises ``ImpossiblePosition`` if the core cannot solve the position and the reference solver
        would take too long.
        """
        position = asked.position
        free = position.variant.cells - position.ply
        if free > MAX_FREE_CELLS and not self.solver.is_native:
            limit = f"the native core cannot solve this board, Python at most {MAX_FREE_CELLS}"
            raise ImpossiblePosition(f"{free} cells are free: {limit}")
        if self.cold:
            self.solver.forget()
        self._nodes = 0
        started = time.perf_counter_ns()
        if self.every:
            scored = self.solver.move_scores(position, self.limits, self._requested_bounds)
            values = {cell: self._counted_score(solution) for cell, solution in scored}
            score = max(values.values())
            best = [cell for cell, value in values.items() if value == score]
        else:
            values = {}
            found = self.solver.solve(position, self.limits, self._requested_bounds)
            score = self._counted_score(found)
            best = [
                cell
                for cell in (position.moves if self.best or asked.is_json else ())
                if self._counted_score(
                    self.solver.solve_move(position, cell, self.limits, (score - 1, score))
                )
                >= score
            ]
        us = (time.perf_counter_ns() - started) // 1000
        column_of, width = position.variant.column_of, position.variant.width
        by_column = {column_of(cell): value for cell, value in values.items() if cell != STEAL}
        scores = tuple(map(by_column.get, range(width))) if values else ()
        return SolverAnswer(score, self._nodes, us, tuple(sorted(best)), scores, values.get(STEAL))

    def quick_answer(self, line: bytes) -> bytes | None:
        """Return the line that answers a line of input, if the core can answer it by itself.

        Otherwise return ``None``, for example if the line has an error or if more than one score is
        requested.
        """
        if self.every or self.best or len(line) > MAX_LINE_BYTES:
            return None
        if self.cold:
            self.solver.forget()
        moves = line.replace(b"\t", b" ").partition(b" ")[0]
        answer = self.solver.solve_moves(moves, self.limits, self._requested_bounds)
        if answer is None:
            return None
        solution, ns = answer
        self._nodes = 0
        return b"%b %d %d %d\n" % (moves, self._counted_score(solution), solution.nodes, ns // 1000)

    @property
    def _requested_bounds(self) -> tuple[int, int] | None:
        """The bounds between which scores are requested."""
        return (-1, 1) if self.weak else None

    def _counted_score(self, solution: Solution) -> int:
        """Count the nodes of a solution; return its score, or if ``weak`` the sign of its score."""
        self._nodes += solution.nodes
        return (solution.low > 0) - (solution.high < 0) if self.weak else solution.low
