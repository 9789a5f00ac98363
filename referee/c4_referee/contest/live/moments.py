"""Remarkable moments of a contest in progress, as sentences for people.

A game is a mapping with the keys of ``c4_protocol.records.events.GameEnded``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Moment:
    """A remarkable moment. ``game`` is the number of its game, or ``None``."""

    game: int | None
    text: str


def fault_text(game: Mapping[str, Any]) -> str:
    """Return what a fault decided, or an empty text."""
    fault = game["fault"]
    if fault is None:
        return ""
    if game["ending"] == "void":
        return f"Game {game['game']} is void: {fault['bot']} failed ({fault['fault']})."
    return f"{_winner(game)} wins, because {fault['bot']} failed ({fault['fault']})."


def line_text(game: Mapping[str, Any], leader: str | None, length: int, shortest: float) -> str:
    """Return what is remarkable about a game that ended on the board, or an empty text.

    ``leader`` is the bot that led before the game, ``length`` the number of moves of the game, and
    ``shortest`` that of the shortest game that a line has won so far.
    """
    first, second, winner = game["first"], game["second"], _winner(game)
    if game["ending"] == "full board":
        return f"{first} and {second} fill the board: a draw."
    if leader in {first, second} and winner != leader:
        return f"{winner} beats {leader}, the leader."
    if length < shortest < float("inf"):
        return f"{winner} wins after {length} moves, the shortest game so far."
    return ""


def _winner(game: Mapping[str, Any]) -> str:
    """Return the name of the winner, or an empty text."""
    return ("", game["first"], game["second"])[game["winner"]]
