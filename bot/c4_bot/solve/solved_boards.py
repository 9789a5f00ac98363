"""Exact results of many positions, as numpy arrays.

The core solves the positions in its threads and writes their scores into an array. It does not know
the steal, and may be missing: then Python asks for one position after the other.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL

from c4_bot.native import MAX_BITS, NO_SCORE, SCOPES
from c4_bot.solve.answers import Answerer, Question
from c4_bot.solve.score import sign_of

SHOWN = 20
"""Maximum number of rows that a notebook shows."""


@dataclass(frozen=True, slots=True, eq=False)
class SolvedBoards:
    """The results of N positions with W columns, in the order in which they were given.

    ``results``, shape (N,), is 1 if the player to move wins, 0 for a draw and -1 for a loss.
    ``scores``, shape (N,), has the scores of ``SolvedBoard``; with ``scores="result"`` it is
    ``None``. ``move_scores``, shape (N, W), has the score of each column for the player who moves
    there; a full column has ``NO_SCORE`` (-128), which is less than every score. It is ``None``
    unless all scores were requested. ``best_moves``, shape (N, W), is true where a column preserves
    the score, and ``None`` with ``scores="position"`` and ``"result"``. The score of a steal counts
    in ``scores``, but the steal is no column. Scores are ``int8``.
    """

    results: npt.NDArray[np.int8]
    scores: npt.NDArray[np.int8] | None = None
    best_moves: npt.NDArray[np.bool_] | None = None
    move_scores: npt.NDArray[np.int8] | None = None

    NO_SCORE: ClassVar[int] = NO_SCORE

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.results)

    def rows(self) -> list[dict[str, object]]:
        """Return a dictionary for each position, which pandas and polars read as a table.

        Columns count from 0. What was not requested is missing.
        """
        columns: dict[str, Iterable[object]] = {"result": self.results.tolist()}
        if self.scores is not None:
            columns["score"] = self.scores.tolist()
        if self.best_moves is not None:
            columns["best_moves"] = [np.flatnonzero(mask).tolist() for mask in self.best_moves]
        if self.move_scores is not None:
            for column, scores in enumerate(self.move_scores.T.tolist()):
                known = [None if score == NO_SCORE else score for score in scores]
                columns[f"score_{column}"] = known
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def _repr_html_(self) -> str:
        """Return the first ``SHOWN`` rows as a table, which notebooks show."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        some: dict[str, Any] = {
            name: None if array is None else array[:SHOWN] for name, array in given.items()
        }
        first = SolvedBoards(**some)
        rows = ["".join(f"<th>{name}" for name in ("position", *(first.rows() or [{}])[0]))]
        for number, row in enumerate(first.rows()):
            cells = ("" if value is None else value for value in row.values())
            rows.append(f"<th>{number}" + "".join(f"<td>{cell}" for cell in cells))
        caption = f"<caption>{len(first)} of {len(self):,} positions</caption>"
        return f"<table>{caption}{''.join(f'<tr>{row}' for row in rows)}</table>"


def solve_all(
    answerer: Answerer,
    positions: Sequence[Position],
    width: int,
    scope: str,
    threads: int,
    *,
    is_shown: bool,
) -> SolvedBoards:
    """Return the results of positions of ``width`` columns; see ``Solver.solve_many``."""
    table = np.full((len(positions), width + 1), NO_SCORE, np.int8)
    done = np.zeros(1, np.int64)
    with _progress(done, len(positions), is_shown=is_shown):
        _fill(answerer, positions, table, done, scope, threads)
    score, columns = table[:, 0].copy(), table[:, 1:].copy()
    results = np.sign(score)
    if scope == "result":
        return SolvedBoards(results)
    if scope == "position":
        return SolvedBoards(results, score)
    best = columns == score[:, None]
    return SolvedBoards(results, score, best, columns if scope == "all" else None)


def _fill(
    answerer: Answerer,
    positions: Sequence[Position],
    table: npt.NDArray[np.int8],
    done: npt.NDArray[np.int64],
    scope: str,
    threads: int,
) -> None:
    """Write a row for each position: its score, then the score of each column that is known."""
    core = answerer.solver.core
    slow = [i for i, one in enumerate(positions) if core is None or one.steal_is_ahead]
    for i in slow:
        _fill_row(answerer, positions[i], table[i], scope)
        done[0] += 1
    if core is None or len(slow) == len(positions):
        return
    quick = np.setdiff1d(np.arange(len(positions)), slow)
    part = np.empty((len(quick), table.shape[1]), np.int8)
    both = [positions[i].own | positions[i].other << MAX_BITS for i in quick]
    data = b"".join([stones.to_bytes(MAX_BITS // 4, "little") for stones in both])
    numbers = np.frombuffer(data, "<u8").astype(np.uint64)  # four for each position
    core.solve_many(numbers, part, done, SCOPES.index(scope), threads)
    table[quick] = part


def _fill_row(
    answerer: Answerer, position: Position, row: npt.NDArray[np.int8], scope: str
) -> None:
    answer = answerer.answer(Question("", position))
    row[0] = sign_of(answer.score) if scope == "result" else answer.score
    for column, score in enumerate(answer.scores):
        if score is not None:
            row[1 + column] = score
    if scope == "best":
        columns = [position.variant.column_of(cell) for cell in answer.best if cell != STEAL]
        row[[1 + column for column in columns]] = answer.score


@contextmanager
def _progress(done: npt.NDArray[np.int64], total: int, *, is_shown: bool) -> Iterator[None]:
    """Show on standard error how many positions are solved, while the block runs."""
    if not is_shown:
        yield
        return
    from rich.console import Console, RenderableType  # noqa: PLC0415 - a slow import
    from rich.progress import Progress  # noqa: PLC0415

    class Bar(Progress):
        def get_renderables(self) -> Iterable[RenderableType]:
            for task in self.task_ids:
                self.update(task, completed=int(done[0]))
            return super().get_renderables()

    with Bar(console=Console(stderr=True)) as bar:
        bar.add_task("solving", total=total)
        yield
