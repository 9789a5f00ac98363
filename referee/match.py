"""Two bots against each other: plays the games and sums them up."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import orjson

from protocol.records import GameEnded, MatchEnded, MatchReport
from protocol.variant import STANDARD, Variant
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.report.summary import match_report
from referee.runner import EventHandler, Runner
from referee.schedule import Pairing, match
from referee.tournament import Tournament
from referee.worker import Job


@dataclass(frozen=True)
class Match:
    """What is played: ``games`` games, the bots taking turns in going first."""

    bots: tuple[BotSpec, BotSpec]
    games: int = 2
    variant: Variant = STANDARD
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1

    def play(self, handlers: Sequence[EventHandler] = ()) -> tuple[MatchReport, list[GameEnded]]:
        """Plays the match, every handler being given every event; its report and its games.

        Interrupted by ``KeyboardInterrupt``, it reports on the games that were finished.
        """

        def handle(event: dict[str, object], line: bytes) -> None:
            for handler in handlers:
                handler(event, line)

        tournament = Tournament(match(self.games))
        began = time.monotonic()
        with suppress(KeyboardInterrupt):
            Runner(tournament, self._job, self.concurrency).run(handle)
        names = (self.bots[0].name, self.bots[1].name)
        seconds = time.monotonic() - began
        report = match_report(names, tournament.results, tournament.scheduled, seconds)
        line = orjson.dumps(MatchEnded(report))
        handle(orjson.loads(line), line)
        return report, tournament.results

    def _job(self, pairing: Pairing) -> Job:
        first, second = self.bots[pairing.first], self.bots[pairing.second]
        return Job(
            pairing.number,
            self.variant,
            (first, second),
            (self._control(first), self._control(second)),
        )

    def _control(self, bot: BotSpec) -> TimeControl:
        return self.control if bot.time_ms is None else TimeControl(bot.time_ms)
