"""Questions to a solver that share the limits of one search."""

import time
from dataclasses import replace

from c4_protocol.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.score import Solution
from c4_bot.solve.solver import Solver


class Oracle:
    """Asks a solver, and counts what it spends against ``limits``.

    If the core does not hold the variant or is not ``ready``, and when the limits are reached, the
    answers are only what is certain without a search or in the book. ``proves`` is false if no
    answer can be more than that.
    """

    def __init__(self, solver: Solver, limits: Limits, ready: bool = True) -> None:
        self.nodes = 0
        self.proves = ready and solver.is_native
        self._solver = solver
        self._limits = limits
        self._start = time.monotonic()

    def spend(self, nodes: int) -> None:
        """Count nodes that another search has visited."""
        self.nodes += nodes

    def left(self, share: float = 1.0) -> Limits:
        """Return what is left of ``share`` of the limits."""
        return self._limits.part(share, self._start, self.nodes)

    def of_position(self, position: Position, share: float = 1.0) -> Solution:
        """Return the score for the player to move, as far as it is found in ``share``."""
        return self._paid(self._solver.solve(position, self._usable(self.left(share))))

    def of_move(
        self,
        position: Position,
        cell: int,
        wanted: tuple[int, int] | None = None,
        limits: Limits | None = None,
    ) -> Solution:
        """Return the score of a move for the player who makes it, as far as it is in ``wanted``.

        ``limits`` may be tighter than what is left.
        """
        usable = self._usable(limits or self.left())
        return self._paid(self._solver.solve_move(position, cell, usable, wanted))

    def _usable(self, limits: Limits) -> Limits:
        """Return the limits, with no nodes if they are too tight to start the solver."""
        return replace(limits, nodes=0) if limits.is_tight or not self.proves else limits

    def _paid(self, found: Solution) -> Solution:
        self.nodes += found.nodes
        return found
