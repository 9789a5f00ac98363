"""Threat-space search with proofs, for games without gravity.

First the solver tries to prove who wins (``c4_bot.solve.line.verdict``), with as many nodes as wins
usually need. Then the search runs in rounds, each with more nodes than the one before. In each
round the solver tries again. If nothing is proven, ``LastIteration`` chooses a move, and the solver
tries to refute it: to prove that the opponent wins after it. If a move is refuted, another one is
chosen. So a round ends with a move that the solver could not refute. As the rounds are counted in
nodes, each of these parts has its turn early, even on a busy machine.

The rounds get about a third of the limits. The rest is for one long search ahead among the moves
that are not refuted, because such a search begins again each time, and looks further ahead the more
time it has. The solver tries to refute its move, too.

If the player wins, the shortest win that is found quickly is played. The next search first proves
that this win is still there, even if it has no time at all, and then looks for a sooner one. If all
moves lose, the player makes the move after which the opponent needs the most stones to win.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import cast

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.contract import (
    WIN,
    Evaluator,
    Limits,
    Result,
    is_proven,
    open_result,
    urgent_first,
    won,
)
from c4_bot.evaluate.zugzwang import Zugzwang
from c4_bot.native import Twin, native_twin
from c4_bot.search.last_iteration import LastIteration
from c4_bot.solve.line.solver import LineSolver, is_native
from c4_bot.solve.line.verdict import DIVISORS_BY_PLAIN_MOVES, Verdict, find_verdict

MAX_SHORTENING_NODES = 500_000
"""Maximum number of nodes to find a win with fewer stones than the first win. They take less than a
twentieth of a second. In line8, from the second move on, this is enough to find a win with 7 stones
instead of 8."""
FIRST_ROUND_NODES = 16_000
"""Number of the solver's nodes that the first round may use. They take about a millisecond."""
ROUND_GROWTH = 2
"""Factor by which the number of nodes grows from one round to the next."""
SOLVER_NODES_PER_SEARCH_NODE = 8
"""Number of the solver's nodes that count as one node of the search ahead. A node of the search
takes 8 to 12 times as long as a node of the solver."""
MAX_LOSS_NODES = 30_000
"""Maximum number of nodes to find out with how many stones the opponent wins after a losing
move."""
QUICK_PROOF_NODES, QUICK_PROOF_SHARE = 200_000, 0.3
"""Maximum number of nodes of the first proof, and the share of the limits that it may use. The
nodes take about 15 ms. A share of 0.8 won 25% of the points against ``blocker`` with 10 ms for a
move, and this share won 48% (80 and 100 games)."""
REPEATED_PROOF_NODES, REPEATED_PROOF_SHARE = 1_000_000, 0.6
"""Maximum number of nodes to prove again that a win is still there, and the share of the limits
that this may use. Most such proofs take less than a hundred nodes."""
OVERTIME_PROOF_NODES = 20_000
"""Maximum number of nodes of such proofs even if the time is over. They take about 1.5 ms. In games
with 5 ms for a move, the solver needed at most 799 nodes for 610 wins that it had proven itself."""
ROUNDS_SHARE = 0.3
"""Share of the limits after which no round begins."""
LAST_SEARCH_SHARE, LAST_REFUTATION_SHARE = 0.85, 0.95
"""Shares of the limits after which the last search ahead, and the refutation of its move, end. The
rest is for another search, if the move is refuted."""
WEIGHTS_WITHOUT_GRAVITY = (2, 19)
"""Weights of windows for ``Zugzwang`` without gravity, where lines that lack three stones are worth
less than in games with gravity: they won 55% of 100 games against the default weights."""
MAX_FOURS = 5
"""Maximum number of fours in the wins by fours that the search ahead sees."""


@dataclass(frozen=True, slots=True)
class AnnouncedWin:
    """A win that was announced: the position after its first move, and the last ply of the game.

    ``plain`` is the maximum number of plain moves of the win (see ``LineSolver``), and ``None`` if
    the solver has not proven it.
    """

    position: Position
    last: int
    plain: int | None = None

    def follows_one_reply_later(self, position: Position) -> bool:
        """Return whether a position follows by one reply."""
        before = self.position
        replied = position.own == before.other and (before.own & ~position.other) == 0
        return replied and position.ply == before.ply + 1


