"""Search that plays exactly if the score is proven in time, and otherwise as well as it can.

The solver gets a share of the limits. If it proves the score, null-window searches find the moves
that preserve the score. Otherwise iterative deepening gets the rest of the limits and chooses a
move. If this move is proven to lose, or to be worse than another move, another move is played.

In a won position the shortest win is played. In a position that is a draw, the move is played after
which the largest fraction of the opponent's replies lose. In a lost position, the player plays to
win: a deepening search plays its best move, as if nothing were proven. Perfect play would win for
the opponent, but this search asks the most of an opponent that does not see as far. Among moves
that it holds nearly equal, the seed decides, so that nobody can learn by heart how to win.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from threading import TIMEOUT_MAX, Event, Thread

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.notation import win_score
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.book import default_book
from c4_bot.book.book_file import Book
from c4_bot.contract import (
    Evaluator,
    Limits,
    Result,
    Scored,
    Search,
    open_result,
    urgent_first,
    won,
)
from c4_bot.native import MAX_BITS, is_core_available, native_twin
from c4_bot.search._root_moves import RootMoves
from c4_bot.search._shares import hope_of_proof
from c4_bot.search.deepening import Deepening
from c4_bot.search.human import Human
from c4_bot.solve.oracle import Oracle
from c4_bot.solve.score import Solution, last_ply, sign_of
from c4_bot.solve.solver import Solver

LOST_NODES = 200_000
"""Maximum number of nodes of the search in a lost position. They take about 25 ms."""
OVERTIME_NODES = 2000
"""Number of nodes of a search ahead if the time is over, for example because the process was
started on a busy machine. They take about 0.3 ms, and show what loses at once."""
NOISE_IN_POINTS = 0.25
"""Maximum number, in points, that this search adds to the score of a move or subtracts from it. So
the seed may decide between two moves whose scores differ by less than half a point."""
FORCED_MOVE_SHARE = 0.05
"""Share of the limits to find the score of a forced move."""
ORDERING_SHARE = 0.2
ORDERING_NODES = 2000
"""Share of the limits, and maximum number of nodes, of the deepening search that finds the move
about which the solver is asked first."""
AHEAD_SHARE = 0.9
"""Fraction of the limits after which the deepening search stops. The solver uses the rest to check
the move that this search found, or in a lost position to score moves."""
PLIES_AHEAD = 4
"""Number of plies until after the replies to the player's next move. A search asks about the moves
of a position and about the replies to them."""
SHORT_SEARCH_SECONDS = 0.1
"""Minimum time to use more than one thread, in seconds. On a busy machine threads may stop late."""
UNPROVEN_MOVE = "the move of the search was refuted, and this one was not"
"""Reason of a move that is played instead of the move of the deepening search."""
QUICK_SEARCH_SECONDS = 0.005
"""Maximum time to find the moves of the principal variation, in seconds."""


@dataclass
class Perfect:
    """Search that combines a solver, an opening book and iterative deepening.

    ``share`` is the fraction of the limits that the solver may use, 0 to 1. If a proof is out of
    reach, it gets less or nothing (see ``c4_bot.search._shares``). If ``book`` is false, the book
    is not used. If ``score_only`` is true, the search stops when the score of the position is
    proven. It returns this score with a move that may be worth less, because to find the best move
    takes several times as long. The ``seed`` is for lost positions; without one, each answer gets a
    new seed.

    In games without gravity ``line_perfect`` searches. If the limits contain a depth, only the
    deepening search runs. If the core has no solver for the variant (see ``c4_bot.solve.solver``),
    only the deepening search and the book are used.

    If the time suffices, the same position and seed give the same move for any number of threads.
    Proven results are remembered for the next call. They never change a proven score, but if the
    time is short, they make it possible to prove more scores. Searches with a limit of nodes
    remember nothing, use one thread, and are repeatable with a seed.
    """

    evaluator: Evaluator
    share: float = 0.5
    book: bool = True
    score_only: bool = False
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share is 0 to 1, not {self.share}")
        self._ahead = native_twin("deepening", Deepening(self.evaluator, reduces=True))
        noise = int(NOISE_IN_POINTS * self.evaluator.unit)
        self._playing_to_win = native_twin(
            "human", Human(self.evaluator, noise=noise, seed=self.seed)
        )
        self._solvers: dict[Variant, tuple[Solver, Event]] = {}

    @cached_property
    def _search_without_gravity(self) -> Search:
        """The search of games without gravity. Other games do not need to import it."""
        from c4_bot.search.line_perfect import LinePerfect  # noqa: PLC0415 - slow

        return LinePerfect(self.evaluator, self.share)

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found; ``exact`` is true if its score is proven."""
        if limits.depth is not None:
            return self._ahead.search(position, limits)
        if not position.variant.gravity:
            return self._search_without_gravity.search(position, limits)
        is_short = (
            limits.deadline is not None
            and limits.deadline - time.monotonic() < SHORT_SEARCH_SECONDS
        )
        if limits.nodes is not None or is_short:
            limits = replace(limits, threads=1)
        hope = hope_of_proof(position, limits)
        oracle = Oracle(self._solver(position, limits), limits, may_prove=hope > 0)
        result = _PerfectRun(
            position,
            oracle,
            self._ahead,
            self._playing_to_win,
            hope * self.share,
            self.score_only,
        ).choose()
        return replace(result, nodes=oracle.nodes)

    def move_scores(self, position: Position, limits: Limits) -> Iterator[Scored]:
        """Yield the moves whose scores are proven within the limits, with these scores.

        In games without gravity on boards that are too large for the core, no move is scored: there
        may be thousands of moves, and asking for all their scores would take too long.
        """
        variant = position.variant
        if limits.depth is not None or self.score_only:
            return
        if not variant.gravity and variant.bits > MAX_BITS:
            return
        oracle = Oracle(self._solver(position, limits), limits)
        for cell, bounds in oracle.bounds_of_moves(position):
            if bounds.exact:
                yield Scored(cell, _search_score_of(position, bounds.low), exact=True)

    def _solver(self, position: Position, limits: Limits) -> Solver:
        """Return a solver for a position, without the core if its table is not ready in time.

        It is not ready while the memory of its table is allocated. This begins when the book may
        not suffice for the next move. If nodes are not limited, all later moves of a game use the
        same solver.
        """
        variant, book = position.variant, default_book() if self.book else None
        if limits.nodes is not None:
            return Solver(variant, book=book)
        if variant not in self._solvers:
            if _has_all_scores(book, position):
                return Solver(variant, book=book, native=False)
            self._solvers.clear()  # there is only one at a time, because its memory is large
            self._solvers[variant] = _start_to_prepare(Solver(variant, book=book))
        solver, is_ready = self._solvers[variant]
        seconds = None
        if limits.deadline is not None:
            seconds = self.share * (limits.deadline - time.monotonic())
            seconds = min(max(0, seconds), TIMEOUT_MAX)
        return solver if is_ready.wait(seconds) else Solver(variant, book=book, native=False)


