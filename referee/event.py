"""Any number of bots who meet as a schedule says: plays its games, and remembers them if asked."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from protocol.records import GameEnded
from protocol.variant import STANDARD, Variant
from referee.archive import Archive, Unkept
from referee.books import Books, EventHandler, Progress
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.executor import LOCAL, find_runner
from referee.schedule import Pairing
from referee.tournament import Decision
from referee.worker import Settings


@dataclass(frozen=True)
class Played:
    """The games that have a result, by their number, of ``scheduled``; played in ``seconds``.

    Games of earlier runs are among them; the time is this run's.
    """

    games: list[GameEnded]
    scheduled: int
    seconds: float
    is_complete: bool
    """Whether every scheduled game has its result, or no more were needed."""


@dataclass(frozen=True)
class Contest:
    """What is played: a schedule's games between bots, whom it knows by their place here.

    The bots' names differ. ``concurrency`` games are played at once, each of them on one of
    ``cpus`` alone, if there are any; ``executor`` says where, as ``find_runner`` explains.
    """

    bots: tuple[BotSpec, ...]
    schedule: tuple[Pairing, ...]
    variant: Variant = STANDARD
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1
    cpus: tuple[int, ...] = ()
    executor: str = LOCAL

    def play(
        self,
        handlers: Sequence[EventHandler] = (),
        out: Path | None = None,
        progress: Progress | None = None,
        decides: Decision | None = None,
    ) -> Played:
        """Plays the games that have not been played, every handler being given every event.

        With a folder ``out`` all is kept there, and only what it lacks is played; once ``decides``
        has said so, no more is. Interrupted by
        ``KeyboardInterrupt``, it tells of the games that were finished. Raises ``ArenaError`` for a
        folder that cannot be used, or fails on the way, for a game that a bot cannot speak of, and
        for an executor that is not there; ``OSError`` for one that is lost.
        """
        for bot in self.bots:
            bot.check_plays(self.variant)
        runner = find_runner(self.executor, self.concurrency, self.cpus)
        began = time.monotonic()
        with self._archive(out) as archive:
            names = [bot.name for bot in self.bots]
            books = Books(self.schedule, names, self.variant, archive, handlers, progress, decides)
            settings = Settings(self.variant, self.bots, self._controls(), not handlers)
            with suppress(KeyboardInterrupt):
                runner(books, settings).run()
        tournament = books.tournament
        seconds = time.monotonic() - began
        return Played(tournament.results, tournament.scheduled, seconds, tournament.is_complete)

    def _archive(self, out: Path | None) -> Unkept:
        if out is None:
            return Unkept()
        return Archive(out, self.bots, self.variant, self._controls())

    def _controls(self) -> tuple[TimeControl, ...]:
        """The time of each bot: its own, if it has some."""
        return tuple(
            self.control if bot.time_ms is None else self.control.of_moves(bot.time_ms)
            for bot in self.bots
        )
