"""What a tournament's file asks for, played and reported."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from protocol.records import TournamentEnded, TournamentReport, VariantRecord
from protocol.variant import Variant
from referee.books import EventHandler, Progress
from referee.bots import find_bots
from referee.event import Contest, Played
from referee.executor import LOCAL
from referee.openings import Openings
from referee.report.standings import standings
from referee.schedule import Plan, Roster, Schedule, system
from referee.tournament_file import TournamentFile


@dataclass(frozen=True)
class Competition:
    """A tournament that can be played, and gone on with, on these processors."""

    file: TournamentFile
    cpus: Sequence[int] = (0,)

    def play(
        self, handlers: Sequence[EventHandler] = (), progress: Progress | None = None
    ) -> TournamentReport:
        """Plays what has not been played, as ``Contest.play`` does, and reports on all of it."""
        played = self._contest().play(handlers, Path(self.file.out), progress)
        report = self._report(played)
        line = orjson.dumps(TournamentEnded(report))
        for handler in handlers:
            handler(orjson.loads(line), line)
        return report

    def _contest(self) -> Contest:
        file = self.file
        demanded = {name: True for name in ("sandbox", "freeze") if getattr(file, name)}
        is_local = file.executor == LOCAL
        return Contest(
            bots=tuple(find_bots(file.entrants, file.bots, here=is_local, **demanded)),
            schedule=self._schedule,
            variant=Variant.parse(file.variant),
            control=file.control,
            concurrency=file.concurrency or (len(self.cpus) if is_local else sys.maxsize),
            executor=file.executor,
            cpus=tuple(self.cpus) if file.pin else (),
            identity=self._identity(),
        )

    def _schedule(self, roster: Roster) -> Schedule:
        file = self.file
        openings = Openings(file.openings, Variant.parse(file.variant), file.seed)
        return system(file.system)(Plan(roster, openings.start, file.rounds, file.pairs))

    def _identity(self) -> dict[str, Any]:
        """All that shapes the games but who plays, and how many rounds there are."""
        file = self.file
        return {
            "name": file.name,
            "system": file.system,
            "pairs": file.pairs,
            "openings": file.openings,
            "seed": file.seed,
            "variant": asdict(VariantRecord.of(Variant.parse(file.variant))),
            "control": asdict(file.control),
        }

    def _report(self, played: Played) -> TournamentReport:
        tournament, names = played.tournament, played.names
        playing = {name for game in played.games for name in (game.first, game.second)}
        there = [name for name in names if name in playing or name in self.file.entrants]
        byes = {names[bot]: 2.0 * self.file.pairs * n for bot, n in tournament.byes.items()}
        ranking = [names[bot] for bot in tournament.ranking or ()]
        return TournamentReport(
            name=self.file.name,
            system=self.file.system,
            rounds=tournament.rounds,
            scheduled=tournament.scheduled,
            seconds=round(played.seconds, 3),
            complete=played.is_complete,
            standings=standings(there, played.games, byes, ranking),
        )
