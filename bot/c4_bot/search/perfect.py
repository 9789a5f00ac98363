"""Exact play where the score can be proven in time; otherwise the best move found.

The solver gets a share of the limits. If it proves the score, null windows find the moves that keep
it. If it does not, iterative deepening gets the rest, but a move that is proven to be worse than
another, or to lose, is not played.

Among winning moves the shortest win is played. Among drawing moves, it is the move after which the
largest share of the opponent's replies lose. Among losing moves, it is the one with the best
chances that the opponent errs: they grow with the share of replies that err, and with the length of
the game.
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
from c4_bot.native import twin
from c4_bot.search.deepening import Deepening
from c4_bot.search.line_perfect import LinePerfect
from c4_bot.solve.oracle import Oracle
from c4_bot.solve.score import Solution, last_ply
from c4_bot.solve.solver import Solver

MOVE_WORTH = 0.3
"""Share of wrong replies that is worth as much as a loss one move later. Against many kinds of
fallible opponents this did better than the share alone or the length alone."""
FORCED_SHARE = 0.05
"""Share of the limits to find the score of a move that needs no thought."""
SECOND_SHARE = 0.8
"""Share of the limits after which the second search of a won or lost position stops."""
AHEAD_SHARE = 0.9
"""Share of the limits at which the deepening search ends; the rest is to ask the solver about its
move."""
QUICK_NODES = 20_000
"""Maximum number of nodes of the solver's first look at a move, so that a hard move does not keep
it from seeing that another one is easy."""
SHORT_SECONDS = 0.1
"""A search with less time uses one thread: on a busy machine every further thread may end late."""
QUICK_SECONDS = 0.005
"""Maximum time to find the moves expected later, in seconds."""


@dataclass
class Perfect:
    """The search; ``share`` of the limits is for the solver, and ``book`` switches the book on.

    With ``score_only`` it judges positions rather than playing: as soon as a score is proven, the
    search returns it with any move. Finding the best move takes several times as long.

    In games without gravity ``line_perfect`` searches. With a depth in the limits only the
    deepening search runs. If the core has no solver for the variant (see ``c4_bot.solve.solver``),
    only the deepening search and the book are used.

    With enough time the same position gives the same move for any number of threads. What is proven
    is kept for the next call: that changes no proof, but with little time more may be proven.
    Searches with a limit of nodes keep nothing, use one thread, and are repeatable.
    """

    evaluator: Evaluator
    share: float = 0.5
    book: bool = True
    score_only: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share is 0 to 1, not {self.share}")
        self._ahead = twin("deepening", Deepening(self.evaluator))
        self._lines = LinePerfect(self.evaluator, self.share)
        self._solvers: dict[Variant, tuple[Solver, Event]] = {}

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found, exact if it is proven; ``reason`` says how it was found."""
        if limits.depth is not None:
            return self._ahead.search(position, limits)
        if not position.variant.gravity:
            return self._lines.search(position, limits)
        if limits.nodes is not None or _is_short(limits):
            limits = replace(limits, threads=1)
        solver, ready = self._solver(position.variant, limits)
        oracle = Oracle(solver, limits, ready)
        result = _Run(position, oracle, self._ahead, self.share, self.score_only).choose()
        known = self.book and in_book(position)
        return replace(
            result, nodes=oracle.nodes, reason="from the book" if known else result.reason
        )

    def move_scores(self, position: Position, limits: Limits) -> Iterator[Scored]:
        """Yield the moves whose scores are proven within the limits, to show them to people."""
        if limits.depth is not None or self.score_only:
            return
        solver, ready = self._solver(position.variant, limits)
        oracle = Oracle(solver, limits, ready)
        for cell in position.moves:
            known = oracle.of_move(position, cell)
            if known.exact:
                yield Scored(cell, _points(position, known.low), exact=True)

    def _solver(self, variant: Variant, limits: Limits) -> tuple[Solver, bool]:
        """Return the variant's solver, and whether it is ready: its table takes time to allocate.

        All moves of a game use the same solver.
        """
        book = default_book() if self.book else None
        if limits.nodes is not None:
            return Solver(variant, book=book), True
        if variant not in self._solvers:
            self._solvers.clear()  # one at a time: its memory is large
            self._solvers[variant] = _prepared(Solver(variant, book=book))
        solver, is_ready = self._solvers[variant]
        return solver, is_ready.wait(self._patience(limits))

    def _patience(self, limits: Limits) -> float | None:
        """Return the solver's share of the time in seconds; ``None`` for no limit."""
        if limits.deadline is None:
            return None
        seconds = self.share * (limits.deadline - time.monotonic())
        return min(max(0, seconds), TIMEOUT_MAX)


