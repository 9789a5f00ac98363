"""Two bots against each other: an event, and its report."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from protocol.records import GameEnded, MatchEnded, MatchReport
from protocol.variant import STANDARD, Variant
from referee.books import EventHandler, Progress
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.event import Contest
from referee.report.summary import match_report
from referee.schedule import match


@dataclass(frozen=True)
class Match:
    """What is played: ``games`` games, the bots taking turns in going first."""

    bots: tuple[BotSpec, BotSpec]
    games: int = 2
    variant: Variant = STANDARD
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1
    cpus: tuple[int, ...] = ()
    """What each game is kept on one of; any, if there are none."""

    def play(
        self,
        handlers: Sequence[EventHandler] = (),
        out: Path | None = None,
        progress: Progress | None = None,
    ) -> tuple[MatchReport, list[GameEnded]]:
        """Plays the match, as ``Contest.play`` does; its report and its games.

        The games come without the times of their moves and the bots' words, which are in the events
        and in ``out``.
        """
        schedule = tuple(match(self.games))
        contest = Contest(
            self.bots, schedule, self.variant, self.control, self.concurrency, self.cpus
        )
        played = contest.play(handlers, out, progress)
        names = (self.bots[0].name, self.bots[1].name)
        report = match_report(names, played.games, played.scheduled, played.seconds)
        line = orjson.dumps(MatchEnded(report))
        for handler in handlers:
            handler(orjson.loads(line), line)
        return report, played.games