@dataclass
class LinePerfect:
    """Search that combines proofs of wins and iterative deepening, for games without gravity.

    ``share`` is the fraction of the limits that proofs may use, 0 to 1. Only the search ahead runs
    if the limits set a depth, if they are tight and no win was announced, if stones fall, if the
    board has more than 128 cells, and without the native core. Proofs use one thread. Proven
    results are remembered for the next call. If nodes are limited, nothing is remembered, so that
    the search is repeatable.
    """

    evaluator: Evaluator
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise UsageError(f"a share is 0 to 1, not {self.share}")
        evaluator = _evaluator_without_gravity(self.evaluator)
        ahead = LastIteration(evaluator, reduces=True, fours=MAX_FOURS)
        self._ahead = cast("LastIteration | Twin", native_twin("last_iteration", ahead))
        self._solvers: dict[Variant, LineSolver] = {}
        self._announced_win: AnnouncedWin | None = None

    def search(self, position: Position, limits: Limits) -> Result:
        """Return the best move found; it is exact if it is proven that no move is better."""
        if limits.depth is not None or not is_native(position.variant):
            return self._ahead.search(position, limits)
        announced_win = None if limits.nodes is not None else self._announced_win
        if announced_win and not announced_win.follows_one_reply_later(position):
            announced_win = None
        if limits.is_tight and not announced_win:
            return self._ahead.search(position, limits)
        solver = self._solver(position.variant, limits)
        run = _LinePerfectRun(position, limits, solver, self._ahead, self.share)
        result = run.choose(announced_win)
        if limits.nodes is None:
            self._announced_win = run.announced_win(result)
        return result

    def _solver(self, variant: Variant, limits: Limits) -> LineSolver:
        """Return the solver of a variant. If nodes are limited, return a new one for each move."""
        if limits.nodes is not None:
            return LineSolver(variant)
        if variant not in self._solvers:
            self._solvers.clear()  # there is only one at a time, because its memory is large
            self._solvers[variant] = LineSolver(variant)
        return self._solvers[variant]


def _evaluator_without_gravity(evaluator: Evaluator) -> Evaluator:
    """Return the evaluator. If it is ``Zugzwang`` with default weights, return it with others."""
    if isinstance(evaluator, Zugzwang) and evaluator.weights == Zugzwang.weights:
        return replace(evaluator, weights=WEIGHTS_WITHOUT_GRAVITY)
    return evaluator


