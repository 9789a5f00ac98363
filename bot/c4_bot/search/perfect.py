"""Exact where it can be proven in time, and otherwise the best move found: anytime play.

The solver gets a share of the time. Where it proves the score, the moves that keep it are found by
null windows; where it doesn't, iterative deepening has the rest, and what has been proven so far
overrules it. Of moves that win the shortest is played; of those that draw the one after which most
of the opponent's replies lose, and of those that lose the one with the best chances that he goes
wrong, counting how many replies do and how long he has to find the right ones.
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
"""A loss that takes a move longer is as good as such a share of the replies being wrong: against
fallible opponents of many kinds better than the share alone, or the length alone."""
FORCED_SHARE = 0.05
"""Of the limits, to find out how good a move is that needs no thought."""
SECOND_SHARE = 0.8
"""Until here something else is found out of a position that is known to be won or lost."""
AHEAD_SHARE = 0.9
"""Until here the deepening search runs; the rest is for asking the solver about its move."""
QUICK_NODES = 20_000
"""Of the solver's first look at a move: a hard one must not keep it from seeing an easy one."""
SHORT_SECONDS = 0.1
"""A search that has less uses one thread: on a busy machine each of them may end late."""
QUICK_SECONDS = 0.005
"""For the moves expected later, as far as they are found so soon."""


