"""What a referee has on a Dask cluster while it is there, and how that goes when it goes.

A worker plugin has the *seats*: it is set up on every Dask worker before games come to it, also on
those that join later, and taken down when a worker closes. A scheduler plugin is the *steward*: it
sees the referee's connection end, whatever the reason, and has the seats taken down.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from c4_protocol.errors import ArenaError, UsageError
from distributed import Scheduler, SchedulerPlugin, Worker, WorkerPlugin, get_worker

from c4_referee.bots.folder import Parcel, unpack
from c4_referee.cluster.pool import GameLost, Pool
from c4_referee.play.jobs import Job, WorkerSettings

PACKAGE = "c4-arena"
VERSION = version(PACKAGE)


def seats_of(client: str) -> str:
    """The name of the plugin that a referee has on the workers, by its client's."""
    return f"{PACKAGE}-{client}"


def play_game(seats: str, job: bytes) -> tuple[int, list[bytes]]:
    """A task: plays a game in the seats of that name; its number, and its events as lines."""
    plugin = get_worker().plugins.get(seats)
    if not isinstance(plugin, Seats):
        raise GameLost("the referee is gone")
    return plugin.play(Job.from_line(job))


def check_version(where: str, theirs: str, ours: str) -> None:
    """Raises ``UsageError`` if the version of this package on some machine is not the referee's."""
    if theirs != ours:
        raise UsageError(
            f"{where}: {PACKAGE} is {theirs}, the referee's {ours}: install the same everywhere"
        )


class Seats(WorkerPlugin):
    """Plays a referee's games on a Dask worker: ``settings`` are a line, ``version`` is its own.

    ``parcels`` are the folders of the bots, by what their specs call them.
    """

    def __init__(self, version: str, settings: bytes, parcels: Mapping[str, Parcel]) -> None:
        self._version = version
        self._settings = settings
        self._parcels = parcels
        self._shelf: Path | None = None
        self._pool: Pool | None = None
        self._refusal: Exception | None = None

    async def setup(self, worker: Worker) -> None:
        """Unpacks what there is; raises ``UsageError`` or ``OSError`` if no game can be played."""
        try:
            check_version("worker", VERSION, self._version)
            await asyncio.to_thread(self._prepare, worker)
        except (ArenaError, OSError) as error:
            self._refusal = UsageError(f"{worker.address}: {error}")
            raise self._refusal from None

    async def teardown(self, worker: Worker) -> None:
        """Ends all games that are under way here, with their bots."""
        await asyncio.to_thread(self._clear)

    def play(self, job: Job) -> tuple[int, list[bytes]]:
        """A game's number and its events; raises ``GameLost``, or why none can be played here."""
        if self._refusal is not None:
            raise self._refusal
        if self._pool is None:
            raise GameLost("a worker was not ready")
        return job.game, self._pool.play(job)

    def _prepare(self, worker: Worker) -> None:
        self._shelf = Path(tempfile.mkdtemp(prefix="bots-", dir=worker.local_directory))
        settings = self._moved(WorkerSettings.from_line(self._settings), self._shelf)
        for bot in settings.bots:
            bot.check_startable()
        self._pool = Pool(settings)

    def _moved(self, settings: WorkerSettings, shelf: Path) -> WorkerSettings:
        """The same settings for bots whose folders have come here."""
        places = {
            folder: str(unpack(parcel, shelf / str(number)))
            for number, (folder, parcel) in enumerate(self._parcels.items())
        }
        self._parcels = {}  # they may be large
        bots = (
            bot.model_copy(update={"folder": places[bot.folder]}) if bot.folder else bot
            for bot in settings.bots
        )
        return replace(settings, bots=tuple(bots))

    def _clear(self) -> None:
        if self._pool is not None:
            self._pool.close()
        if self._shelf is not None:
            shutil.rmtree(self._shelf, ignore_errors=True)


class Steward(SchedulerPlugin):
    """Takes a referee's seats down once its client is gone, be it ended, killed or cut off."""

    name = f"{PACKAGE}-steward"

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """A client of this scheduler has gone."""
        seats = seats_of(client)
        if seats in scheduler.worker_plugins:
            scheduler.loop.add_callback(scheduler.unregister_worker_plugin, None, seats)
