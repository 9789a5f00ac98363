"""What a tournament's file asks for, played and reported."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.records import (
    AccuracyReport,
    GameEnded,
    TournamentEnded,
    TournamentReport,
    VariantRecord,
)
from c4_protocol.variant import Variant

from c4_referee.bots.spec import BotSpec, find_bots
from c4_referee.contest.event import Contest, Played
from c4_referee.contest.executor import LOCAL
from c4_referee.contest.file import TournamentFile
from c4_referee.contest.openings import JudgeValue, Openings
from c4_referee.judging.accuracy import Judging
from c4_referee.judging.judge import Judge
from c4_referee.play.ledger import EventHandler, ProgressHandler
from c4_referee.report.faults import forfeit_records
from c4_referee.report.standings import standings
from c4_referee.schedule import Plan, Roster, Schedule, system


@dataclass(frozen=True)
class Competition:
    """A tournament that can be played, and gone on with, on these processors."""

    file: TournamentFile
    judge: BotSpec | None = None
    """Whom to ask which openings are balanced."""
    cpus: Sequence[int] = (0,)

    @property
    def variant(self) -> Variant:
        """What is played."""
        return Variant.parse(self.file.variant)

    def play(
        self,
        handlers: Sequence[EventHandler] = (),
        progress: ProgressHandler | None = None,
        judging: Judging | None = None,
    ) -> tuple[TournamentReport, list[GameEnded]]:
        """Plays what has not been played, as ``Contest.play`` does; its report and its games.

        Games that were played to the last are given to ``judging``.
        """
        with ExitStack() as stack:
            value = stack.enter_context(Judge(self.judge)).value if self.judge else None
            contest = self._contest(value)
            played = contest.play(handlers, Path(self.file.out), progress)
        accuracy = judging(played.games) if judging and played.is_complete else None
        report = self._report(played, accuracy)
        line = orjson.dumps(TournamentEnded(report))
        for handler in handlers:
            handler(orjson.loads(line), line)
        return report, played.games

    def _contest(self, value: JudgeValue | None) -> Contest:
        file = self.file
        openings = Openings(file.openings, self.variant, file.seed, value)
        demanded = {name: True for name in ("sandbox", "freeze") if getattr(file, name)}
        is_local = file.executor == LOCAL
        return Contest(
            bots=tuple(
                find_bots(
                    file.entrants, file.bots, here=is_local, arguments=file.arguments, **demanded
                )
            ),
            schedule=partial(self._schedule, openings),
            variant=self.variant,
            control=file.control,
            concurrency=file.concurrency or (len(self.cpus) if is_local else sys.maxsize),
            executor=file.executor,
            cpus=tuple(self.cpus) if file.pin else (),
            identity=self._identity(),
        )

    def _schedule(self, openings: Openings, roster: Roster) -> Schedule:
        file = self.file
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
            "variant": asdict(VariantRecord.of(self.variant)),
            "control": asdict(file.control),
        }

    def _report(self, played: Played, accuracy: AccuracyReport | None) -> TournamentReport:
        tournament, names = played.tournament, played.names
        playing = {name for game in played.games for name in (game.first, game.second)}
        byes = {names[bot]: 2.0 * self.file.pairs * n for bot, n in tournament.byes.items()}
        ranking = [names[bot] for bot in tournament.ranking or ()]
        told = {*self.file.entrants, *playing, *byes, *ranking}
        there = [name for name in names if name in told]
        shares = _shares(accuracy)
        table = standings(there, played.games, byes, ranking, shares)
        return TournamentReport(
            name=self.file.name,
            system=self.file.system,
            rounds=tournament.rounds,
            scheduled=tournament.scheduled,
            seconds=round(played.seconds, 3),
            complete=played.is_complete,
            standings=table,
            accuracy=accuracy and _ordered(accuracy, [row.bot for row in table.bots]),
            forfeits=forfeit_records([row.bot for row in table.bots], played.games),
        )


def _shares(accuracy: AccuracyReport | None) -> dict[str, float]:
    """Return the share of moves that kept the outcome, for the bots for which it is known."""
    bots = accuracy.bots if accuracy is not None else {}
    return {bot: record.share for bot, record in bots.items() if record.share is not None}


def _ordered(accuracy: AccuracyReport, bots: Sequence[str]) -> AccuracyReport:
    """The same, the bots in this order."""
    known = {bot: accuracy.bots[bot] for bot in bots if bot in accuracy.bots}
    return replace(accuracy, bots=known)
