"""Games without what bots wrote to standard error, which may name secrets of this machine."""

from dataclasses import replace

from c4_protocol.records.events import FaultRecord, GameEnded

from c4_referee.bots.contain.faults import LAST_WORDS
from c4_referee.records.storage.contests import StoredContest


def public_contest(contest: StoredContest) -> StoredContest:
    """Return a contest whose games everybody may see."""
    games, apart = (tuple(map(public_game, games)) for games in (contest.games, contest.apart))
    return replace(contest, games=games, apart=apart)


def public_game(game: GameEnded) -> GameEnded:
    """Return a game that everybody may see."""
    fault = game.fault and _public_fault(game.fault)
    return replace(game, stderr={}, fault=fault, notes=[*map(_public_fault, game.notes)])


def _public_fault(fault: FaultRecord) -> FaultRecord:
    """Return a fault without the last words of its bot."""
    return replace(fault, detail=fault.detail.partition(LAST_WORDS)[0])
