"""``c4-bot --play``: a person plays against the bot in the terminal, in a game with gravity."""

import time
from collections.abc import Sequence
from functools import cached_property, reduce

from c4_protocol.records.messages import Precept
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_protocol.terminal.contract import Answer
from c4_protocol.terminal.game import TerminalGame
from c4_protocol.terminal.lines import play_game

from c4_bot.play.session import Session
from c4_bot.player.registry import strength_in_words
from c4_bot.reasons.explainer import explain_position
from c4_bot.solve.public_solver import Solver

EXPLANATION_SECONDS = 1.0
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
        return explain_position(self._solver, position, None, EXPLANATION_SECONDS).text

    def about_mistake(self, position: Position, cell: int) -> str:
        """Return what a move allowed, and what is better; empty if it is not known to be wrong."""
        explained = explain_position(self._solver, position, cell, EXPLANATION_SECONDS)
        return explained.text if explained.better else ""

    def values(self, position: Position) -> tuple[int | None, ...]:
        """Return the scores of the columns. Raises ``NotProven`` if they are not known in time."""
        return self._solver.answer(position, EXPLANATION_SECONDS, every=True).scores


class SessionOpponent:
    """The player of a session, as the opponent of a person in seat ``person``."""

    def __init__(self, session: Session, variant: Variant, person: int) -> None:
        self._session, self._start, self._person = session, Position(variant), person
        name = session.player.name
        self.title, self.about = f"c4-bot ({name})", strength_in_words(name)

    def answer(self, cells: Sequence[int]) -> Answer:
        """Return the player's move after these moves, if it is to move."""
        position = reduce(Position.play, cells, self._start)
        if position.is_over or position.player == self._person:
            return Answer()
        result, seen = self._session.think(position, Precept.of(position), time.monotonic())
        return Answer(result.cell, seen.reason if seen else "")


def play(session: Session, variant: Variant, person: int) -> int:
    """Let a person play against the player of a session; return the exit code."""
    session.show_info = True  # for the reasons of its moves
    opponent = SessionOpponent(session, variant, person)
    return play_game(TerminalGame(variant, person, coach=Coach(variant)), opponent)
