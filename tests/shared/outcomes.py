"""Exact results of positions and moves, for the player to move: 1, 0 or -1."""

from c4_bot.solve.solver import Solver
from c4_protocol.rules.position import Position


def outcome(solver: Solver, position: Position) -> int:
    """Return the result of a position."""
    score = solver.solve(position, wanted=(-1, 1))
    return (score.low > 0) - (score.high < 0)


def outcome_of_move(solver: Solver, position: Position, cell: int) -> int:
    """Return the result of a move."""
    score = solver.solve_move(position, cell, wanted=(-1, 1))
    return (score.low > 0) - (score.high < 0)
