"""Keeps a tournament and its archive in step, and applies what follows from faults.

A game is told to consumers of events only once it is committed: whoever has heard of a result will
find it in the archive, whatever happens to the referee next.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import orjson

from protocol.records import FaultRecord, GameEnded, VariantRecord, game_ended
from protocol.variant import Variant
from referee.archive import Unkept
from referee.schedule import Pairing
from referee.tournament import Decision, Tournament

EventHandler = Callable[[dict[str, Any], bytes], None]
"""Is given each event as a dictionary and as the line it came in."""
Progress = Callable[[int, int], None]
"""Is given how many games have their result, and how many are scheduled: at first, and whenever
there is another one."""


class Books:
    """Issues the games of a schedule to be played between ``bots``, their names in its order.

    Every event goes on to all ``handlers``. What the archive raises passes through. ``decides`` may
    end the schedule early.
    """

    def __init__(
        self,
        schedule: Sequence[Pairing],
        bots: Sequence[str],
        variant: Variant,
        archive: Unkept,
        handlers: Sequence[EventHandler] = (),
        progress: Progress | None = None,
        decides: Decision | None = None,
    ) -> None:
        self._bots = tuple(bots)
        self._variant_record = VariantRecord.of(variant)
        self._names = {name: name for name in bots}  # one of each, instead of two a game
        self._archive = archive
        self._handlers = handlers
        self._progress = progress
        results = map(self._essence, archive.results(schedule))
        self.tournament = Tournament(schedule, results, decides)
        for result in self.tournament.results:
            self._bar(result)
        self._tell_progress()

    def issue(self) -> Pairing | None:
        """The next game to play; those of barred bots are decided on the way."""
        while (pairing := self.tournament.issue()) is not None:
            self._archive.issue(pairing.key)
            faults = self.tournament.barred(pairing)
            if not faults:
                break
            names = (self._bots[pairing.first], self._bots[pairing.second])
            line = orjson.dumps(unplayed(pairing.number, names, faults, self._variant_record))
            self.take(orjson.loads(line), line)
        return pairing

    def take(self, event: dict[str, Any], line: bytes) -> None:
        """An event of an issued game, with its line."""
        if event["event"] == "game_ended" and not self._ended(game_ended(event), line):
            return
        for handler in self._handlers:
            handler(event, line)

    def roll_back(self, number: int) -> None:
        """An issued game came to nothing."""
        self._archive.roll_back(self.tournament.issued(number).key)
        self.tournament.roll_back(number)

    def _ended(self, result: GameEnded, line: bytes) -> bool:
        """Commits a result; one that is to be played again is none."""
        if result.fault is not None and result.fault.policy == "retry":
            self.roll_back(result.game)
            return False
        self._archive.commit(self.tournament.issued(result.game).key, line)
        self.tournament.fix(self._essence(result))
        self._bar(result)
        self._tell_progress()
        return True

    def _essence(self, result: GameEnded) -> GameEnded:
        """What a report needs of a result.

        Times and the bots' words are in the event and the archive; here they would be most of what
        a long match keeps in memory.
        """
        return replace(
            result,
            first=self._names.get(result.first, result.first),
            second=self._names.get(result.second, result.second),
            ms=[],
            cpu_ms=[],
            stderr={},
            variant=self._variant_record,
        )

    def _tell_progress(self) -> None:
        if self._progress is not None:
            self._progress(self.tournament.done, self.tournament.scheduled)

    def _bar(self, result: GameEnded) -> None:
        if result.fault is not None and result.fault.policy == "bar":
            self.tournament.bar(self._bots.index(result.fault.bot), result.fault)


def unplayed(
    number: int, names: tuple[str, str], faults: Sequence[FaultRecord], variant: VariantRecord
) -> GameEnded:
    """A game that is lost by the bot that is barred for a fault, and void if both are."""
    fault = faults[0]
    both = len(faults) > 1
    return GameEnded(
        game=number,
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
            detail="not played, as the bot is barred",
        ),
        notes=[],
        stderr={},
        variant=variant,
    )
