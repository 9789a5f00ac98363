"""Exact scores of the positions of games, computed by ``c4-solve`` within a time limit.

One process of ``c4-solve`` for each processor works on one game at a time. It is asked about one
position at a time, from the last position of the game backwards, because its table then holds
the results of later positions. Best play after the moves that changed the result is asked next. A
process that does not answer in time is killed, and a new one continues with another game. There are
no threads: this process waits for all pipes at once.
"""

import math
import os
import re
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Generator, Iterable, Iterator, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import IO, Any, Literal, NamedTuple, cast

import orjson
from c4_protocol.errors import JudgeError, UsageError, VariantError
from c4_protocol.events import GameEnded
from c4_protocol.notation import cell_name, cells_from_moves, win_score
from c4_protocol.position import Position
from c4_protocol.text import shortened
from c4_protocol.variant import Variant

from c4_referee.bots.own import resolved
from c4_referee.bots.process_tree import die_with_parent
from c4_referee.stats.accuracy import plies
from c4_referee.stats.analysis import KnownPositions, changing_plies, is_forced, positions_of
from c4_referee.stats.solved import (
    PositionKey,
    Solved,
    SolvedPositions,
    find_solved,
    position_key,
    value_by_rules,
)

HASH_MB, MIN_HASH_MB, ALL_HASH_MB = 64, 32, 512
"""Size of the table of one process in MiB: at most the first and at least the second number. Within
these limits, the tables of all processes together have the third size."""
POSITION_SECONDS = 3.0
"""Maximum time for one position. On 7x6, positions need about 0.2 s."""
GRACE_SECONDS = 5.0
"""Additional time for the first answer of a process, which has to start, and for all answers in
games without gravity. There ``c4-solve`` itself has a time limit."""
BATCH_SECONDS = 1.0
"""Maximum time for which results are kept only in memory."""
FAILURES = 3
"""Number of positions in a row that are not solved before a game without gravity is given up. There
an earlier position may be easier to solve, because a win is easier to prove than a draw."""
MAX_BYTES = 1 << 20
"""Maximum length of an answer, in bytes."""
UNSOLVED = re.compile(rb"c4-solve: line (\d+): ")
"""Beginning of the line that ``c4-solve`` writes if it cannot solve a position."""


class Question(NamedTuple):
    """A position to solve, and the cells of the moves that lead to it."""

    cells: Sequence[int]
    position: Position


Questions = Generator[Question, bool | None, None]
"""Generator of the positions of a game. Each one is solved or given up before the next one. The
generator is sent whether it was solved."""
Progress = Callable[[int, int], None]
"""Function that is called with the number of games done and the number of games to solve."""


@dataclass(frozen=True, slots=True)
class Solving:
    """Summary of a run of the solver.

    ``games`` are the different games that were not solved completely before, and ``done`` of them
    were solved or given up. ``positions`` is the number of positions that were solved. ``ended``
    says why the run stopped early, if it did.
    """

    games: int
    done: int
    positions: int
    ended: Literal["time", "interrupt"] | None


