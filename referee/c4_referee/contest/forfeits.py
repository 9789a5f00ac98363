"""Faults of bots, and the forfeits among them as records of a report."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import ForfeitRecord

from c4_referee.bots.contain.faults import Policy
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL

FaultInGame = tuple[GameEnded, FaultRecord]


def forfeit_records(
    bots: Sequence[str], games: Sequence[GameEnded]
) -> dict[str, tuple[ForfeitRecord, ...]]:
    """Return the reasons of each bot's forfeits, the most frequent reason first."""
    kinds = faults_by_kind(games, _forfeits)
    return {
        bot: tuple(sorted(map(_forfeit_record, kinds[bot].values()), key=lambda one: -one.games))
        for bot in bots
        if bot in kinds
    }


def faults_by_kind(
    games: Iterable[GameEnded], faults_of: Callable[[GameEnded], Iterable[FaultRecord]]
) -> dict[str, dict[str, list[FaultInGame]]]:
    """Return the faults that ``faults_of`` returns for games, by bot and by kind."""
    kinds: dict[str, dict[str, list[FaultInGame]]] = {}
    for game in games:
        for fault in faults_of(game):
            kinds.setdefault(fault.bot, {}).setdefault(fault.fault, []).append((game, fault))
    return kinds


def _forfeits(game: GameEnded) -> Iterator[FaultRecord]:
    """Yield the faults that decided a game or made it void."""
    if game.fault is not None:
        yield game.fault
        yield from (note for note in game.notes if note.policy == Policy.VOID.value)


def _forfeit_record(faults: Sequence[FaultInGame]) -> ForfeitRecord:
    """Return the record of a bot's faults of one kind."""
    unplayed = [fault.detail.startswith(NOT_PLAYED_DETAIL) for _, fault in faults]
    game, example = faults[unplayed.index(False) if False in unplayed else 0]
    return ForfeitRecord(
        fault=example.fault,
        games=len(faults),
        void=sum(fault.policy == Policy.VOID.value for _, fault in faults),
        unplayed=sum(unplayed),
        game=game.game,
        ply=example.ply,
        detail=example.detail,
        line=example.line,
    )