def _is_short(limits: Limits) -> bool:
    return limits.deadline is not None and limits.deadline - time.monotonic() < SHORT_SECONDS


def _prepared(solver: Solver) -> tuple[Solver, Event]:
    """Start to allocate a solver's memory; return the solver, and an event for when it is ready.

    It takes a few milliseconds, sometimes 200.
    """
    is_ready = Event()

    def prepare() -> None:
        solver.forget()
        is_ready.set()

    try:
        Thread(target=prepare).start()
    except RuntimeError:  # this process may start no other thread
        prepare()
    return solver, is_ready


def _points(position: Position, score: int) -> int:
    """Convert a score of the solver into a score of searches (see ``c4_bot.contract``)."""
    return ((score > 0) - (score < 0)) * won(last_ply(position, score))


def in_book(position: Position) -> bool:
    """Return whether the book has the score of a position that is not won at once."""
    book = default_book()
    return book is not None and not position.winning_cells and book.score(position) is not None


def needs_no_thought(position: Position) -> bool:
    """Return whether there is only one move, or one cell on which the opponent would win."""
    return position.opponent_winning_cells.bit_count() == 1 or len(position.moves) == 1


def natural_replies(position: Position) -> list[int]:
    """Return the moves of a player who looks two plies ahead and cannot win at once."""
    safe = [cell for cell in position.moves if not position.play(cell).winning_cells]
    return safe or position.moves


