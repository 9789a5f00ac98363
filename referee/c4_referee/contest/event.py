"""Any number of bots who meet as a schedule says: plays its games, and remembers them if asked."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from c4_protocol.records import GameEnded
from c4_protocol.variant import STANDARD, Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.executor import LOCAL, find_runner
from c4_referee.play.jobs import WorkerSettings
from c4_referee.play.ledger import EventHandler, Ledger, ProgressHandler
from c4_referee.play.tournament import Decision, Tournament
from c4_referee.schedule import Roster, Schedule
from c4_referee.storage.archive import Archive, FolderArchive, MemoryArchive, identity_of_bots


@dataclass(frozen=True)
class Played:
    """What became of a contest, in ``seconds``.

    ``names`` are those of all bots by their place in ``tournament``, also of bots that have left.
    Games of earlier runs are among its results; the time is this run's. ``was_interrupted`` is true
    if Ctrl-C ended this run.
    """

    tournament: Tournament
    names: list[str]
    seconds: float
    was_interrupted: bool = False

    @property
    def games(self) -> list[GameEnded]:
        """The games that have a result, by their number."""
        return self.tournament.results

    @property
    def is_complete(self) -> bool:
        """Whether every scheduled game has its result, or no more were needed."""
        return self.tournament.is_complete


@dataclass(frozen=True)
class Contest:
    """What is played: the games that ``schedule`` makes of the roster of bots.

    The bots' names differ. ``concurrency`` games are played at once, each of them on one of
    ``cpus`` alone, if there are any; ``executor`` says where, as ``find_runner`` explains.
    ``identity`` is a JSON object that tells the event from others that are kept in the same folder;
    if there is none, it is told by its bots and settings.
    """

    bots: tuple[BotSpec, ...]
    schedule: Callable[[Roster], Schedule]
    variant: Variant = STANDARD
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1
    cpus: tuple[int, ...] = ()
    executor: str = LOCAL
    identity: Mapping[str, Any] | None = None

    def play(
        self,
        handlers: Sequence[EventHandler] = (),
        out: Path | None = None,
        progress: ProgressHandler | None = None,
        decides: Decision | None = None,
    ) -> Played:
        """Plays the games that have not been played, every handler being given every event.

        With a folder ``out`` all is kept there, and only what it lacks is played; once ``decides``
        has said so, no more is. Interrupted by ``KeyboardInterrupt``, it tells of the games that
        were finished. Raises ``ArenaError`` for a folder that cannot be used, or fails on the way,
        for a schedule that cannot be made, for a game that a bot cannot speak of, and for an
        executor that is not there; ``OSError`` for one that is lost.
        """
        for bot, control in zip(self.bots, self._controls(), strict=True):
            bot.check_plays(self.variant, control)
        runner = find_runner(self.executor, self.concurrency, self.cpus)
        began = time.monotonic()
        with self._archive(out) as archive:
            schedule = self.schedule(archive.roster)
            ledger = Ledger(schedule, self.variant, archive, handlers, progress, decides)
            settings = WorkerSettings(self.variant, self.bots, self._controls(), not handlers)
            was_interrupted = True
            with suppress(KeyboardInterrupt):
                runner(ledger, settings).run()
                was_interrupted = False
        seconds = time.monotonic() - began
        return Played(ledger.tournament, [*archive.names.values()], seconds, was_interrupted)

    def _archive(self, out: Path | None) -> Archive:
        if out is None:
            return MemoryArchive(self.bots)
        identity = self.identity or identity_of_bots(self.bots, self.variant, self._controls())
        return FolderArchive(out, identity, self.bots)

    def _controls(self) -> tuple[TimeControl, ...]:
        """The time of each bot: its own, if it has some."""
        return tuple(
            self.control if bot.time_ms is None else self.control.of_moves(bot.time_ms)
            for bot in self.bots
        )
