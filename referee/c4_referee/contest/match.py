"""Two bots against each other: an event, and its report."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from c4_protocol.errors import UsageError
from c4_protocol.records import GameEnded, MatchEnded, MatchReport
from c4_protocol.variant import STANDARD, Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.event import Contest
from c4_referee.contest.executor import LOCAL
from c4_referee.contest.openings import find_openings
from c4_referee.judging.accuracy import Judging
from c4_referee.judging.judge import Judge
from c4_referee.play.ledger import EventHandler, ProgressHandler
from c4_referee.report.summary import match_report
from c4_referee.schedule import fixed, turns
from c4_referee.stats.sprt import SequentialTest, Sprt


@dataclass(frozen=True)
class Match:
    """What is played: ``games`` games, the bots taking turns in going first.

    With ``openings`` each is played twice, so that both bots go first in it; ``seed`` draws them.
    With ``sprt`` fewer are played if it can be decided before.
    """

    bots: tuple[BotSpec, BotSpec]
    games: int = 2
    variant: Variant = STANDARD
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1
    cpus: tuple[int, ...] = ()
    """What each game is kept on one of; any, if there are none."""
    openings: str = "none"
    seed: int = 0
    judge: BotSpec | None = None
    """Whom to ask which openings are balanced."""
    sprt: Sprt | None = None
    executor: str = LOCAL

    def play(
        self,
        handlers: Sequence[EventHandler] = (),
        out: Path | None = None,
        progress: ProgressHandler | None = None,
        judging: Judging | None = None,
        *,
        raise_interrupts: bool = False,
    ) -> tuple[MatchReport, list[GameEnded]]:
        """Plays the match, as ``Contest.play`` does; its report and its games.

        Games that were played to the last are given to ``judging``.
        The games come without the times of their moves and the bots' words, which are in the events
        and in ``out``. With ``raise_interrupts`` Ctrl-C raises ``KeyboardInterrupt``, as callers of
        a library expect; else it ends the match and the games so far are reported.
        """
        openings = self._openings()
        contest = Contest(
            self.bots,
            lambda _: fixed(turns(self.games, openings)),
            self.variant,
            self.control,
            self.concurrency,
            self.cpus,
            self.executor,
        )
        names = (self.bots[0].name, self.bots[1].name)
        test = None if self.sprt is None else SequentialTest(self.sprt, names[0])
        decides = None if test is None else test.take
        played = contest.play(handlers, out, progress, decides)
        if played.was_interrupted and raise_interrupts:
            raise KeyboardInterrupt
        scheduled = played.tournament.scheduled
        judged = judging(played.games) if judging and played.is_complete else None
        report = match_report(names, played.games, scheduled, played.seconds, test, judged)
        line = orjson.dumps(MatchEnded(report))
        for handler in handlers:
            handler(orjson.loads(line), line)
        return report, played.games

    def _openings(self) -> list[str]:
        if self.openings == "none":
            return []
        if self.games % 2:
            raise UsageError(f"openings are played with both colours: {self.games} games are odd")
        with ExitStack() as stack:
            judge = stack.enter_context(Judge(self.judge)).value if self.judge else None
            return find_openings(self.openings, self.variant, self.games // 2, self.seed, judge)