@dataclass
class _Run:
    """The state of one search: the solver gets ``share`` of the limits, ``ahead`` gets the rest."""

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
            return self._judged(moves[0], Solution(score, score))
        if needs_no_thought(self.position):
            known = self.oracle.of_position(self.position, FORCED_SHARE)
            return replace(self._judged(moves[0], known), reason="forced")
        known = self.oracle.of_position(self.position, self.share)
        if known.exact and self.score_only:
            return Result(moves[0], _points(self.position, known.low), exact=True)
        if known.low > 0:
            return self._win(known, moves)
        if known.high < 0:
            return self._loss(known, moves)
        return self._draw(moves) if known.exact else self._unproven(known, moves)

    def _win(self, known: Solution, moves: list[int]) -> Result:
        """Return the shortest win, or a win that is known; if no move is found, the best guess."""
        if not known.exact:
            known = known.narrowed(self.oracle.of_position(self.position, SECOND_SHARE))
        if not known.exact:
            moves = self._first(self._look_ahead(AHEAD_SHARE).cell, moves)
        cell, proven = self._keeper(known.low, moves)
        return self._judged(cell, known) if proven else open_result(cell, "a win")

    def _loss(self, known: Solution, moves: list[int]) -> Result:
        """Return the losing move that gives the opponent the most chances to err."""
        if not known.exact:
            moves = self._first(self._look_ahead(SECOND_SHARE).cell, moves)
        most = Solution(-self.position.variant.cells, known.high)
        scores = {cell: most.narrowed(self._by(cell, AHEAD_SHARE)) for cell in moves}
        longest_first = sorted(moves, key=lambda cell: -scores[cell].low)
        cell = max(longest_first, key=lambda cell: self._chances(cell, scores[cell].low))
        return self._judged(cell, scores[cell])

    def _by(self, cell: int, share: float) -> Solution:
        """Return the score of a move, as far as it is found before ``share`` is spent."""
        return self.oracle.of_move(self.position, cell, limits=self.oracle.left(share))

    def _chances(self, cell: int, score: int) -> float:
        """Return how likely the opponent is to err after a losing move, now and until the end."""
        moves_left = (last_ply(self.position, score) - self.position.ply) // 2
        return self._slips(cell, 0) + MOVE_WORTH * moves_left

    def _draw(self, moves: list[int]) -> Result:
        """Return the drawing move after which the opponent loses most easily."""
        drawn = list(self._keepers(0, moves))
        if not drawn:
            return open_result(self._keeper(0, moves)[0], "a draw")
        cell = drawn[0] if len(drawn) == 1 else max(drawn, key=lambda cell: self._slips(cell, 1))
        return self._judged(cell, Solution(0, 0))

    def _unproven(self, known: Solution, moves: list[int]) -> Result:
        """Return the best guess, unless it is proven to lose or to be worse than another move."""
        found = self._look_ahead(AHEAD_SHARE)
        if found.exact or not self.oracle.proves:
            return found
        cell, _ = self._keeper(max(known.low, 0), self._first(found.cell, moves))
        return found if cell == found.cell else replace(found, cell=cell, score=0, line=(cell,))

    def _look_ahead(self, share: float) -> Result:
        limits = self.oracle.left(share if self.oracle.proves else 1)
        found = self.ahead.search(self.position, limits)
        self.oracle.spend(found.nodes)
        return found if found.exact else replace(found, reason="not proven in time")

    @staticmethod
    def _first(cell: int, moves: list[int]) -> list[int]:
        return [cell, *(other for other in moves if other != cell)]

    def _keeper(self, score: int, moves: list[int]) -> tuple[int, bool]:
        """Return the first move proven to be worth ``score``, and ``True``; else a possible one."""
        for cell in self._keepers(score, moves):
            return cell, True
        left = [cell for cell in moves if cell not in self.refuted] or moves
        return left[0], False

    def _keepers(self, score: int, moves: list[int]) -> Iterator[int]:
        """Yield the moves that are proven to be worth ``score``; others are refuted or unknown."""
        quick = {cell: self._keeps(cell, score, self._quick()) for cell in moves}
        for cell in moves:
            if quick[cell] or (quick[cell] is None and self._keeps(cell, score)):
                yield cell

    def _keeps(self, cell: int, score: int, limits: Limits | None = None) -> bool | None:
        """Return whether a move is worth ``score``; ``None`` if that is not found out."""
        found = self.oracle.of_move(self.position, cell, (score - 1, score), limits)
        if found.high < score:
            self.refuted.add(cell)
            return False
        return True if found.low >= score else None

    def _quick(self) -> Limits:
        return self.oracle.left().capped(QUICK_NODES)

    def _slips(self, cell: int, wanted: int) -> float:
        """Return the share of natural replies after which a move is worth at least ``wanted``.

        Replies whose score is not found in time count as worth less.
        """
        child = self.position.play(cell)
        if child.is_full or child.winning_cells:
            return 0
        replies = natural_replies(child)
        scores = (self.oracle.of_move(child, reply, (-wanted, 1 - wanted)) for reply in replies)
        return sum(score.high <= -wanted for score in scores) / len(replies)

    def _judged(self, cell: int, known: Solution) -> Result:
        """Return a move as the result of a position whose score is ``known`` so far."""
        score = max(known.low, 0) or min(known.high, 0)
        depth = last_ply(self.position, score) - self.position.ply if known.exact else 0
        line = self._line(cell, score) if known.exact else (cell,)
        return Result(cell, _points(self.position, score), known.exact, depth, line=line)

    def _line(self, cell: int, score: int) -> tuple[int, ...]:
        """Return a move that is worth ``score``, and the moves expected after it."""
        line, position, limits = [cell], self.position.play(cell), self._soon()
        while limits and not position.is_over:
            score = -score
            best = self._best(position, score, limits)
            if best is None:
                break
            line.append(best)
            position = position.play(best)
        return tuple(line)

    def _soon(self) -> Limits | None:
        """Return the limits of a look at later moves; ``None`` if nodes are limited."""
        left, soon = self.oracle.left(), time.monotonic() + QUICK_SECONDS
        if left.nodes is not None:
            return None
        return replace(left, deadline=min(soon, left.deadline or soon))

    def _best(self, position: Position, score: int, limits: Limits) -> int | None:
        """Return a move that is worth ``score``, if one is found."""
        for cell in urgent_first(position):
            if self.oracle.of_move(position, cell, (score - 1, score), limits).low >= score:
                return cell
        return None
