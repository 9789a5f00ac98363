"""Keeps a tournament and its archive in step, and applies what follows from faults.

A game is told to consumers of events only once it is committed: whoever has heard of a result will
find it in the archive, whatever happens to the referee next.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import orjson
from c4_protocol.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.variant import Variant

from c4_referee.bots.faults import NOT_STARTED, Fault
from c4_referee.play.jobs import Job
from c4_referee.play.tournament import Decision, Tournament
from c4_referee.schedule import GameKey, Pairing, Schedule
from c4_referee.stats.accuracy import plies
from c4_referee.storage.archive import Unkept

EventHandler = Callable[[bytes], None]
"""Consumer of events: is given each event as its line of JSON, without the line end."""
Progress = Callable[[Tournament], None]
"""Is shown the tournament: at first, and whenever there is another result."""
WITHDRAWN = "withdrawn"
"""Why a bot plays no more that does not take part in its event any longer."""
MENDABLE = Fault.FAILED_TO_START.value
"""Fault that bars a bot for this run only: what it lacked may be there in the next one."""

NOT_PLAYED = "not played"
"""Start of a fault's detail if the game was decided without being played."""
GONE = {fault.value for fault in NOT_STARTED}


class Books:
    """Issues the games of a schedule to be played, and takes what becomes of them.

    The schedule and the games know bots by their place in the archive, jobs by their place among
    those that take part now. Every event goes on to all ``handlers``. What the archive raises
    passes through. ``decides`` may end the schedule early.

    A bot that could not start is barred: it loses its games, and they are not played. Two such bots
    get no points against each other, whichever is found out first. As long as the opponent of a
    barred bot has not shown that it can start, their game is therefore played: it is void if the
    opponent cannot start either (``play.game``). A bot shows it by a move, or by a win in this
    run over a bot that could not start; it keeps its wins if it is barred itself later.
    """

    def __init__(
        self,
        schedule: Schedule,
        variant: Variant,
        archive: Unkept,
        handlers: Sequence[EventHandler] = (),
        progress: Progress | None = None,
        decides: Decision | None = None,
    ) -> None:
        self._variant_record = VariantRecord.of(variant)
        self._archive = archive
        self._seats = {place: seat for seat, place in enumerate(archive.places)}
        self._handlers = handlers
        self._progress = progress
        stored = archive.results()
        self._started = {place for key, game in stored.items() for place in _movers(key, game)}
        """The places of bots that have shown that they can start."""
        earlier = {key: self._essence(key, game) for key, game in stored.items()}
        self.tournament = Tournament(schedule, earlier, decides)
        for place, name in enumerate(archive.names):
            if place not in self._seats:
                self.tournament.bar(place, _withdrawal(name))
        for key, game in earlier.items():
            if game.fault is None or game.fault.fault != MENDABLE:
                self._bar(key, game)
        self._tell_progress()

    def issue(self) -> Job | None:
        """The next game to play; those of barred bots are decided on the way.

        ``None`` if there is none now; there may be later, unless the tournament is complete.
        """
        while (pairing := self.tournament.issue()) is not None:
            self._archive.issue(pairing.key)
            faults = self.tournament.barred(pairing)
            if not faults or self._is_undecided(pairing, faults):
                return self._job(pairing)
            line = orjson.dumps(self._unplayed(pairing, faults))
            self.take(orjson.loads(line), line)
        return None

    def take(self, event: dict[str, Any], line: bytes) -> None:
        """An event of an issued game, with its line."""
        if event["event"] == "game_ended" and not self._ended(GameEnded.read(event), line):
            return
        for handler in self._handlers:
            handler(line)

    def roll_back(self, number: int) -> None:
        """An issued game came to nothing."""
        self._archive.roll_back(self.tournament.issued(number).key)
        self.tournament.roll_back(number)

    def _is_undecided(self, pairing: Pairing, faults: Sequence[FaultRecord]) -> bool:
        """Return whether only playing a game shows that the opponent of a barred bot can start."""
        if [fault.fault for fault in faults] != [MENDABLE]:
            return False
        is_first = faults[0].bot == self._archive.names[pairing.first]
        opponent = pairing.second if is_first else pairing.first
        return opponent not in self._started

    def _job(self, pairing: Pairing) -> Job:
        first, second = self._seats[pairing.first], self._seats[pairing.second]
        # Of more than two bots others may come next, from whom those ahead would take time.
        more = len(self._seats) == 2 and self.tournament.waiting > 0
        return Job(pairing.number, first, second, pairing.key.opening, more)

    def _ended(self, result: GameEnded, line: bytes) -> bool:
        """Commits a result; one that is to be played again is none."""
        if result.fault is not None and result.fault.policy == "retry":
            self.roll_back(result.game)
            return False
        key = self.tournament.issued(result.game).key
        self._archive.commit(key, line)
        if not self._started.issuperset((key.first, key.second)):
            self._started |= _movers(key, result) | _winner_over_nobody(key, result)
        self._bar(key, result)
        self.tournament.fix(self._essence(key, result))
        self._tell_progress()
        return True

    def _essence(self, key: GameKey, result: GameEnded) -> GameEnded:
        """What a report needs of a result, under the names that the bots have now.

        Times and the bots' words are in the event and the archive; here they would be most of what
        a long match keeps in memory.
        """
        first, second = (self._archive.names[place] for place in (key.first, key.second))

        def renamed(fault: FaultRecord) -> FaultRecord:
            return replace(fault, bot=first if fault.bot == result.first else second)

        return replace(
            result,
            first=first,
            second=second,
            ms=[],
            cpu_ms=[],
            stderr={},
            fault=result.fault and renamed(result.fault),
            notes=[*map(renamed, result.notes)],
            variant=self._variant_record,
        )

    def _tell_progress(self) -> None:
        if self._progress is not None:
            self._progress(self.tournament)

    def _bar(self, key: GameKey, result: GameEnded) -> None:
        """Bar the bots whose faults in a game demand it."""
        for fault in filter(None, (result.fault, *result.notes)):
            is_void_start = fault.policy == "void" and fault.fault == MENDABLE
            if is_void_start or (fault.policy == "bar" and fault.fault != WITHDRAWN):
                place = key.first if fault.bot == result.first else key.second
                self.tournament.bar(place, replace(fault, policy="bar"))

    def _unplayed(self, pairing: Pairing, faults: Sequence[FaultRecord]) -> GameEnded:
        """A game that is lost by the bot that is barred for a fault, and void if both are."""
        names = self._archive.names[pairing.first], self._archive.names[pairing.second]
        fault = faults[0]
        both = len(faults) > 1
        gone = fault.fault == WITHDRAWN
        return GameEnded(
            game=pairing.number,
            first=names[0],
            second=names[1],
            moves="",
            ms=[],
            cpu_ms=[],
            winner=0 if both else 2 if fault.bot == names[0] else 1,
            ending="void" if both else "forfeit",
            fault=FaultRecord(
                bot=fault.bot,
                fault=fault.fault,
                policy="void" if both else fault.policy,
                ply=0,
                ms=0.0,
                cpu_ms=0.0,
                detail=f"{NOT_PLAYED}, as the bot " + ("has withdrawn" if gone else "is barred"),
            ),
            notes=[],
            stderr={},
            variant=self._variant_record,
            opening=pairing.key.opening,
        )


def _movers(key: GameKey, result: GameEnded) -> set[int]:
    """Return the places of the bots that have made a move of their own in a game."""
    seats = (key.first, key.second)
    opening = plies(result.opening, result.variant.variant())
    return {seats[ply % 2] for ply in range(opening, opening + min(2, len(result.ms)))}


def _winner_over_nobody(key: GameKey, result: GameEnded) -> set[int]:
    """Return the place of a bot that won as its opponent could not start, or had ended."""
    if result.fault is None or not result.winner or result.fault.fault not in GONE:
        return set()
    return {(key.first, key.second)[result.winner - 1]}


def _withdrawal(bot: str) -> FaultRecord:
    return FaultRecord(bot, WITHDRAWN, "bar", 0, 0.0, 0.0, "it takes part no longer")
