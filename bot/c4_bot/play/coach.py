"""A coach for a person who plays: hints, and explanations of mistakes."""

from functools import cached_property

from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

from c4_bot.reasons.explainer import explain_position
from c4_bot.solve.solving import Solver

SECONDS = 1.0
"""Time for one explanation. It is used up only where no exact scores are known."""


class Coach:
    """Explains moves of games of one variant, in sentences."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    @cached_property
    def _solver(self) -> Solver:
        """The solver, which takes its memory when it is first needed."""
        return Solver(self._variant, threads=1)

    def hint(self, position: Position) -> str:
        """Return what the best move is, and why."""
        return explain_position(self._solver, position, None, SECONDS).text

    def about_mistake(self, position: Position, cell: int) -> str:
        """Return what a move allowed, and what is better; empty if it is not known to be wrong."""
        explained = explain_position(self._solver, position, cell, SECONDS)
        return explained.text if explained.better else ""

    def values(self, position: Position) -> tuple[int | None, ...]:
        """Return the scores of the columns. Raises ``NotProven`` if they are not known in time."""
        return self._solver.answer(position, SECONDS, every=True).scores
