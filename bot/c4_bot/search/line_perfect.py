"""Threat-space search with proofs, for games without gravity.

A part of the limits is spent on a proof of who wins (``c4_bot.solve.line.verdict``). If the player
wins, the shortest win that is found quickly is played. If all moves lose, the player makes the move
after which the opponent needs the most stones to win. If nothing is proven, iterative deepening
chooses the move. If this move is proven to lose, another move is played.
"""

import time
from dataclasses import dataclass, replace

from c4_protocol.errors import UsageError
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_bot.contract import Evaluator, Limits, Result, Search, open_result, urgent_first, won
from c4_bot.native import twin
from c4_bot.search.deepening import Deepening
from c4_bot.solve.line.solver import LineSolver, is_native
from c4_bot.solve.line.verdict import Verdict, verdict

SHORTEN_NODES = 500_000
"""Maximum number of nodes to find a win with fewer stones than the first win. They take less than a
twentieth of a second. In line8, from the second move on, this is enough to find a win with 7 stones
instead of 8."""
AHEAD_SHARE = 0.8
"""Share of the limits after which the deepening search stops. The rest is for a proof that its move
loses."""
LOSS_NODES = 30_000
"""Maximum number of nodes to find out whether a move loses, and with how many stones of the
opponent."""


@dataclass
class LinePerfect:
    """Search that combines proofs of wins and iterative deepening, for games without gravity.

    ``share`` is the fraction of the limits that a proof of who wins may use, 0 to 1. Only the
    deepening search runs if the limits set a depth or are tight, if stones fall, if the board has
    more than 128 cells, and without the native core. Proofs use one thread. Proven results are
    remembered for the next call. If nodes are limited, nothing is remembered, so that the search is
    repeatable.
    """

    evaluator: Evaluator
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share is 0 to 1, not {self.share}")
        self._ahead = twin("deepening", Deepening(self.evaluator))
        self._solvers: dict[Variant, LineSolver] = {}

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found; it is exact if it is proven that no move is better."""
        if limits.depth is not None or not is_native(position.variant) or limits.is_tight:
            return self._ahead.search(position, limits)
        run = _Run(position, limits, self._solver(position.variant, limits), self._ahead)
        return run.choose(self.share)

    def _solver(self, variant: Variant, limits: Limits) -> LineSolver:
        """Return the solver of a variant. If nodes are limited, return a new one for each move."""
        if limits.nodes is not None:
            return LineSolver(variant)
        if variant not in self._solvers:
            self._solvers.clear()  # there is only one at a time, because its memory is large
            self._solvers[variant] = LineSolver(variant)
        return self._solvers[variant]


@dataclass
class _Run:
    """The state of one search: its limits, and the number of nodes visited."""

    position: Position
    limits: Limits
    solver: LineSolver
    ahead: Search
    nodes: int = 0

    def __post_init__(self) -> None:
        self._start = time.monotonic()

    def choose(self, share: float) -> Result:
        """Return a move, based on the result that is proven within ``share`` of the limits."""
        limits = self._until(share)
        known = verdict(self.solver, self.position, limits, shorten=SHORTEN_NODES)
        self.nodes += known.nodes
        if known.cell is not None:
            result = self._result_of(known.cell, known)
        elif known.sign == -1:
            result = self._longest_loss(known)
        else:
            result = self._unproven(known)
        return replace(result, nodes=self.nodes)

    def _longest_loss(self, known: Verdict) -> Result:
        """Return the losing move after which the opponent needs the most stones.

        Among equal moves, return the most urgent move (see ``urgent_first``). After any move the
        opponent needs at most ``known.moves`` stones.
        """
        moves = urgent_first(self.position)
        stones = {
            cell: self._stones_to_beat(cell, known.moves - 1, known.plain) or known.moves
            for cell in moves
        }
        moves.sort(key=lambda cell: -stones[cell])
        return self._first_safe_move(moves, known, known.moves - 1)

    def _unproven(self, known: Verdict) -> Result:
        """Return the deepening search's move, or another move if it is proven to lose."""
        found = self.ahead.search(self.position, self._until(AHEAD_SHARE))
        self.nodes += found.nodes
        if found.exact:
            return found
        cells = self.position.variant.cells
        max_stones = (cells - self.position.ply) // 2
        moves = [found.cell, *(cell for cell in urgent_first(self.position) if cell != found.cell)]
        if known.exact:
            return self._first_safe_move(moves, known, max_stones)
        not_lost = (cell for cell in moves if not self._stones_to_beat(cell, max_stones, 0))
        cell = next(not_lost, found.cell)
        found = replace(found, reason="not proven in time")
        return found if cell == found.cell else Result(cell, line=(cell,), reason=found.reason)

    def _first_safe_move(self, moves: list[int], known: Verdict, max_stones: int) -> Result:
        """Return the first move after which the opponent needs more than ``max_stones`` stones.

        If ``known`` is exact, such a move preserves the result. If there is no such move, or
        ``known`` is not exact, return the first move that is not refuted.
        """
        complete, open_ones = self.position.variant.cells, []
        for cell in moves if known.exact else ():
            found = self.solver.wins(self.position.play(cell), max_stones, complete, self._until(1))
            self.nodes += found.nodes
            if found.holds is False:
                return self._result_of(cell, known)
            if found.holds is None:
                open_ones.append(cell)
        cell = (open_ones or moves)[0]
        lost = self._result_of(cell, replace(known, exact=False))
        return lost if known.sign else open_result(cell, "a draw")

    def _stones_to_beat(self, cell: int, max_stones: int, plain: int) -> int | None:
        """Return the number of stones with which the opponent wins after a move.

        With more than ``plain`` plain moves, fewer stones may suffice. Return ``None`` if no win
        with at most ``max_stones`` stones is found.
        """
        child, end = self.position.play(cell), self.nodes + LOSS_NODES
        for stones in range(1, max_stones + 1):
            found = self.solver.wins(child, stones, plain, self._until(1, end - self.nodes))
            self.nodes += found.nodes
            if found.holds is not False:
                return stones if found.holds else None
        return None

    def _result_of(self, cell: int, known: Verdict) -> Result:
        """Return the result that plays ``cell``; its score follows from the verdict ``known``."""
        last = known.last_ply(self.position)
        depth = last - self.position.ply if known.exact else 0
        score = (known.sign or 0) * won(last)
        return Result(cell, score, known.exact, depth, line=(cell,))

    def _until(self, share: float, most: int | None = None) -> Limits:
        """Return the part of a share of the limits that is not used, and at most ``most`` nodes."""
        left = self.limits.part(share, self._start, self.nodes)
        return left if most is None else left.capped(most)