def _count_processors() -> int:
    """Return the number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Means:
    """How positions are solved: number of processes, seconds per position, and their command.

    The number of processes is that of the processors of this process by default. ``command`` is
    completed by options for the variant.
    """

    processes: int = field(default_factory=_count_processors)
    position_seconds: float = POSITION_SECONDS
    command: tuple[str, ...] = ("c4-solve",)


def can_be_solved(variant: Variant) -> bool:
    """Return whether ``c4-solve`` has a name for a variant."""
    with suppress(VariantError):
        return Variant.parse(str(variant)) == variant
    return False


def solve_games(
    games: Iterable[GameEnded],
    variant: Variant,
    solved: MutableMapping[PositionKey, Solved],
    seconds: float,
    store: Callable[[dict[PositionKey, Solved]], None],
    progress: Progress = lambda _done, _games: None,
    means: Means | None = None,
) -> Solving:
    """Solve the positions of games, and best play after the moves that changed their results.

    ``games`` of one ``variant`` come in the order of their importance. Games in which known values
    already show a change are solved before the others, void games last. Results are added to
    ``solved``, and are passed to ``store`` in batches. The run ends after ``seconds`` or by Ctrl-C.
    No process is left. Raises ``UsageError`` if the variant cannot be solved, and ``JudgeError`` if
    the solver fails.
    """
    if not can_be_solved(variant):
        raise UsageError(f"c4-solve does not solve {variant}")
    until = time.monotonic() + seconds
    results = _Results(solved, store)
    ordered = _ordered(games, variant, solved)
    pool = _Pool(variant, results, means or Means(), until)
    ended: Literal["time", "interrupt"] | None = None
    try:
        pool.solve([_questions(game, variant, solved) for game in ordered], progress)
    except _TimeUp:
        ended = "time"
    except KeyboardInterrupt:
        ended = "interrupt"
    finally:
        pool.close()
        results.flush()
    return Solving(len(ordered), pool.done, results.count, ended)


class _TimeUp(Exception):
    """Error that ends solving, because the time for it has passed."""


def _ordered(
    games: Iterable[GameEnded], variant: Variant, solved: SolvedPositions
) -> list[GameEnded]:
    """Return the games with moves by bots, in the order in which they are solved.

    Games with the same moves are solved once.
    """
    distinct: dict[str, GameEnded] = {}
    for game in sorted(games, key=lambda game: game.ending == "void"):
        if plies(game.moves, variant) > plies(game.opening, variant):
            distinct.setdefault(game.moves, game)
    return sorted(distinct.values(), key=lambda game: _rank(game, variant, solved))


def _rank(game: GameEnded, variant: Variant, solved: SolvedPositions) -> tuple[bool, int, bool]:
    """Return a key for sorting games: those to solve first have the lowest key.

    Games that an earlier run has given up come after other games. Otherwise, they would use up the
    time of all later runs.
    """
    is_void = game.ending == "void"
    if not solved:
        return is_void, 0, True
    cells = cells_from_moves(game.moves, variant)
    positions = [*positions_of(cells, variant)]
    wanted = [_is_wanted(position, solved) for position in positions if not position.is_over]
    step = 0 if wanted[-1] else 1 + any(wanted)
    values, _ = KnownPositions(solved).along(positions, cells)
    change = next(changing_plies(values, plies(game.opening, variant)), None)
    return is_void, step, change is None


def _is_wanted(position: Position, solved: SolvedPositions) -> bool:
    """Return whether a position is still to be solved. With gravity, scores are wanted, too."""
    known = find_solved(position, solved)
    return known is None or (position.variant.gravity and not known.scores)


def _questions(game: GameEnded, variant: Variant, solved: SolvedPositions) -> Questions:
    """Generate the positions of a game that are to be solved, the last one first.

    Then generate positions of best play before and after the moves that changed the result.
    ``solved`` changes between the questions.
    """
    cells = cells_from_moves(game.moves, variant)
    positions = [*positions_of(cells, variant)]
    failures, max_failures = 0, 1 if variant.gravity else FAILURES
    for ply in reversed(range(len(positions))):
        if not positions[ply].is_over and _is_wanted(positions[ply], solved):
            failures = 0 if (yield Question(cells[:ply], positions[ply])) else failures + 1
        if failures == max_failures:
            break
    values, _ = KnownPositions(solved).along(positions, cells)
    for changing in changing_plies(values, plies(game.opening, variant)):
        for ply in (changing, changing + 1):
            value = values[ply]
            if value is not None:
                yield from _questions_of_line(cells[:ply], positions[ply], value, solved)


def _questions_of_line(
    cells: list[int], position: Position, value: int, solved: SolvedPositions
) -> Questions:
    """Generate the positions of best play from a position with this ``value``.

    Positions in which the rules show the best move are not asked.
    """
    while not position.is_over:
        is_clear = value_by_rules(position) is not None or is_forced(position)
        if not is_clear and _is_wanted(position, solved) and not (yield Question(cells, position)):
            return
        moves = KnownPositions(solved).best_moves(position, value)
        if not moves:
            return
        cells = [*cells, moves[0]]
        position, value = position.play(moves[0]), -value


class _Results:
    """Results that are stored in batches, so that little is lost if this process is killed."""

    def __init__(
        self,
        solved: MutableMapping[PositionKey, Solved],
        store: Callable[[dict[PositionKey, Solved]], None],
    ) -> None:
        self._solved, self._store = solved, store
        self._batch: dict[PositionKey, Solved] = {}
        self._stored_at = time.monotonic()
        self.count = 0

    def add(self, position: Position, result: Solved) -> None:
        """Keep the result of a position, and store the batch when it is due."""
        key = position_key(position)
        self._solved[key] = self._batch[key] = result
        self.count += 1
        if time.monotonic() > self._stored_at + BATCH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Store the results that are not stored yet."""
        if self._batch:
            self._store(self._batch)
        self._batch = {}
        self._stored_at = time.monotonic()