@dataclass
class _LinePerfectRun:
    """The state of one search: its limits, and the number of nodes visited.

    ``lost`` maps each move that is refuted to the number of stones that the opponent needs.
    ``plain`` maps moves that are proven to win to the number of plain moves of the win.
    """

    position: Position
    limits: Limits
    solver: LineSolver
    ahead: LastIteration | Twin
    share: float
    nodes: int = 0
    lost: dict[int, int] = field(default_factory=dict)
    plain: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.moves = urgent_first(self.position)
        self.start = time.monotonic()

    def choose(self, announced_win: AnnouncedWin | None = None) -> Result:
        """Return a move whose result is proven, or else the best move that is not refuted.

        ``announced_win`` is the win that the last search has announced, if it has announced one.
        """
        result = self._announced_or_sooner_win(announced_win) if announced_win else None
        if not result and self.limits.is_tight:
            return self.ahead.search(self.position, self.limits)
        result = result or self._result_if_quickly_proven() or self._best_of_rounds()
        return replace(result, nodes=self.nodes)

    def announced_win(self, result: Result) -> AnnouncedWin | None:
        """Return the win that the result of this search announces; ``None`` if it does not."""
        child = self.position.play(result.cell)
        if not is_proven(result.score) or result.score < 0 or child.is_over:
            return None
        return AnnouncedWin(child, WIN - result.score, self.plain.get(result.cell))

    def _announced_or_sooner_win(self, announced_win: AnnouncedWin) -> Result | None:
        """Return the win that was announced, or a sooner one; ``None`` if it is not proven again.

        The part that found the win finds it again quickly: the solver remembers its proof. So this
        is first tried without a look at the clock, because on a busy machine the time may be over.
        """
        if announced_win.plain is None:
            nodes = OVERTIME_PROOF_NODES // SOLVER_NODES_PER_SEARCH_NODE
            result = self.ahead.search(self.position, Limits(nodes=nodes))
            self.nodes += result.nodes
            if result.score >= won(announced_win.last):
                return self._sooner_win_or_longer_loss(result)
        stones = (announced_win.last - self.position.ply + 1) // 2
        known = announced_win.plain
        numbers = [*DIVISORS_BY_PLAIN_MOVES] if known is None else [known]
        sure = Limits(nodes=OVERTIME_PROOF_NODES // len(numbers))
        for limits, plain in product((sure, None), numbers):
            left = limits or self._limits_until(REPEATED_PROOF_SHARE)
            left = left.capped_at(REPEATED_PROOF_NODES)
            proof = self.solver.wins(self.position, stones, plain, left)
            self.nodes += proof.nodes
            if proof.holds:
                win = Verdict(1, stones, plain, cell=proof.cell)
                return self._result_of_known_winner(win, FIRST_ROUND_NODES)
        return None

    def _result_if_quickly_proven(self) -> Result | None:
        """Return the best move if the winner is proven quickly."""
        limits = self._limits_until(QUICK_PROOF_SHARE * self.share * 2).capped_at(QUICK_PROOF_NODES)
        outcome = self._find_verdict(limits, weak=True)
        if outcome.sign is None:
            return None
        return self._result_of_known_winner(outcome, FIRST_ROUND_NODES)

    def _best_of_rounds(self) -> Result:
        best = Result(self.moves[0], line=(self.moves[0],))
        for nodes in self._nodes_of_rounds():
            outcome = self._find_verdict(self._limits_left(int(self.share * nodes / 2)), weak=True)
            if outcome.sign is not None:
                return self._result_of_known_winner(outcome, nodes)
            best = self._best_unrefuted(nodes, best)
            if is_proven(best.score) or best.exact:
                return self._sooner_win_or_longer_loss(best)
        best = self._result_of_last_search(best)
        return self._sooner_win_or_longer_loss(best) if is_proven(best.score) else best

    def _nodes_of_rounds(self) -> Iterator[int]:
        """Yield the number of nodes of each round, until it is time for the last search."""
        nodes = FIRST_ROUND_NODES
        while not self._is_share_used_up(ROUNDS_SHARE):
            yield nodes
            nodes *= ROUND_GROWTH

    def _result_of_last_search(self, best: Result) -> Result:
        """Return the move of a long search ahead, or ``best`` if it looks less far ahead."""
        for end in (LAST_SEARCH_SHARE, 1):
            safe = [cell for cell in self.moves if cell not in self.lost]
            if not safe or self._is_share_used_up(end):
                break
            result = self._look_ahead(self._limits_until(end), safe)
            if result.depth < best.depth and best.cell in safe:
                break
            best = result
            if is_proven(result.score) or result.exact:
                return result
            self._refute(result.cell, self._limits_until(LAST_REFUTATION_SHARE))
            if result.cell not in self.lost:
                break
        return best

    def _sooner_win_or_longer_loss(self, best: Result) -> Result:
        """Return the result of the search ahead, or a sooner win or a longer resistance.

        The search ahead has not tried the moves that are refuted. One of them may resist longer.
        """
        if best.score < 0 and self.lost:
            best = replace(best, exact=False)
        return best if best.exact else self._better_of_proof(best)

    def _find_verdict(self, limits: Limits, *, weak: bool = False) -> Verdict:
        outcome = find_verdict(
            self.solver, self.position, limits, weak=weak, shorten=MAX_SHORTENING_NODES
        )
        self.nodes += outcome.nodes
        return outcome

    def _better_of_proof(self, result: Result) -> Result:
        """Return a sooner win than ``result``, or the move that resists longest if it loses."""
        max_nodes = MAX_SHORTENING_NODES if result.score > 0 else None
        outcome = self._find_verdict(self._limits_left(max_nodes, self.share))
        if not outcome.sign:
            return result
        best = self._result_of_proof(outcome)
        return result if 0 < best.score < result.score else best

    def _result_of_known_winner(self, outcome: Verdict, nodes: int) -> Result:
        """Return the best move of a position whose winner is known."""
        if not outcome.sign:
            return self._drawing_result(outcome, nodes)
        again = self._find_verdict(self._limits_left(share=self.share))
        sooner = again.sign and again.moves <= outcome.moves
        return self._result_of_proof(again if sooner else outcome)

    def _result_of_proof(self, outcome: Verdict) -> Result:
        """Return the shortest win that is known, or the move that resists longest."""
        if outcome.cell is not None:
            self.plain[outcome.cell] = outcome.plain
            return self._result_of(outcome.cell, outcome)
        return self._longest_losing_result(outcome)

    def _drawing_result(self, outcome: Verdict, nodes: int) -> Result:
        """Return a move that keeps the draw: the one that the search ahead finds, if it does."""
        result = self._look_ahead(self._limits_left(nodes), self.moves)
        if result.exact:
            return result
        moves = [result.cell, *(cell for cell in self.moves if cell != result.cell)]
        max_stones = (self.position.variant.cells - self.position.ply) // 2
        return self._first_safe_move(moves, outcome, max_stones)

    def _longest_losing_result(self, outcome: Verdict) -> Result:
        """Return the losing move after which the opponent needs the most stones.

        Among equal moves, return the most urgent move (see ``urgent_first``). After any move the
        opponent needs at most ``outcome.moves`` stones.
        """
        max_stones, plain = outcome.moves - 1, outcome.plain
        stones = {
            cell: self._stones_to_beat(cell, max_stones, plain, self._limits_left(MAX_LOSS_NODES))
            or outcome.moves
            for cell in self.moves
        }
        self.moves.sort(key=lambda cell: -stones[cell])
        return self._first_safe_move(self.moves, outcome, max_stones)

    def _best_unrefuted(self, nodes: int, best: Result) -> Result:
        """Return the best move that the solver cannot refute with its part of ``nodes``.

        If the limits are reached first, return ``best``, the move of the last round, unless the
        search has looked further ahead.
        """
        while safe := [cell for cell in self.moves if cell not in self.lost]:
            part = int((1 - self.share) * nodes / SOLVER_NODES_PER_SEARCH_NODE)
            result = self._look_ahead(self._limits_left(part), safe)
            if self._is_share_used_up() and best.cell in safe and result.depth <= best.depth:
                return best
            if is_proven(result.score) or result.exact:
                return result
            self._refute(result.cell, self._limits_left(int(self.share * nodes / 2)))
            if result.cell not in self.lost:
                return result
        cell = max(self.moves, key=lambda cell: self.lost[cell])
        return self._result_of(cell, Verdict(-1, self.lost[cell]))

    def _look_ahead(self, limits: Limits, moves: list[int]) -> Result:
        """Return the result of the search ahead, which tries only these moves."""
        among = sum(1 << cell for cell in moves)
        result = self.ahead.search(self.position, limits, among)
        self.nodes += result.nodes
        return result

    def _refute(self, cell: int, limits: Limits) -> None:
        """Add a move to ``lost`` if it is proven within the limits that the opponent wins."""
        max_stones = (self.position.variant.cells - self.position.ply) // 2
        stones = self._stones_to_beat(cell, max_stones, 0, limits)
        if stones is not None:
            self.lost[cell] = stones

    def _first_safe_move(self, moves: list[int], outcome: Verdict, max_stones: int) -> Result:
        """Return the first move after which the opponent needs more than ``max_stones`` stones.

        If ``outcome`` is exact, such a move preserves the result. If there is no such move, or
        ``outcome`` is not exact, return the first move that is not refuted.
        """
        complete, open_ones = self.position.variant.cells, []
        for cell in moves if outcome.exact else ():
            child = self.position.play(cell)
            if child.is_full:
                return self._result_of(cell, outcome)
            proof = self.solver.wins(child, max_stones, complete, self._limits_left())
            self.nodes += proof.nodes
            if proof.holds is False:
                return self._result_of(cell, outcome)
            if proof.holds is None:
                open_ones.append(cell)
        cell = (open_ones or moves)[0]
        lost = self._result_of(cell, replace(outcome, exact=False))
        return lost if outcome.sign else open_result(cell, "a draw")

    def _stones_to_beat(self, cell: int, max_stones: int, plain: int, limits: Limits) -> int | None:
        """Return the number of stones with which the opponent wins after a move.

        With more than ``plain`` plain moves, fewer stones may suffice. Return ``None`` if no win
        with at most ``max_stones`` stones is found within the limits.
        """
        child, first = self.position.play(cell), self.nodes
        for stones in range(1, max_stones + 1):
            left = limits.unused_part(1, self.start, self.nodes - first)
            proof = self.solver.wins(child, stones, plain, left)
            self.nodes += proof.nodes
            if proof.holds is not False:
                return stones if proof.holds else None
        return None

    def _result_of(self, cell: int, outcome: Verdict) -> Result:
        """Return the result that plays ``cell``; its score follows from the verdict ``outcome``."""
        last = outcome.last_ply(self.position)
        depth = last - self.position.ply if outcome.exact else 0
        score = (outcome.sign or 0) * won(last)
        return Result(cell, score, outcome.exact, depth, line=(cell,))

    def _limits_left(self, max_nodes: int | None = None, share: float = 1) -> Limits:
        """Return a share of the limits that are left, with at most ``max_nodes`` nodes."""
        return self.limits.unused_part(share, time.monotonic(), self.nodes).capped_at(max_nodes)

    def _limits_until(self, share: float) -> Limits:
        """Return what is left of this share of the limits of the whole search."""
        return self.limits.unused_part(share, self.start, self.nodes)

    def _is_share_used_up(self, share: float = 1) -> bool:
        """Return whether this share of the limits of the whole search is used up."""
        left = self._limits_until(share)
        return left.nodes == 0 or (left.deadline is not None and left.deadline <= time.monotonic())
