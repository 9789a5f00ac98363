"""Plugins of a Dask cluster, which play a referee's games and clean up when the referee ends.

The worker plugin plays games. Dask sets it up on every worker before the worker gets games,
including workers that join later. Dask takes it down when a worker closes. The scheduler plugin is
called when the referee's connection ends for any reason. Then it removes the worker plugin.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from c4_protocol.program.errors import ArenaError, UsageError
from distributed import Scheduler, SchedulerPlugin, Status, Worker, WorkerPlugin, get_worker

from c4_referee.bots.bot_files import states_of
from c4_referee.bots.bot_folder import PackedFolder, unpack_folder
from c4_referee.bots.contain.strays import end_former_strays
from c4_referee.contest.cluster.batch import TASK_SECONDS, PlayedBatch
from c4_referee.contest.cluster.pool import SlotPool
from c4_referee.contest.play.jobs import Job, WorkerSettings

PACKAGE_NAME = "c4-arena"
PACKAGE_VERSION = version(PACKAGE_NAME)
GAME_RESOURCE = f"{PACKAGE_NAME} {PACKAGE_VERSION}"
"""Name of the Dask resource of workers with this version: one for each thread. Each task needs one,
so that other workers get no games."""


class GameLost(Exception):
    """Error for games that failed, but not because of their bots. They may be played again."""


def plugin_name(client: str) -> str:
    """Return the name of a referee's worker plugin from the name of its Dask client."""
    return f"{PACKAGE_NAME}-{client}"


def play_batch(plugin_name: str, lines: bytes) -> PlayedBatch:
    """Dask task: play games with the plugin of this name. ``lines`` has one job in each line."""
    plugin = get_worker().plugins.get(plugin_name)
    if not isinstance(plugin, GamePlugin):
        raise GameLost("the referee is gone")
    return plugin.play([*map(Job.from_line, lines.splitlines())])


def check_version(where: str, theirs: str, ours: str) -> None:
    """Raise ``UsageError`` if the version of this package on a machine is not the referee's."""
    if theirs != ours:
        raise UsageError(
            f"{where}: {PACKAGE_NAME} is {theirs}, the referee's {ours}: "
            "install the same everywhere"
        )


def threads_for_games(dask_scheduler: Scheduler) -> dict[str, int]:
    """Return the number of threads that can play games, for each worker of the scheduler."""
    workers = dask_scheduler.workers.items()
    return {address: int(worker.resources.get(GAME_RESOURCE, 0)) for address, worker in workers}


class GamePlugin(WorkerPlugin):
    """Worker plugin that plays a referee's games on a Dask worker.

    ``version`` is the referee's version of this package. ``settings`` is the line with the
    ``WorkerSettings``. ``parcels`` has the packed folder of each bot, by the path in the bot's
    spec.
    """

    def __init__(self, version: str, settings: bytes, parcels: Mapping[str, PackedFolder]) -> None:
        self._version = version
        self._settings = settings
        self._parcels = parcels
        self._folder: Path | None = None
        self._pool: SlotPool | None = None
        self._refusal: Exception | None = None

    async def setup(self, worker: Worker) -> None:
        """Unpack the bots' folders. Raise ``UsageError`` if no game can be played here.

        A worker with another version gets no games. Otherwise games can come when this has ended.
        """
        check_version(worker.address, PACKAGE_VERSION, self._version)
        try:
            await asyncio.to_thread(self._prepare_worker, worker)
        except (ArenaError, OSError) as error:
            self._refusal = UsageError(f"{worker.address}: {error}")
            raise self._refusal from None
        finally:
            await _offer_threads(worker)

    async def teardown(self, worker: Worker) -> None:
        """End all games that are being played on this worker, with their bots."""
        await asyncio.to_thread(self._remove_folders)

    def play(self, jobs: Sequence[Job]) -> PlayedBatch:
        """Play games one after another, until they take too long together.

        Raises ``GameLost`` if no game can be played now, or the error that ``setup`` has raised.
        """
        if self._refusal is not None:
            raise self._refusal
        if self._pool is None:
            raise GameLost("a worker was not ready")
        began = time.monotonic()
        games: list[list[bytes] | None] = []
        for job in jobs:
            games.append(self._pool.play(job))
            if time.monotonic() - began > TASK_SECONDS or self._pool.is_closed:
                break
        return PlayedBatch(jobs[0].game, games, time.monotonic() - began)

    def _prepare_worker(self, worker: Worker) -> None:
        end_former_strays()
        self._folder = Path(tempfile.mkdtemp(prefix="bots-", dir=worker.local_directory))
        settings = self._with_local_folders(WorkerSettings.from_line(self._settings), self._folder)
        for bot in settings.bots:
            bot.check_startable()
        files = tuple(map(states_of, settings.bots))
        self._pool = SlotPool(replace(settings, files=files))

    def _with_local_folders(self, settings: WorkerSettings, folder: Path) -> WorkerSettings:
        """Unpack the bots' folders and return the settings with their paths on this machine."""
        paths = {
            name: str(unpack_folder(parcel, folder / str(number)))
            for number, (name, parcel) in enumerate(self._parcels.items())
        }
        self._parcels = {}  # packed folders may be large
        bots = (
            replace(bot, folder=paths[bot.folder]) if bot.folder else bot for bot in settings.bots
        )
        return replace(settings, bots=tuple(bots))

    def _remove_folders(self) -> None:
        if self._pool is not None:
            self._pool.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


async def _offer_threads(worker: Worker) -> None:
    """Tell the scheduler that games can be played on a worker, which may have joined just now.

    The scheduler gives tasks that wait for a worker only to workers that have begun to run.
    """
    await worker.set_resources(**{GAME_RESOURCE: worker.state.nthreads})
    if worker.status == Status.running:
        worker.status = Status.paused
        worker.status = Status.running


class CleanupPlugin(SchedulerPlugin):
    """Scheduler plugin that removes the worker plugin when the connection of its referee ends."""

    name = f"{PACKAGE_NAME}-cleanup"

    def remove_client(self, scheduler: Scheduler, client: str) -> None:
        """Remove the worker plugin of a client whose connection has ended."""
        name = plugin_name(client)
        if name in scheduler.worker_plugins:
            scheduler.loop.add_callback(scheduler.unregister_worker_plugin, None, name)