class _Solver:
    """A process of ``c4-solve`` that solves the positions of one game.

    ``asked`` is the question that it has not answered yet. It has to be answered until the time
    ``deadline``. ``answered`` is the number of questions that were answered before.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._child = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that Ctrl-C on a terminal does not end it
            preexec_fn=die_with_parent,  # noqa: PLW1509 - there are no threads
        )
        self._input = cast(IO[bytes], self._child.stdin)
        self.output = cast(IO[bytes], self._child.stdout)
        self._read = b""
        self.questions: Questions | None = None
        self.asked: Question | None = None
        self.answered = 0
        self.deadline = math.inf

    def ask(self, question: Question, deadline: float) -> None:
        """Ask about a position. If the process has ended, this is noticed when it is read."""
        self.asked, self.deadline = question, deadline
        with suppress(BrokenPipeError):
            self._input.write(_moves(question).encode() + b"\n")

    def read_lines(self) -> list[bytes]:
        """Return the lines that the process has written since the last call.

        Raises ``EOFError`` if it has ended, with its last line.
        """
        read = os.read(self.output.fileno(), MAX_BYTES)
        if not read:
            raise EOFError(self._read.decode(errors="replace"))
        *lines, self._read = (self._read + read).split(b"\n")
        return lines

    def exit_code(self) -> int:
        """Return the exit code of a process that has closed its output; negative for a signal."""
        self._input.close()
        try:
            return self._child.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            return -signal.SIGKILL

    def end(self) -> None:
        """Kill and reap the process."""
        for pipe in (self._input, self.output):
            pipe.close()
        self._child.kill()
        self._child.wait()


class _Pool:
    """Processes of ``c4-solve``, each of which solves one game after another."""

    def __init__(self, variant: Variant, results: _Results, means: Means, until: float) -> None:
        self._variant, self._results, self._means, self._until = variant, results, means, until
        self._selector = selectors.DefaultSelector()
        self._games: Iterator[Questions] = iter(())
        self._show_progress: Callable[[], None] = lambda: None
        self.done = 0

    def solve(self, games: Sequence[Questions], progress: Progress) -> None:
        """Solve games. Raises ``_TimeUp`` and ``JudgeError``."""
        self._games = iter(games)
        self._show_progress = lambda: progress(self.done, len(games))
        self._show_progress()
        for _ in range(min(self._means.processes, len(games))):
            self._continue(self._start(), None)
        while solvers := self._solvers():
            deadline = min(self._until, *(solver.deadline for solver in solvers))
            for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
                self._read(key.data)
            self._check_time()
            for solver in self._solvers():
                if time.monotonic() > solver.deadline:
                    self._replace(solver)

    def close(self) -> None:
        """End all processes."""
        for solver in self._solvers():
            self._end(solver)
        self._selector.close()

    def _solvers(self) -> list[_Solver]:
        return [key.data for key in self._selector.get_map().values()]

    def _check_time(self) -> None:
        if time.monotonic() > self._until:
            raise _TimeUp

    def _start(self) -> _Solver:
        try:
            solver = _Solver(_command_line(self._variant, self._means))
        except OSError as error:
            raise JudgeError(f"c4-solve cannot be started: {error}") from None
        self._selector.register(solver.output, selectors.EVENT_READ, solver)
        return solver

    def _end(self, solver: _Solver) -> None:
        self._selector.unregister(solver.output)
        solver.end()

    def _replace(self, solver: _Solver) -> None:
        """Kill a process that cannot answer, and continue its game with a new one."""
        self._end(solver)
        successor = self._start()
        successor.questions = solver.questions
        self._continue(successor, is_solved=False)

    def _continue(self, solver: _Solver, is_solved: bool | None) -> None:
        """Ask the next question of a game. After the last question, begin the next game.

        ``is_solved`` is the answer to the game's last question. It is ``None`` if there was none.
        """
        question: Question | None = None
        while question is None:
            self._check_time()
            if solver.questions is None:
                solver.questions, is_solved = next(self._games, None), None
            if solver.questions is None:
                self._end(solver)
                return
            try:
                question = solver.questions.send(is_solved)
            except StopIteration:
                solver.questions = None
                self.done += 1
                self._show_progress()
        grace = GRACE_SECONDS if not (solver.answered and self._variant.gravity) else 0.0
        solver.ask(question, time.monotonic() + self._means.position_seconds + grace)

    def _read(self, solver: _Solver) -> None:
        """Read what a process has written. Raises ``JudgeError`` if it ended by itself."""
        try:
            lines = solver.read_lines()
        except EOFError as error:
            if (code := solver.exit_code()) >= 0:
                raise JudgeError(f"c4-solve ended with code {code} {error}".rstrip()) from None
            self._replace(solver)
            return
        for line in lines:
            self._take_line(solver, line)

    def _take_line(self, solver: _Solver, line: bytes) -> None:
        """Take a line of a process as the answer to its question.

        A second line about a question, which says that its answer is not exact, is skipped.
        """
        number = UNSOLVED.match(line)
        if number and int(number[1]) == solver.answered:
            return
        question = solver.asked
        if question is None:
            raise _wrong_answer("without a question", line)
        is_refusal = number is not None and int(number[1]) == solver.answered + 1
        result = None if is_refusal else _solved(line, question)
        if result is not None:
            self._results.add(question.position, result)
        solver.answered += 1
        self._continue(solver, is_solved=result is not None)


def _command_line(variant: Variant, means: Means) -> tuple[str, ...]:
    """Return the command line of a solver."""
    options = ["--variant", str(variant), "--json"]
    if variant.gravity:
        hash_mb = min(HASH_MB, max(MIN_HASH_MB, ALL_HASH_MB // means.processes))
        options += ["--all", "--hash-mb", str(hash_mb)]
    else:
        options += ["--time-ms", str(math.ceil(means.position_seconds * 1000))]
    return (*resolved(means.command), *options)


def _moves(question: Question) -> str:
    """Return the moves that lead to a position, as ``c4-solve`` reads and repeats them."""
    cells, position = question
    return "".join(cell_name(position.variant, cell) for cell in cells)


def _solved(line: bytes, question: Question) -> Solved | None:
    """Return the result in an answer, or ``None`` if it is not exact.

    Raises ``JudgeError`` if it is not an answer to the question.
    """
    position = question.position
    try:
        answer = orjson.loads(line)
    except orjson.JSONDecodeError:
        answer = None
    match answer:
        case {"moves": moves, "score": int() as score, **rest} if moves == _moves(
            question
        ) and _is_score(score, position):
            result = _details(score, rest, position)
            if result is not None:
                return result if rest.get("exact", True) is True else None
    raise _wrong_answer(f"to {_moves(question)!r}", line)


def _details(score: int, rest: dict[Any, Any], position: Position) -> Solved | None:
    """Return a result with scores or a best move, or ``None`` if they are not possible."""
    variant = position.variant
    if not variant.gravity:
        names = [cell_name(variant, cell) for cell in position.moves]
        best = rest.get("best")
        if not isinstance(best, list) or not set(best) <= set(names):
            return None
        return Solved(score, best=next((name for name in names if name in best), ""))
    scores = rest.get("scores")
    if not isinstance(scores, list) or len(scores) != variant.width:
        return None
    open_columns = [bool(column & position.playable) for column in variant.columns]
    known = [one for one, is_open in zip(scores, open_columns, strict=True) if is_open]
    closed = [one for one, is_open in zip(scores, open_columns, strict=True) if not is_open]
    is_valid = all(_is_score(one, position) for one in known) and closed.count(None) == len(closed)
    return Solved(score, tuple(scores)) if is_valid and max(known) == score else None


def _is_score(score: object, position: Position) -> bool:
    """Return whether a game can end with this score, for the player to move."""
    return type(score) is int and abs(score) <= win_score(position.variant, position.ply + 1)


def _wrong_answer(about: str, line: bytes) -> JudgeError:
    return JudgeError(
        f"c4-solve gave a wrong answer {about}: {shortened(line.decode(errors='replace'))}"
    )
