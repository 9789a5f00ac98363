"""What can be proven within the limits of one search: they are shared by all that it asks."""

import time
from dataclasses import replace

from c4_protocol.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.score import Solution
from c4_bot.solve.solver import Solver

LEAST_NODES = 100
"""Fewer are none: they prove next to nothing."""
LEAST_SECONDS = 0.001
"""Less is none: the solver looks at the clock about so often."""


class Oracle:
    """Asks a solver, and takes what it spends from ``limits``.

    Where the core does not hold the variant, or is not ready yet, and when the limits are reached,
    only what is certain at once, or in the book, is known. ``proves`` tells whether there is more.
    """

    def __init__(self, solver: Solver, limits: Limits, ready: bool = True) -> None:
        self.nodes = 0
        self.proves = ready and solver.is_native
        self._solver = solver
        self._limits = limits
        self._start = time.monotonic()

    def spend(self, nodes: int) -> None:
        """Somebody else has visited so many positions."""
        self.nodes += nodes

    def left(self, share: float = 1.0) -> Limits:
        """What may be spent until ``share`` of all is gone."""
        limits = self._limits
        if limits.deadline is not None:
            deadline = self._start + share * (limits.deadline - self._start)
            limits = replace(limits, deadline=deadline)
        if limits.nodes is not None:
            limits = replace(limits, nodes=max(0, int(share * limits.nodes) - self.nodes))
        return limits

    def of_position(self, position: Position, share: float = 1.0) -> Solution:
        """The score for the player to move, as far as it is found by then."""
        return self._paid(self._solver.solve(position, self._usable(self.left(share))))

    def of_move(
        self,
        position: Position,
        cell: int,
        wanted: tuple[int, int] | None = None,
        limits: Limits | None = None,
    ) -> Solution:
        """The score of a move for the player who makes it, as far as it lies within ``wanted``.

        ``limits`` may be tighter than what is left.
        """
        usable = self._usable(limits or self.left())
        return self._paid(self._solver.solve_move(position, cell, usable, wanted))

    def _usable(self, limits: Limits) -> Limits:
        """The limits, without any nodes where there is not enough to start the solver for."""
        late = limits.deadline is not None and limits.deadline < time.monotonic() + LEAST_SECONDS
        few = limits.nodes is not None and limits.nodes < LEAST_NODES
        if late or few or not self.proves:
            return replace(limits, nodes=0)
        return limits

    def _paid(self, found: Solution) -> Solution:
        self.nodes += found.nodes
        return found
