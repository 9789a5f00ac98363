"""Exact scores of the positions of games, computed by ``c4-solve`` within a time limit.

One process of ``c4-solve`` for each processor works on one game at a time. It is asked about one
position at a time, from the last position of the game backwards, because its table then holds
the results of later positions. Then it is asked to explain the moves that changed the result, and
about best play around them. A process that does not answer in time is killed, and a new one
continues with the game or with another one. There are no threads: this process waits for all pipes
at once.
"""

import selectors
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_referee.contest.judging.solver_process import (
    MAX_POSITION_SECONDS,
    Question,
    SolverProcess,
    SolverSettings,
    is_named_by_solver,
)
from c4_referee.contest.judging.values import ExactValues, ProgressFunction, TimeLimit
from c4_referee.records.stats.analysis import KnownPositions, changing_plies, is_forced
from c4_referee.records.stats.solved import value_by_rules

MIN_POSITIONS = 60
"""Minimum number of hard positions for which the whole time is enough. If it is long, each position
has longer than usual."""
MAX_FAILURES = 3
"""Number of positions in a row that are not solved before a game without gravity is given up. There
an earlier position may be easier to solve, because a win is easier to prove than a draw."""
QuestionGenerator = Generator[Question, bool | None, None]
"""Generator of the positions of a game. Each one is solved or given up before the next one. The
generator is sent whether it was solved."""


@dataclass(frozen=True, slots=True)
class SolvingSummary:
    """Summary of a run of the solver.

    ``games`` is the number of different games with moves by bots. ``done`` of them were solved, or
    given up because a position needs too long. ``positions`` is the number of positions that were
    solved. ``ended`` says why the run stopped early, or is ``None``.
    """

    games: int
    done: int
    positions: int
    ended: Literal["time", "interrupt"] | None


def solve_games(
    games: Iterable[GameEnded],
    variant: Variant,
    values: ExactValues,
    seconds: float,
    progress: ProgressFunction = lambda _done, _games: None,
    settings: SolverSettings | None = None,
) -> SolvingSummary:
    """Solve the positions of games, and best play after the moves that changed their results.

    Sentences that explain these moves are added, too.
    ``games`` of one ``variant`` come in the order of their importance. Games in which known values
    already show a change come before the others, and void games come last. Results are added to
    ``values``. The run ends after ``seconds`` or by Ctrl-C. No process is left.
    Raises ``UsageError`` if the variant cannot be solved, and ``JudgeError`` if the solver fails.
    """
    if not is_named_by_solver(variant):
        raise UsageError(f"c4-solve does not solve {variant}")
    limit = TimeLimit(seconds)
    usual = SolverSettings(position_seconds=max(MAX_POSITION_SECONDS, seconds / MIN_POSITIONS))
    pool = _SolverPool(variant, values, limit, settings or usual, progress)
    try:
        with limit:
            pool.solve([_questions_of_game(game, values) for game in _in_order(games, values)])
    finally:
        pool.close()
        values.flush()
    return SolvingSummary(pool.games, pool.done, values.count, limit.ended)


def _in_order(games: Iterable[GameEnded], values: ExactValues) -> list[GameEnded]:
    """Return the games with moves by bots, in the order in which they are solved.

    Games with the same moves are solved once.
    """
    distinct: dict[str, GameEnded] = {}
    for game in sorted(games, key=lambda game: game.ending == "void"):
        if game.plies > game.start:
            distinct.setdefault(game.moves, game)
    return sorted(distinct.values(), key=lambda game: _sort_key(game, values))


def _sort_key(game: GameEnded, values: ExactValues) -> tuple[bool, int, bool]:
    """Return a key for sorting games: those to solve first have the lowest key.

    Games that an earlier run has given up come after other games. Otherwise, they would use up the
    time of all later runs.
    """
    is_void = game.ending == "void"
    if not values.known:
        return is_void, 0, True
    unfinished = [position for position in game.positions if not position.is_over]
    if not any(values.find(position) for position in unfinished):
        return is_void, 0, True
    wanted = [_is_to_be_solved(position, values) for position in unfinished]
    step = 0 if wanted[-1] else 1 + any(wanted)
    known, _ = KnownPositions(values.known).along(game)
    change = next(changing_plies(game, known), None)
    return is_void, step, change is None


def _is_to_be_solved(position: Position, values: ExactValues) -> bool:
    """Return whether a position is still to be solved. With gravity, scores are wanted, too."""
    solved = values.find(position)
    return solved is None or (position.variant.gravity and not solved.scores)


