"""Calls of a solver that together stay within the limits of one search."""

import time
from dataclasses import replace

from c4_protocol.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.score import Solution
from c4_bot.solve.solver import Solver


class Oracle:
    """A solver whose nodes and time count against the ``limits`` of a search.

    The solver does not search if the core cannot solve the variant, if the solver is not ``ready``,
    and when the limits are reached. Then an answer only contains what is in the book or is certain
    from the rules. ``proves`` is false in the first two cases.
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
        """Return the part of a share of the limits that is not used; ``share`` is 0 to 1."""
        return self._limits.part(share, self._start, self.nodes)

    def of_position(self, position: Position, share: float = 1.0) -> Solution:
        """Return bounds of the score for the player to move, found in ``share`` of the limits."""
        return self._paid(self._solver.solve(position, self._usable(self.left(share))))

    def of_move(
        self,
        position: Position,
        cell: int,
        wanted: tuple[int, int] | None = None,
        limits: Limits | None = None,
    ) -> Solution:
        """Return bounds of the score of a move for the player who makes it.

        ``wanted`` is as in ``Solver.solve``. ``limits``, if given, replaces the limits that are
        left.
        """
        usable = self._usable(limits or self.left())
        return self._paid(self._solver.solve_move(position, cell, usable, wanted))

    def _usable(self, limits: Limits) -> Limits:
        """Return the limits, with 0 nodes if the solver cannot or should not search."""
        return replace(limits, nodes=0) if limits.is_tight or not self.proves else limits

    def _paid(self, found: Solution) -> Solution:
        self.nodes += found.nodes
        return found
