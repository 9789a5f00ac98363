"""Search that plays exactly if the score is proven in time, and otherwise as well as it can.

The solver gets a share of the limits. If it proves the score, null-window searches find the moves
that preserve the score. Otherwise iterative deepening gets the rest of the limits and chooses a
move. If this move is proven to lose, or to be worse than another move, another move is played.

In a won position the shortest win is played. In a position that is a draw, the move is played after
which the largest fraction of the opponent's replies lose. In a lost position, the move is played
after which the opponent is most likely to make an error. This likelihood is estimated from the
fraction of replies that are errors, and from the length of the game.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from threading import TIMEOUT_MAX, Event, Thread

from c4_protocol.errors import UsageError
from c4_protocol.notation import win_score
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.book import default_book
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
from c4_bot.native import MAX_BITS, twin
from c4_bot.search._shares import hope_of_proof
from c4_bot.search.deepening import Deepening
from c4_bot.search.line_perfect import LinePerfect
from c4_bot.solve.oracle import Oracle
from c4_bot.solve.score import Solution, last_ply
from c4_bot.solve.solver import Solver

MOVE_WORTH = 0.3
"""Fraction of wrong replies that counts as much as a loss one move later. Against many kinds of
opponents that make errors, the sum of both had better results than the fraction or the length
alone."""
FORCED_SHARE = 0.05
"""Share of the limits to find the score of a forced move."""
SECOND_SHARE = 0.8
"""Share of the limits after which the second search of a won or lost position stops."""
AHEAD_SHARE = 0.9
"""Fraction of the limits after which the deepening search stops. The solver uses the rest to check
the move that this search found. In a lost position, the solver stops to score moves then."""
QUICK_NODES = 20_000
"""Maximum number of nodes of the solver's first search of a move. So it solves the easy moves
before it spends its time on a hard move."""
SHORT_SECONDS = 0.1
"""Minimum time to use more than one thread, in seconds. On a busy machine threads may stop late."""
QUICK_SECONDS = 0.005
"""Maximum time to find the moves of the principal variation, in seconds."""


@dataclass
class Perfect:
    """Search that combines a solver, an opening book and iterative deepening.

    ``share`` is the fraction of the limits that the solver may use, 0 to 1. If a proof is out of
    reach, it gets less or nothing (see ``c4_bot.search._shares``). If ``book`` is false,
    the book is not used. If ``score_only`` is true, the search stops when the score is proven, and
    returns a move that may not be the best move. To find the best move takes several times as long.

    In games without gravity ``line_perfect`` searches. If the limits contain a depth, only the
    deepening search runs. If the core has no solver for the variant (see ``c4_bot.solve.solver``),
    only the deepening search and the book are used.

    If the time suffices, the same position gives the same move for any number of threads. Proven
    results are remembered for the next call. They never change a proven score, but if the time is
    short, they make it possible to prove more scores. Searches with a limit of nodes remember
    nothing, use one thread, and are repeatable.
    """

    evaluator: Evaluator
    share: float = 0.5
    book: bool = True
    score_only: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share is 0 to 1, not {self.share}")
        self._ahead = twin("deepening", Deepening(self.evaluator, reduces=True))
        self._lines = LinePerfect(self.evaluator, self.share)
        self._solvers: dict[Variant, tuple[Solver, Event]] = {}

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found; ``exact`` is true if its score is proven."""
        if limits.depth is not None:
            return self._ahead.search(position, limits)
        if not position.variant.gravity:
            return self._lines.search(position, limits)
        if limits.nodes is not None or _is_short(limits):
            limits = replace(limits, threads=1)
        solver, ready = self._solver(position.variant, limits)
        hope = hope_of_proof(position, limits)
        oracle = Oracle(solver, limits, ready and hope > 0)
        result = _Run(position, oracle, self._ahead, hope * self.share, self.score_only).choose()
        known = self.book and in_book(position)
        return replace(
            result, nodes=oracle.nodes, reason="from the book" if known else result.reason
        )

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
        solver, ready = self._solver(variant, limits)
        oracle = Oracle(solver, limits, ready)
        for cell in position.moves:
            known = oracle.of_move(position, cell)
            if known.exact:
                yield Scored(cell, _search_score(position, known.low), exact=True)

    def _solver(self, variant: Variant, limits: Limits) -> tuple[Solver, bool]:
        """Return the variant's solver, and whether it is ready.

        It is not ready while the memory of its table is allocated. If nodes are not limited, all
        moves of a game use the same solver.
        """
        book = default_book() if self.book else None
        if limits.nodes is not None:
            return Solver(variant, book=book), True
        if variant not in self._solvers:
            self._solvers.clear()  # there is only one at a time, because its memory is large
            self._solvers[variant] = _prepared(Solver(variant, book=book))
        solver, is_ready = self._solvers[variant]
        return solver, is_ready.wait(self._seconds_to_wait(limits))

    def _seconds_to_wait(self, limits: Limits) -> float | None:
        """Return the seconds to wait for the solver; ``None`` for no limit."""
        if limits.deadline is None:
            return None
        seconds = self.share * (limits.deadline - time.monotonic())
        return min(max(0, seconds), TIMEOUT_MAX)


