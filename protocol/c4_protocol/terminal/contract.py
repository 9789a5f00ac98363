"""Interfaces of the opponent and of the coach of a game in a terminal. Their calls may be slow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from c4_protocol.rules.position import Position

Scores = tuple[int | None, ...]
"""Score of each column for the player to move, ``None`` for a full column; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of an opponent to the moves so far.

    ``cell`` is its move, or ``None`` if it has not moved. ``remark`` is what it says about the
    move. ``fault`` is a sentence if its mistake has ended the game. ``record`` describes a game
    that has ended, so that it can be stored.
    """

    cell: int | None = None
    remark: str = ""
    fault: str = ""
    record: str = ""


class Opponent(Protocol):
    """A bot that plays against the person."""

    title: str
    """Its name, perhaps with that of its player."""
    about: str
    """Lines of text on its strength or its conditions."""

    def answer(self, cells: Sequence[int]) -> Answer:
        """Return the move after these moves of the game, or an answer without a move.

        It is called after each move of the person, when a game begins, and when a move was taken
        back.
        """


class Coach(Protocol):
    """A program that knows exact values. Its methods may raise ``ArenaError``."""

    def hint(self, position: Position) -> str:
        """Return what the best move is, and why."""

    def values(self, position: Position) -> Scores:
        """Return the scores of the columns."""

    def about_mistake(self, position: Position, cell: int) -> str:
        """Return what a move allows and what is better, or an empty text."""
