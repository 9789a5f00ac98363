"""Plays a tournament's games on a Dask cluster, wherever there is a thread for one."""

import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import orjson
from c4_protocol.errors import ArenaError
from distributed import Future, KilledWorker

from c4_referee.bots.folder import Parcel, pack
from c4_referee.cluster.interrupts import noted
from c4_referee.cluster.link import LOOK_SECONDS, Link, Played
from c4_referee.cluster.pool import GameLost
from c4_referee.play.jobs import WorkerSettings
from c4_referee.play.ledger import Ledger

LOST = (GameLost, KilledWorker, OSError)
"""Why a game comes to nothing without its bots' doing: it may be played again."""


class ClusterRunner:
    """Keeps all threads of a cluster at games until the ledger has no more to issue.

    The cluster may grow and shrink meanwhile. At most ``most`` games are out at once; ``address``
    is the scheduler's, as ``tcp://HOST:PORT``.
    """

    def __init__(
        self, ledger: Ledger, settings: WorkerSettings, address: str, most: int = sys.maxsize
    ) -> None:
        self._ledger = ledger
        self._settings = settings
        self._address = address
        self._most = most
        self._games: dict[Future[Played], int] = {}
        """The games that are out, by their tasks."""
        self._ended: SimpleQueue[Future[Played] | None] = SimpleQueue()
        """The tasks that have ended; ``None`` is Ctrl-C."""

    def run(self) -> None:
        """Plays all games, giving the events of each to the ledger once it has ended.

        A game whose worker dies is given to another one by Dask, or rolled back if several die of
        it. Whatever ends this, no game goes on. Raises ``UsageError`` for a cluster or a bot's
        folder that cannot be used, ``OSError`` for a cluster that is lost.
        """
        parcels = _packed(self._settings)
        with (
            Link(self._address, self._settings.to_line(), parcels) as link,
            noted(lambda: self._ended.put(None)),
        ):
            self._give_out(link)
            while self._games:
                self._take(link, self._next_ended())
                self._give_out(link)

    def _give_out(self, link: Link) -> None:
        """As many games as there is room for."""
        while len(self._games) < min(link.room(), self._most):
            job = self._ledger.issue()
            if job is None:
                return
            task = link.submit(job)
            self._games[task] = job.game
            task.add_done_callback(self._ended.put)

    def _next_ended(self) -> list["Future[Played]"]:
        """The tasks that have ended; none if that takes longer than the next look at the room."""
        ended = []
        timeout = LOOK_SECONDS
        with suppress(Empty):
            while True:
                task = self._ended.get(timeout=timeout)
                if task is None:
                    raise KeyboardInterrupt
                ended.append(task)
                timeout = 0
        return ended

    def _take(self, link: Link, ended: list["Future[Played]"]) -> None:
        """Puts games that have ended into the ledger, and rolls others back."""
        results = link.results(task for task in ended if task.status == "finished")
        for task in ended:
            number = self._games.pop(task)
            if number in results:
                for line in results[number]:
                    self._ledger.take(orjson.loads(line), line)
            else:
                _check_lost(task)
                self._ledger.roll_back(number)


def _check_lost(task: "Future[Played]") -> None:
    """Raises ``ArenaError`` for a task that would fail again, wherever it is tried."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, ArenaError):
        raise error
    if error is not None and not isinstance(error, LOST):
        raise ArenaError(f"a game failed on the cluster: {type(error).__name__}: {error}")


def _packed(settings: WorkerSettings) -> dict[str, Parcel]:
    """The bots' folders, by what they are called here; raises ``UsageError``."""
    folders = {bot.folder for bot in settings.bots if bot.folder is not None}
    return {folder: pack(Path(folder)) for folder in sorted(folders)}