def _has_all_scores(book: Book | None, position: Position) -> bool:
    """Return whether the book has all scores that the search of this move and of the next need."""
    if book is None or book.variant != position.variant:
        return False
    return position.ply <= book.plies - PLIES_AHEAD


def _start_to_prepare(solver: Solver) -> tuple[Solver, Event]:
    """Start to allocate a solver's memory; return the solver and an event, set when it is ready.

    The allocation takes a few milliseconds, sometimes 200.
    """
    is_ready = Event()

    def prepare() -> None:
        solver.forget()
        is_ready.set()

    try:
        Thread(target=prepare).start()
    except RuntimeError:  # this process is not allowed to start another thread
        prepare()
    return solver, is_ready


def _search_score_of(position: Position, score: int) -> int:
    """Convert a score of the solver into a score of searches (see ``c4_bot.contract``)."""
    return sign_of(score) * won(last_ply(position, score))


def needs_no_thought(position: Position) -> bool:
    """Return whether only one move is legal, or the opponent would win with the next move.

    If the opponent would win on several cells, all moves lose. One of these cells is played.
    """
    return position.opponent_winning_cells != 0 or len(position.moves) == 1


def natural_replies(position: Position) -> list[int]:
    """Return the moves after which the opponent has no winning cell, or else all moves."""
    safe = [cell for cell in position.moves if not position.play(cell).winning_cells]
    return safe or position.moves