@dataclass(frozen=True)
class Perfect:
    """The search. ``share`` of the limits is for the solver, ``book`` says whether to use the book.

    With ``score_only`` it is no player but a judge: as soon as the score of a position is proven it
    tells that, and plays any move. To find the best one takes several times as long.

    Where stones go anywhere ``line_perfect`` searches. With a depth in the limits it is the
    deepening search alone; where the core has no solver for the variant (see
    ``c4_bot.solve.solver``), that and the book.

    With enough time the same position gives the same move, for any number of threads. What it has
    proven of positions it remembers for the next call: that changes no proof, but when time is
    short more may be proven for it. Searches with a limit of nodes remember nothing, use one thread
    and repeat themselves.
    """

    evaluator: Evaluator
    share: float = 0.5
    book: bool = True
    score_only: bool = False
    _ahead: Search = field(init=False, repr=False, compare=False)
    _lines: Search = field(init=False, repr=False, compare=False)
    _solvers: dict[Variant, tuple[Solver, Event]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share is 0 to 1, not {self.share}")
        object.__setattr__(self, "_ahead", twin("deepening", Deepening(self.evaluator)))
        object.__setattr__(self, "_lines", LinePerfect(self.evaluator, self.share))

    def search(self, position: Position, limits: Limits) -> Result:
        """The best move found, exact where it is proven; ``reason`` says how it came about."""
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
        """The moves whose scores are proven within the limits, to show them to people."""
        if limits.depth is not None or self.score_only:
            return
        solver, ready = self._solver(position.variant, limits)
        oracle = Oracle(solver, limits, ready)
        for cell in position.moves:
            known = oracle.of_move(position, cell)
            if known.exact:
                yield Scored(cell, _points(position, known.low), exact=True)

    def _solver(self, variant: Variant, limits: Limits) -> tuple[Solver, bool]:
        """The solver of a game, kept from move to move, and whether its memory is there."""
        book = default_book() if self.book else None
        if limits.nodes is not None:
            return Solver(variant, book=book), True
        if variant not in self._solvers:
            self._solvers.clear()  # one at a time: its memory is large
            self._solvers[variant] = _prepared(Solver(variant, book=book))
        solver, is_ready = self._solvers[variant]
        return solver, is_ready.wait(self._patience(limits))

    def _patience(self, limits: Limits) -> float | None:
        """The solver's share in seconds."""
        if limits.deadline is None:
            return None
        seconds = self.share * (limits.deadline - time.monotonic())
        return min(max(0, seconds), TIMEOUT_MAX)


def _is_short(limits: Limits) -> bool:
    return limits.deadline is not None and limits.deadline - time.monotonic() < SHORT_SECONDS


def _prepared(solver: Solver) -> tuple[Solver, Event]:
    """A solver, and whether it has got its memory: a few milliseconds, but now and then 200."""
    is_ready = Event()

    def prepare() -> None:
        solver.forget()
        is_ready.set()

    try:
        Thread(target=prepare).start()
    except RuntimeError:  # a process that may have no other thread
        prepare()
    return solver, is_ready


def _points(position: Position, score: int) -> int:
    """A score of the solver as searches have it (``c4_bot.contract``)."""
    return ((score > 0) - (score < 0)) * won(last_ply(position, score))


def in_book(position: Position) -> bool:
    """Whether it takes the book to know a position: wins at once are seen without."""
    book = default_book()
    return book is not None and not position.winning_cells and book.score(position) is not None


def needs_no_thought(position: Position) -> bool:
    """Whether there is one move only, or one cell that the opponent must not get."""
    return position.opponent_winning_cells.bit_count() == 1 or len(position.moves) == 1


def natural_replies(position: Position) -> list[int]:
    """The moves of a player who looks two plies ahead and cannot win at once."""
    safe = [cell for cell in position.moves if not position.play(cell).winning_cells]
    return safe or position.moves


@dataclass
class _Run:
    """One search: the solver has ``share`` of what the oracle may spend, ``ahead`` the rest."""

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
        """The shortest win, or one that is known; where none is found in time, what looks best."""
        if not known.exact:
            known = known.narrowed(self.oracle.of_position(self.position, SECOND_SHARE))
        if not known.exact:
            moves = self._first(self._look_ahead(AHEAD_SHARE).cell, moves)
        cell, proven = self._keeper(known.low, moves)
        return self._judged(cell, known) if proven else open_result(cell, "a win")

    def _loss(self, known: Solution, moves: list[int]) -> Result:
        """The loss that gives the opponent the most chances to go wrong."""
        if not known.exact:
            moves = self._first(self._look_ahead(SECOND_SHARE).cell, moves)
        most = Solution(-self.position.variant.cells, known.high)
        scores = {cell: most.narrowed(self._by(cell, AHEAD_SHARE)) for cell in moves}
        longest_first = sorted(moves, key=lambda cell: -scores[cell].low)
        cell = max(longest_first, key=lambda cell: self._chances(cell, scores[cell].low))
        return self._judged(cell, scores[cell])

    def _by(self, cell: int, share: float) -> Solution:
        """The score of a move, as far as it is found by then."""
        return self.oracle.of_move(self.position, cell, limits=self.oracle.left(share))

    def _chances(self, cell: int, score: int) -> float:
        """How much hope there is after a move that loses: now, and as long as the loss takes."""
        moves_left = (last_ply(self.position, score) - self.position.ply) // 2
        return self._slips(cell, 0) + MOVE_WORTH * moves_left

    def _draw(self, moves: list[int]) -> Result:
        """The draw that the opponent loses most easily."""
        drawn = list(self._keepers(0, moves))
        if not drawn:
            return open_result(self._keeper(0, moves)[0], "a draw")
        cell = drawn[0] if len(drawn) == 1 else max(drawn, key=lambda cell: self._slips(cell, 1))
        return self._judged(cell, Solution(0, 0))

    def _unproven(self, known: Solution, moves: list[int]) -> Result:
        """What looks best, unless it is proven to be worth less than another move, or to lose."""
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
        """The first move that is proven to be worth ``score``, and True; else one that may be."""
        for cell in self._keepers(score, moves):
            return cell, True
        left = [cell for cell in moves if cell not in self.refuted] or moves
        return left[0], False

    def _keepers(self, score: int, moves: list[int]) -> Iterator[int]:
        """The moves that are proven to be worth ``score``; the others are refuted or not known."""
        quick = {cell: self._keeps(cell, score, self._quick()) for cell in moves}
        for cell in moves:
            if quick[cell] or (quick[cell] is None and self._keeps(cell, score)):
                yield cell

    def _keeps(self, cell: int, score: int, limits: Limits | None = None) -> bool | None:
        """Whether a move is worth ``score``; ``None`` if that is not found out."""
        found = self.oracle.of_move(self.position, cell, (score - 1, score), limits)
        if found.high < score:
            self.refuted.add(cell)
            return False
        return True if found.low >= score else None

    def _quick(self) -> Limits:
        left = self.oracle.left()
        most = QUICK_NODES if left.nodes is None else min(left.nodes, QUICK_NODES)
        return replace(left, nodes=most)

    def _slips(self, cell: int, wanted: int) -> float:
        """After which share of the natural replies to a move the score is at least ``wanted``.

        Replies that are not judged in time don't count.
        """
        child = self.position.play(cell)
        if child.is_full or child.winning_cells:
            return 0
        replies = natural_replies(child)
        scores = (self.oracle.of_move(child, reply, (-wanted, 1 - wanted)) for reply in replies)
        return sum(score.high <= -wanted for score in scores) / len(replies)

    def _judged(self, cell: int, known: Solution) -> Result:
        """A move in a position, or with a score, of which so much is known."""
        score = max(known.low, 0) or min(known.high, 0)
        depth = last_ply(self.position, score) - self.position.ply if known.exact else 0
        line = self._line(cell, score) if known.exact else (cell,)
        return Result(cell, _points(self.position, score), known.exact, depth, line=line)

    def _line(self, cell: int, score: int) -> tuple[int, ...]:
        """The moves expected after a move that is worth ``score``, itself first."""
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
        """The limits of a look at what comes later; none where each node counts."""
        left, soon = self.oracle.left(), time.monotonic() + QUICK_SECONDS
        if left.nodes is not None:
            return None
        return replace(left, deadline=min(soon, left.deadline or soon))

    def _best(self, position: Position, score: int, limits: Limits) -> int | None:
        """A move that is worth ``score``, if one is found."""
        for cell in urgent_first(position):
            if self.oracle.of_move(position, cell, (score - 1, score), limits).low >= score:
                return cell
        return None
