"""Plugins of a Dask cluster, which play a referee's games and clean up when the referee ends.

The worker plugin plays games. Dask sets it up on every worker before the worker gets games,
including workers that join later. Dask takes it down when a worker closes. The scheduler plugin is
called when the referee's connection ends for any reason. Then it removes the worker plugin.

A Dask task plays the games of a batch one after another, because a task costs more than a short
game, and begins no more games after ``TASK_SECONDS``. The referee issues the remaining games again.
So a wrong estimate of the duration of games delays no other game, and long games travel alone.
"""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from threading import Condition

from c4_protocol.program.errors import ArenaError, UsageError
from distributed import Scheduler, SchedulerPlugin, Status, Worker, WorkerPlugin, get_worker

from c4_referee.bots.bot_files import states_of
from c4_referee.bots.bot_folder import PackedFolder, unpack_folder
from c4_referee.bots.contain.strays import end_former_strays
from c4_referee.contest.play.jobs import Job, WorkerSettings
from c4_referee.contest.play.local_runner import WORKER_END_SECONDS, WorkerSlot

PACKAGE_NAME = "c4-arena"
PACKAGE_VERSION = version(PACKAGE_NAME)
GAME_RESOURCE = f"{PACKAGE_NAME} {PACKAGE_VERSION}"
"""Name of the Dask resource of workers with this version: one for each thread. Each task needs one,
so that other workers get no games."""
TASK_SECONDS = 0.25
"""Time in seconds after which a task begins no more games. The referee aims at tasks of this
duration. Scheduler and referee need about 3 ms for a task."""


class GameLost(Exception):
    """Error for games that failed, but not because of their bots. They may be played again."""


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """Result of a task.

    ``games`` has the event lines of each game that has begun, in the order of the batch, or
    ``None`` for a lost game. ``seconds`` is the duration of the task. ``first`` is the number of
    the first game of the batch.
    """

    first: int
    games: list[list[bytes] | None]
    seconds: float


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


class SlotPool:
    """Slots of one Dask worker, which play games until the pool is closed.

    Several threads may use the pool. It plays any number of games at the same time. Slots stay open
    for later games, with the bots that need no restart.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._idle: list[WorkerSlot] = []
        self._busy: set[WorkerSlot] = set()
        self.is_closed = False
        """True if no other game can begin."""
        self._change = Condition()

    def play(self, job: Job) -> list[bytes] | None:
        """Play a game, and return its event lines, or ``None`` if the game is lost.

        A game is lost if its worker ended or could not be started, or if the pool is closed.
        """
        try:
            slot = self._start_game(job)
        except OSError:
            return None
        if slot is None:
            return None
        lines = slot.read_game()
        self._free_slot(slot, is_whole=lines is not None)
        return lines

    def close(self) -> None:
        """End all slots with their bots, even during games, and wait until they have ended."""
        with self._change:
            self.is_closed = True
            for slot in (*self._idle, *self._busy):
                slot.hang_up()
            while self._idle:
                self._idle.pop().end()
            self._change.wait_for(lambda: not self._busy, 2 * WORKER_END_SECONDS)

    def _start_game(self, job: Job) -> WorkerSlot | None:
        """Give the game to a slot, and return the slot, or ``None`` if the pool is closed.

        The pool cannot close during this call.
        """
        with self._change:
            if self.is_closed:
                return None
            slot = self._idle.pop() if self._idle else WorkerSlot(self._settings)
            self._busy.add(slot)
            slot.give(job)
            return slot

    def _free_slot(self, slot: WorkerSlot, is_whole: bool) -> None:
        """Free a slot for the next game, or end it if its game failed or the pool is closed."""
        with self._change:
            if is_whole and not self.is_closed:
                self._busy.discard(slot)
                self._idle.append(slot)
                return
        slot.end()
        with self._change:
            self._busy.discard(slot)
            self._change.notify_all()


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
        """Unpack the bots' folders, and make slots for bots with their paths on this machine."""
        end_former_strays()
        self._folder = Path(tempfile.mkdtemp(prefix="bots-", dir=worker.local_directory))
        paths = {
            name: str(unpack_folder(parcel, self._folder / str(number)))
            for number, (name, parcel) in enumerate(self._parcels.items())
        }
        self._parcels = {}  # packed folders may be large
        settings = WorkerSettings.from_line(self._settings)
        bots = tuple(
            replace(bot, folder=paths[bot.folder]) if bot.folder else bot for bot in settings.bots
        )
        for bot in bots:
            bot.check_startable()
        self._pool = SlotPool(replace(settings, bots=bots, files=tuple(map(states_of, bots))))

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
