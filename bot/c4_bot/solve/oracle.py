"""Calls of a solver that together stay within the limits of one search."""

import time
from collections.abc import Iterator
from dataclasses import replace

from c4_protocol.rules.position import Position

from c4_bot.contract import Limits
from c4_bot.solve.score import Bounds, Solution
from c4_bot.solve.solver import Solver

WITHOUT_SEARCH = Limits(nodes=0)
"""Limits of a question that is answered from what is known without a search."""


class Oracle:
    """A solver whose nodes and time count against the ``limits`` of a search.

    When the limits are reached, an answer only contains what is in the book, what is certain from
    the rules, and what the solver remembers. ``proves`` is false if the core cannot solve the
    variant, or if the solver ``may_prove`` nothing. Then the solver never searches.
    """

    def __init__(self, solver: Solver, limits: Limits, may_prove: bool = True) -> None:
        self.nodes = 0
        self.proves = may_prove and solver.is_native
        self._solver = solver
        self._limits = limits
        self._start = time.monotonic()

    def limits_left(self, share: float = 1.0) -> Limits:
        """Return the part of a share of the limits that is not used; ``share`` is 0 to 1."""
        return self._limits.unused_part(share, self._start, self.nodes)

    def bounds_of_position(self, position: Position, limits: Limits | None = None) -> Solution:
        """Return bounds of the score for the player to move.

        ``limits``, if given, replaces the limits that are left.
        """
        return self._count_nodes(self._solver.solve(position, self._usable_limits(limits)))

    def bounds_of_move(
        self,
        position: Position,
        cell: int,
        wanted: Bounds | None = None,
        limits: Limits | None = None,
    ) -> Solution:
        """Return bounds of the score of a move for the player who makes it.

        ``wanted`` is as in ``Solver.solve``. ``limits`` is as in ``bounds_of_position``.
        """
        return self._count_nodes(
            self._solver.solve_move(position, cell, self._usable_limits(limits), wanted)
        )

    def bounds_of_moves(
        self, position: Position, limits: Limits | None = None
    ) -> Iterator[tuple[int, Solution]]:
        """Yield each legal move with bounds of its score for the player who makes it.

        ``limits`` is as in ``bounds_of_position``.
        """
        for cell, bounds in self._solver.move_scores(position, self._usable_limits(limits)):
            yield cell, self._count_nodes(bounds)

    def _usable_limits(self, limits: Limits | None) -> Limits:
        """Return the limits, with 0 nodes if the solver cannot or should not search."""
        limits = limits or self.limits_left()
        return replace(limits, nodes=0) if limits.is_tight or not self.proves else limits

    def _count_nodes(self, solution: Solution) -> Solution:
        self.nodes += solution.nodes
        return solution
