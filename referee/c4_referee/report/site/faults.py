"""Faults of a bot, with commands that reproduce them."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.program.errors import ArenaError
from c4_protocol.records.events import FaultRecord, GameEnded

from c4_referee.contest.forfeits import FaultInGame, faults_by_kind
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL

MAX_SHOWN = 1
"""Maximum number of faults of one kind that a page shows in full. The others are links."""


ShownFault = tuple[GameEnded, FaultRecord, str]
"""A fault in a game, and the command that reproduces the question that the bot could not answer.

The command is empty if the bot was not asked."""


@dataclass(frozen=True)
class FaultKind:
    """Faults of one kind. ``more`` are the numbers of games with faults that are not ``shown``.

    ``unplayed`` is the number of games that were not played because of this fault.
    """

    fault: str
    shown: Sequence[ShownFault]
    more: Sequence[int]
    unplayed: int

    @property
    def number(self) -> int:
        """Number of faults."""
        return len(self.shown) + len(self.more) + self.unplayed


def faults_of(bot: str, games: Sequence[GameEnded], program: str) -> list[FaultKind]:
    """Return the faults of a bot by kind, the most frequent kind first.

    ``program`` is the text with which a shell starts the bot, or empty if it is not known.
    """
    kinds = faults_by_kind(games, lambda game: game.faults).get(bot, {})
    made = [_kind(program, fault, faults) for fault, faults in kinds.items()]
    return sorted(made, key=lambda kind: -kind.number)


def _kind(program: str, fault: str, faults: Sequence[FaultInGame]) -> FaultKind:
    """Return the faults of one kind."""
    played = [
        (game, record)
        for game, record in faults
        if game.moves or not record.detail.startswith(NOT_PLAYED_DETAIL)
    ]
    shown = [
        (game, record, reproducing_command(program, game, record.ply))
        for game, record in played[:MAX_SHOWN]
    ]
    more = [game.game for game, _ in played[MAX_SHOWN:]]
    return FaultKind(fault, shown, more, len(faults) - len(played))


def reproducing_command(program: str, game: GameEnded, ply: int) -> str:
    """Return a command line for a shell that asks a bot for its move after ``ply`` moves.

    ``program`` starts the bot in a shell. Return an empty text if it is empty, or if the moves of
    the game are damaged.
    """
    if not program:
        return ""
    try:
        position = game.positions[ply]
    except (ArenaError, IndexError):
        return ""
    line = RefereeEnd().write_precept(position).decode().strip()
    return f"printf '%s\\n' {shlex.quote(line)} | {program}"