@dataclass
class _PerfectRun:
    """The state of one search. ``oracle`` gets ``share`` of the limits, ``ahead`` gets the rest.

    ``playing_to_win`` chooses among moves that lose.
    """

    position: Position
    oracle: Oracle
    ahead: Search
    playing_to_win: Search
    share: float
    score_only: bool

    def choose(self) -> Result:
        """Return the result that ``Perfect.search`` describes."""
        position = self.position
        if position.winning_cells:
            score = win_score(position.variant, position.ply + 1)
            return self._result_of(urgent_first(position)[0], Solution(score, score))
        if needs_no_thought(position):
            bounds = self.oracle.bounds_of_position(
                position, self.oracle.limits_left(FORCED_MOVE_SHARE)
            )
            return self._result_of(urgent_first(position)[0], bounds)
        if self.score_only and (result := self._result_with_proven_score()):
            return result
        self.moves = RootMoves(position, self.oracle)
        self._find_outcome()
        if self.moves.score.low > 0:
            return self._winning_result()
        if self.moves.score.high < 0:
            return self._losing_result()
        return self._drawing_result() if self.moves.score.exact else self._unproven_result()

    def _result_with_proven_score(self) -> Result | None:
        """Return the position's score, with a move that may not be the best, if it is proven."""
        bounds = self.oracle.bounds_of_position(self.position, self.oracle.limits_left(self.share))
        if not bounds.exact:
            return None
        score = _search_score_of(self.position, bounds.low)
        reason = "the position's score"
        return Result(urgent_first(self.position)[0], score, exact=True, reason=reason)

    def _find_outcome(self) -> None:
        """Find out who wins, if the time suffices. Ask about the deepening search's move first."""
        if self.moves.is_solved or not self.oracle.proves:
            return
        limits = self.oracle.limits_left(ORDERING_SHARE).capped_at(ORDERING_NODES)
        result = self._look_ahead(limits)
        if not self.moves.has_outcome:
            self.moves.find_outcome(self.share, first=0 if result.score < 0 else 1)

    def _winning_result(self) -> Result:
        """Return the shortest win found, or else a move that is not proven to win."""
        self.moves.find_best(1)
        score = self.moves.low
        if score <= 0:
            return open_result(self.moves.first_unrefuted(), "a win")
        cell = self.moves.first_move_worth(score, 1)
        return self._result_of(cell, Solution(score, self.moves.high))

    def _losing_result(self) -> Result:
        """Return the move of the search that plays to win, with the scores of all moves."""
        position = self.position
        limits = self.oracle.limits_left(AHEAD_SHARE).capped_at(LOST_NODES)
        found = self.playing_to_win.search(position, self._with_overtime(limits))
        self.oracle.nodes += found.nodes
        self.moves.find_scores(1)
        possible_bounds = Solution(-position.variant.cells, self.moves.high)
        scores = {
            cell: possible_bounds.narrowed(self.moves.bounds[cell]) for cell in self.moves.order
        }
        result = self._result_of(found.cell, scores[found.cell])
        lost = tuple(
            Scored(cell, _search_score_of(position, bounds.high), bounds.exact)
            for cell, bounds in scores.items()
        )
        return replace(result, scores=lost)

    def _drawing_result(self) -> Result:
        """Return the drawing move after which the largest fraction of the replies lose."""
        drawn = self.moves.find_all_moves_worth(0, 1)
        if not drawn:
            return open_result(self.moves.first_unrefuted(), "a draw")
        cell = drawn[0]
        if len(drawn) > 1:
            cell = max(drawn, key=lambda cell: self._share_of_errors(cell, 1))
        return self._result_of(cell, Solution(0, 0))

    def _unproven_result(self) -> Result:
        """Return the move of the deepening search, or another move.

        Another move is returned if the first move is proven to lose, or to be worse than this move.
        """
        result = self._look_ahead(self.oracle.limits_left(AHEAD_SHARE if self.oracle.proves else 1))
        if result.exact or not self.oracle.proves:
            return result
        self.moves.find_move_worth(max(self.moves.score.low, 0), 1)
        cell = self.moves.first_unrefuted()
        return result if cell == result.cell else Result(cell, line=(cell,), reason=UNPROVEN_MOVE)

    def _look_ahead(self, limits: Limits) -> Result:
        """Return the result of the deepening search, whose move becomes the first one."""
        result = self.ahead.search(self.position, self._with_overtime(limits))
        self.oracle.nodes += result.nodes
        self.moves.put_first(result.cell)
        self.moves.learn(result)
        return result

    def _with_overtime(self, limits: Limits) -> Limits:
        """Return the limits of a search ahead; if hardly any time is left, a few nodes instead.

        In Python, these would take seconds on a large board.
        """
        is_quick = self.position.variant.bits <= MAX_BITS and is_core_available()
        if limits.deadline is None or not limits.is_tight or not is_quick:
            return limits
        return replace(limits, deadline=None).capped_at(OVERTIME_NODES)

    def _share_of_errors(self, cell: int, wanted: int) -> float:
        """Return the fraction of natural replies after which a move is worth at least ``wanted``.

        A reply whose score is not found in time does not count as an error.
        """
        child = self.position.play(cell)
        if child.is_full or child.winning_cells:
            return 0
        replies = natural_replies(child)
        scores = (
            self.oracle.bounds_of_move(child, reply, (-wanted, 1 - wanted)) for reply in replies
        )
        return sum(score.high <= -wanted for score in scores) / len(replies)

    def _result_of(self, cell: int, bounds: Solution) -> Result:
        """Return the result that plays ``cell``; its score follows from the bounds ``bounds``."""
        score = max(bounds.low, 0) or min(bounds.high, 0)
        depth = last_ply(self.position, score) - self.position.ply if bounds.exact else 0
        line = self._expected_line(cell, score) if bounds.exact else (cell,)
        return Result(cell, _search_score_of(self.position, score), bounds.exact, depth, line=line)

    def _expected_line(self, cell: int, score: int) -> tuple[int, ...]:
        """Return a move that is worth ``score``, followed by the expected moves.

        If nodes are limited, no moves are looked for.
        """
        line, position = [cell], self.position.play(cell)
        left, soon = self.oracle.limits_left(), time.monotonic() + QUICK_SEARCH_SECONDS
        if left.nodes is not None:
            return (cell,)
        limits = replace(left, deadline=min(soon, left.deadline or soon))
        while not position.is_over:
            score = -score
            bounds = (
                (reply, self.oracle.bounds_of_move(position, reply, (score - 1, score), limits))
                for reply in urgent_first(position)
            )
            best = next((reply for reply, found in bounds if found.low >= score), None)
            if best is None:
                break
            line.append(best)
            position = position.play(best)
        return tuple(line)
