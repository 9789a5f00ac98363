"""The cluster runner, which plays a tournament's games on a Dask cluster.

In: jobs from the ledger. Out: the event lines of a game. The ledger receives them when the game has
ended. Each game is a Dask task (``cluster.plugins.play_game``). The runner submits as many tasks as
the cluster has room for. It checks the room repeatedly, because workers may join and leave. A task
that ends is put into a queue. Ctrl-C puts ``None`` into the same queue, so that no Ctrl-C is lost.

Guarantees: if a worker ends during a game, Dask gives the game to another worker. If several
workers end during the same game, it is rolled back. No game continues on the cluster when
``ClusterRunner.run`` ends, even by an exception or Ctrl-C.
"""

import sys
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import orjson
from c4_protocol.errors import ArenaError
from distributed import Future, KilledWorker

from c4_referee.bots.folder import Parcel, pack
from c4_referee.cluster.interrupts import on_interrupt
from c4_referee.cluster.link import ROOM_CHECK_SECONDS, GameLines, Link
from c4_referee.cluster.pool import GameLost
from c4_referee.play.jobs import WorkerSettings
from c4_referee.play.ledger import Ledger
from c4_referee.play.records import RecordRefused

LOST = (GameLost, KilledWorker, OSError)
"""Errors of a task that its bots did not cause. After one of them, the game may be played again."""


class ClusterRunner:
    """Runner that keeps all threads of a cluster busy until the ledger has no more jobs.

    ``address`` is the address of the scheduler, ``tcp://HOST:PORT``. At most ``max_games`` are on
    the cluster at the same time.
    """

    def __init__(
        self, ledger: Ledger, settings: WorkerSettings, address: str, max_games: int = sys.maxsize
    ) -> None:
        self._ledger = ledger
        self._settings = settings
        self._address = address
        self._max_games = max_games
        self._games: dict[Future[GameLines], int] = {}
        """The numbers of the games on the cluster, by their tasks."""
        self._ended: SimpleQueue[Future[GameLines] | None] = SimpleQueue()
        """The tasks that have ended. ``None`` stands for Ctrl-C."""

    def run(self) -> None:
        """Play all games.

        Raises ``UsageError`` if the cluster or a bot's folder cannot be used, and ``OSError`` if
        the connection to the cluster is lost.
        """
        parcels = _pack_folders(self._settings)
        with (
            Link(self._address, self._settings.to_line(), parcels) as link,
            on_interrupt(lambda: self._ended.put(None)),
        ):
            self._submit_games(link)
            while self._games:
                self._settle(link, self._next_ended())
                self._submit_games(link)

    def _submit_games(self, link: Link) -> None:
        """Give the cluster as many games as it has room for."""
        while len(self._games) < min(link.room(), self._max_games):
            job = self._ledger.issue()
            if job is None:
                return
            task = link.submit(job)
            self._games[task] = job.game
            task.add_done_callback(self._ended.put)

    def _next_ended(self) -> list["Future[GameLines]"]:
        """Wait at most ``ROOM_CHECK_SECONDS`` for tasks that end. Return them, or an empty list."""
        ended = []
        timeout = ROOM_CHECK_SECONDS
        with suppress(Empty):
            while True:
                task = self._ended.get(timeout=timeout)
                if task is None:
                    raise KeyboardInterrupt
                ended.append(task)
                timeout = 0
        return ended

    def _settle(self, link: Link, ended: list["Future[GameLines]"]) -> None:
        """Give the events of ended tasks to the ledger, and roll back the games of failed tasks."""
        results = link.results(task for task in ended if task.status == "finished")
        for task in ended:
            number = self._games.pop(task)
            if number not in results:
                _check_can_retry(task)
            elif self._take(results[number]):
                continue
            self._ledger.lose(number)

    def _take(self, lines: list[bytes]) -> bool:
        """Give the events of a game to the ledger. Return false if the record is refused."""
        with suppress(RecordRefused):
            for line in lines:
                self._ledger.take(orjson.loads(line), line)
            return True
        return False


def _check_can_retry(task: "Future[GameLines]") -> None:
    """Raise ``ArenaError`` if a task failed for a reason that would let it fail again."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, ArenaError):
        raise error
    if error is not None and not isinstance(error, LOST):
        raise ArenaError(f"a game failed on the cluster: {type(error).__name__}: {error}")


def _pack_folders(settings: WorkerSettings) -> dict[str, Parcel]:
    """Pack the bots' folders, and return them by path, or raise ``UsageError``."""
    folders = {bot.folder for bot in settings.bots if bot.folder is not None}
    return {folder: pack(Path(folder)) for folder in sorted(folders)}