def _questions_of_game(game: GameEnded, values: ExactValues) -> QuestionGenerator:
    """Generate the positions of a game that are to be solved, the last one first.

    Then generate the questions about its changes. ``values`` change between the questions.
    """
    failures, max_failures = 0, 1 if game.rules.gravity else MAX_FAILURES
    for ply, position in reversed([*enumerate(game.positions)]):
        if not position.is_over and _is_to_be_solved(position, values):
            failures = 0 if (yield Question(game.cells[:ply], position)) else failures + 1
        if failures == max_failures:
            break
    yield from _questions_about_changes(game, values)


def _questions_about_changes(game: GameEnded, values: ExactValues) -> QuestionGenerator:
    """Generate the moves that changed the result, to be explained, the last one first.

    Then generate positions of best play before and after these moves. Explanations may name the
    better moves with which best play begins.
    """
    cells, positions = game.cells, game.positions
    known_values, _ = KnownPositions(values.known).along(game)
    changes = [*changing_plies(game, known_values)]
    for ply in reversed(changes):
        solved = values.find(positions[ply])
        is_explained = solved and solved.reason(game.move_names[ply])
        if not is_explained and not (yield Question(cells[:ply], positions[ply], cells[ply])):
            break
    for changing in changes:
        for ply in (changing, changing + 1):
            value = known_values[ply]
            if value is not None:
                yield from _questions_of_line(cells[:ply], positions[ply], value, values)


def _questions_of_line(
    cells: Sequence[int], position: Position, value: int, values: ExactValues
) -> QuestionGenerator:
    """Generate the positions of best play from a position with this ``value``.

    Positions in which the rules show the best move are not asked.
    """
    known = KnownPositions(values.known)
    while not position.is_over:
        is_clear = value_by_rules(position) is not None or is_forced(position)
        if not is_clear and _is_to_be_solved(position, values):
            if not (yield Question(cells, position)):
                return
            known = KnownPositions(values.known)
        moves = known.best_moves(position, value)
        if not moves:
            return
        cells = [*cells, moves[0]]
        position, value = position.play(moves[0]), -value


@dataclass
class _SolverPool:
    """Processes of ``c4-solve``, each of which solves one game after another."""

    variant: Variant
    values: ExactValues
    limit: TimeLimit
    settings: SolverSettings
    progress: ProgressFunction
    games: int = 0
    done: int = 0
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    _questions_of_game: dict[SolverProcess, QuestionGenerator] = field(default_factory=dict)

    def solve(self, games: Sequence[QuestionGenerator]) -> None:
        """Solve games. Raises ``TimeUp`` and ``JudgeError``."""
        waiting, self.games = iter(games), len(games)
        self.progress(0, self.games)
        for _ in range(self.settings.processes):
            self._ask_next(self._questions_of_games(waiting), None)
        while self._questions_of_game:
            deadline = min(
                self.limit.until, *(solver.deadline for solver in self._questions_of_game)
            )
            for key, _ in self._selector.select(max(0.0, deadline - time.monotonic())):
                self._read_answer(key.data)
            self.limit.check()
            for solver in [*self._questions_of_game]:
                if time.monotonic() > solver.deadline:
                    self._ask_next(self._end_process(solver), False)

    def close(self) -> None:
        """End all processes."""
        for solver in [*self._questions_of_game]:
            self._end_process(solver)
        self._selector.close()

    def _questions_of_games(self, waiting: Iterator[QuestionGenerator]) -> QuestionGenerator:
        """Generate the questions of the games that no other process has taken from ``waiting``."""
        for game in waiting:
            self.limit.check()
            yield from game
            self.done += 1
            self.progress(self.done, self.games)

    def _ask_next(
        self,
        questions: QuestionGenerator,
        is_solved: bool | None,
        solver: SolverProcess | None = None,
    ) -> None:
        """Ask the next question, and start a process for it if there is no ``solver``.

        ``is_solved`` is the answer to the last question. It is ``None`` if there was none. The
        process is ended if there are no more questions.
        """
        try:
            question = questions.send(is_solved)
        except StopIteration:
            if solver:
                self._end_process(solver)
            return
        if solver is None:
            solver = SolverProcess(self.variant, self.settings)
            self._questions_of_game[solver] = questions
            self._selector.register(solver.output, selectors.EVENT_READ, solver)
        solver.ask(question)

    def _end_process(self, solver: SolverProcess) -> QuestionGenerator:
        """Kill a process, and return the questions that it was answering."""
        self._selector.unregister(solver.output)
        solver.end()
        return self._questions_of_game.pop(solver)

    def _read_answer(self, solver: SolverProcess) -> None:
        """Take the answer of a process, and ask the next question."""
        try:
            answer = solver.read()
        except EOFError:
            self._ask_next(self._end_process(solver), False)
            return
        if answer is None:
            return
        question, solved = answer
        if solved:
            self.values.add(question.position, solved)
        self._ask_next(self._questions_of_game[solver], solved is not None, solver)