def _is_short(limits: Limits) -> bool:
    return limits.deadline is not None and limits.deadline - time.monotonic() < SHORT_SECONDS


def _prepared(solver: Solver) -> tuple[Solver, Event]:
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


def _search_score(position: Position, score: int) -> int:
    """Convert a score of the solver into a score of searches (see ``c4_bot.contract``)."""
    return ((score > 0) - (score < 0)) * won(last_ply(position, score))


def in_book(position: Position) -> bool:
    """Return whether the score of a position is from the book.

    If the player to move has a winning cell, the score is not from the book.
    """
    book = default_book()
    return book is not None and not position.winning_cells and book.score(position) is not None


def needs_no_thought(position: Position) -> bool:
    """Return whether only one move is legal, or the opponent would win on exactly one cell."""
    return position.opponent_winning_cells.bit_count() == 1 or len(position.moves) == 1


def natural_replies(position: Position) -> list[int]:
    """Return the moves after which the opponent has no winning cell, or else all moves."""
    safe = [cell for cell in position.moves if not position.play(cell).winning_cells]
    return safe or position.moves


@dataclass
class _Run:
    """The state of one search. ``oracle`` gets ``share`` of the limits, ``ahead`` gets the rest."""

    position: Position
    oracle: Oracle
    ahead: Search
    share: float
    score_only: bool
    refuted: set[int] = field(default_factory=set)

    def choose(self) -> Result:
        moves = urgent_first(self.position)
        if self.position.winning_cells:
            score = win_score(self.position.variant, self.position.ply + 1)
            return self._result_of(moves[0], Solution(score, score))
        if needs_no_thought(self.position):
            known = self.oracle.of_position(self.position, FORCED_SHARE)
            return replace(self._result_of(moves[0], known), reason="forced")
        known = self.oracle.of_position(self.position, self.share)
        if known.exact and self.score_only:
            return Result(moves[0], _search_score(self.position, known.low), exact=True)
        if known.low > 0:
            return self._win(known, moves)
        if known.high < 0:
            return self._loss(known, moves)
        return self._draw(moves) if known.exact else self._unproven(known, moves)

    def _win(self, known: Solution, moves: list[int]) -> Result:
        """Return the shortest win found, or else a move that is not proven to win."""
        if not known.exact:
            known = known.narrowed(self.oracle.of_position(self.position, SECOND_SHARE))
        if not known.exact:
            moves = self._with_first(self._look_ahead(AHEAD_SHARE).cell, moves)
        cell, proven = self._first_move_worth(known.low, moves)
        return self._result_of(cell, known) if proven else open_result(cell, "a win")

    def _loss(self, known: Solution, moves: list[int]) -> Result:
        """Return the losing move after which the opponent is most likely to make an error."""
        if not known.exact:
            moves = self._with_first(self._look_ahead(SECOND_SHARE).cell, moves)
        most = Solution(-self.position.variant.cells, known.high)
        scores = {cell: most.narrowed(self._move_score_within(cell, AHEAD_SHARE)) for cell in moves}
        longest_first = sorted(moves, key=lambda cell: -scores[cell].low)
        cell = max(longest_first, key=lambda cell: self._chance_of_error(cell, scores[cell].low))
        return self._result_of(cell, scores[cell])

    def _move_score_within(self, cell: int, share: float) -> Solution:
        """Return the bounds of a move's score that are found within ``share`` of the limits."""
        return self.oracle.of_move(self.position, cell, limits=self.oracle.left(share))

    def _chance_of_error(self, cell: int, score: int) -> float:
        """Return a measure of how likely the opponent is to make an error after a losing move."""
        moves_left = (last_ply(self.position, score) - self.position.ply) // 2
        return self._share_of_errors(cell, 0) + MOVE_WORTH * moves_left

    def _draw(self, moves: list[int]) -> Result:
        """Return the drawing move after which the largest fraction of the replies lose."""
        drawn = list(self._moves_worth(0, moves))
        if not drawn:
            return open_result(self._first_move_worth(0, moves)[0], "a draw")
        cell = (
            drawn[0]
            if len(drawn) == 1
            else max(drawn, key=lambda cell: self._share_of_errors(cell, 1))
        )
        return self._result_of(cell, Solution(0, 0))

    def _unproven(self, known: Solution, moves: list[int]) -> Result:
        """Return the move of the deepening search, or another move.

        Another move is returned if the first move is proven to lose, or to be worse than this move.
        """
        found = self._look_ahead(AHEAD_SHARE)
        if found.exact or not self.oracle.proves:
            return found
        cell, _ = self._first_move_worth(max(known.low, 0), self._with_first(found.cell, moves))
        return found if cell == found.cell else replace(found, cell=cell, score=0, line=(cell,))

    def _look_ahead(self, share: float) -> Result:
        limits = self.oracle.left(share if self.oracle.proves else 1)
        found = self.ahead.search(self.position, limits)
        self.oracle.spend(found.nodes)
        return found if found.exact else replace(found, reason="not proven in time")

    @staticmethod
    def _with_first(cell: int, moves: list[int]) -> list[int]:
        return [cell, *(other for other in moves if other != cell)]

    def _first_move_worth(self, score: int, moves: list[int]) -> tuple[int, bool]:
        """Return the first move proven to be worth at least ``score``, and ``True``.

        If there is no such move, return a move that is not refuted, and ``False``.
        """
        for cell in self._moves_worth(score, moves):
            return cell, True
        left = [cell for cell in moves if cell not in self.refuted] or moves
        return left[0], False

    def _moves_worth(self, score: int, moves: list[int]) -> Iterator[int]:
        """Yield the moves that are proven to be worth at least ``score``.

        Add the moves that are proven to be worth less to ``refuted``.
        """
        quick = {cell: self._is_worth(cell, score, self._quick_limits()) for cell in moves}
        for cell in moves:
            if quick[cell] or (quick[cell] is None and self._is_worth(cell, score)):
                yield cell

    def _is_worth(self, cell: int, score: int, limits: Limits | None = None) -> bool | None:
        """Return whether a move is worth at least ``score``; ``None`` if this is not proven."""
        found = self.oracle.of_move(self.position, cell, (score - 1, score), limits)
        if found.high < score:
            self.refuted.add(cell)
            return False
        return True if found.low >= score else None

    def _quick_limits(self) -> Limits:
        return self.oracle.left().capped(QUICK_NODES)

    def _share_of_errors(self, cell: int, wanted: int) -> float:
        """Return the fraction of natural replies after which a move is worth at least ``wanted``.

        A reply whose score is not found in time does not count as an error.
        """
        child = self.position.play(cell)
        if child.is_full or child.winning_cells:
            return 0
        replies = natural_replies(child)
        scores = (self.oracle.of_move(child, reply, (-wanted, 1 - wanted)) for reply in replies)
        return sum(score.high <= -wanted for score in scores) / len(replies)

    def _result_of(self, cell: int, known: Solution) -> Result:
        """Return the result that plays ``cell``; its score follows from the bounds ``known``."""
        score = max(known.low, 0) or min(known.high, 0)
        depth = last_ply(self.position, score) - self.position.ply if known.exact else 0
        line = self._line(cell, score) if known.exact else (cell,)
        return Result(cell, _search_score(self.position, score), known.exact, depth, line=line)

    def _line(self, cell: int, score: int) -> tuple[int, ...]:
        """Return a move that is worth ``score``, followed by the expected moves."""
        line, position, limits = [cell], self.position.play(cell), self._line_limits()
        while limits and not position.is_over:
            score = -score
            best = self._find_move_worth(position, score, limits)
            if best is None:
                break
            line.append(best)
            position = position.play(best)
        return tuple(line)

    def _line_limits(self) -> Limits | None:
        """Return the limits of the search for expected moves; ``None`` if nodes are limited."""
        left, soon = self.oracle.left(), time.monotonic() + QUICK_SECONDS
        if left.nodes is not None:
            return None
        return replace(left, deadline=min(soon, left.deadline or soon))

    def _find_move_worth(self, position: Position, score: int, limits: Limits) -> int | None:
        """Return a move that is worth at least ``score``; ``None`` if no such move is found."""
        for cell in urgent_first(position):
            if self.oracle.of_move(position, cell, (score - 1, score), limits).low >= score:
                return cell
        return None
