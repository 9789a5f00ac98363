"""The cluster runner, which plays a tournament's games on a Dask cluster.

In: jobs from the ledger. Out: the event lines of games. The ledger receives them when the task of
the games has ended. Each task (``cluster.plugins.play_batch``) plays a batch of games. The runner
submits as many tasks as the cluster has room for. It checks the room repeatedly, because workers
may join and leave. A task that ends is put into a queue. Ctrl-C puts ``None`` into the same queue,
so that no Ctrl-C is lost.

Guarantees: if a Dask worker ends during a task, Dask gives the task to another worker, which plays
all its games from the beginning. Results count only when the task has ended, so each game counts
once. If several workers end during the same task, its games are rolled back. Then each of them is
the only game of its next task, because any of them may be the cause. No game continues on the
cluster when ``ClusterRunner.run`` ends, even by an exception or Ctrl-C.
"""

import math
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue

import orjson
from c4_protocol.program.errors import ArenaError
from distributed import Future, KilledWorker

from c4_referee.bots.bot_folder import pack_folder
from c4_referee.contest.cluster.link import ROOM_CHECK_SECONDS, ClusterLink
from c4_referee.contest.cluster.plugins import TASK_SECONDS, GameLost, PlayedBatch
from c4_referee.contest.play.jobs import Job, WorkerSettings
from c4_referee.contest.play.ledger import Ledger
from c4_referee.contest.play.record_check import RecordRefused

INTERRUPT_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ERRORS_OF_LOST_GAMES = (GameLost, KilledWorker, OSError)
"""Errors of a task after which its games may be played again."""
MAX_GAMES_PER_BATCH = 100
"""Maximum number of games in a batch."""
UNKNOWN_DURATION_DIVISOR = 8
"""Minimum number of games with a result for each game in the batches on the cluster, if a
sequential test may end the contest. It limits the games that are played after the decision. A batch
always has one game."""


class ClusterRunner:
    """Runner that keeps all threads of a cluster busy until the ledger has no more jobs.

    ``address`` is the address of the scheduler, ``tcp://HOST:PORT`` or ``tls://HOST:PORT``. At most
    ``max_tasks`` are on the cluster at the same time. Each of them plays one game at a time.
    """

    def __init__(
        self, ledger: Ledger, settings: WorkerSettings, address: str, max_tasks: int = sys.maxsize
    ) -> None:
        self._ledger = ledger
        self._settings = settings
        self._address = address
        self._max_tasks = max_tasks
        self._batches: dict[Future[PlayedBatch], Sequence[Job]] = {}
        """The games on the cluster, by their tasks."""
        self._ended: SimpleQueue[Future[PlayedBatch] | None] = SimpleQueue()
        """The tasks that have ended. ``None`` stands for Ctrl-C."""
        self._game_seconds = math.inf
        """Mean duration of the games of the task that ended last."""
        self._singles = set[int]()
        """Numbers of games that travel alone, because they were in a failed task with others."""

    def run(self) -> None:
        """Play all games.

        Raises ``UsageError`` if the cluster or a bot's folder cannot be used, and ``OSError`` if
        the connection to the cluster is lost.
        """
        folders = {bot.folder for bot in self._settings.bots if bot.folder is not None}
        parcels = {folder: pack_folder(Path(folder)) for folder in sorted(folders)}
        with (
            ClusterLink(self._address, self._settings.to_line(), parcels) as link,
            on_interrupt(lambda: self._ended.put(None)),
        ):
            self._submit_batches(link)
            while self._batches:
                self._handle_ended_tasks(link, self._next_ended())
                self._submit_batches(link)

    def _submit_batches(self, link: ClusterLink) -> None:
        """Give the cluster as many batches as it has room for."""
        room = min(link.room(), self._max_tasks)
        while len(self._batches) < room:
            jobs = self._issue_batch(room)
            if not jobs:
                return
            task = link.submit(jobs)
            self._batches[task] = jobs
            task.add_done_callback(self._ended.put)

    def _issue_batch(self, room: int) -> list[Job]:
        """Return the games of the next task, or an empty list if no game is waiting now."""
        tournament = self._ledger.tournament
        games = tournament.count_waiting
        if tournament.may_be_decided:
            games = min(games, tournament.done // UNKNOWN_DURATION_DIVISOR)
        size = batch_size(self._game_seconds, room, games)
        jobs: list[Job] = []
        for job in islice(iter(self._ledger.issue, None), size):
            jobs.append(job)
            if job.game in self._singles:
                break
        if len(jobs) > 1 and jobs[-1].game in self._singles:
            self._ledger.roll_back(jobs.pop().game, was_attempt=False)
        return jobs

    def _next_ended(self) -> list["Future[PlayedBatch]"]:
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

    def _handle_ended_tasks(self, link: ClusterLink, ended: list["Future[PlayedBatch]"]) -> None:
        """Give the events of ended tasks to the ledger, and roll back the games of failed tasks."""
        results = link.results(task for task in ended if task.status == "finished")
        for task in ended:
            jobs = self._batches.pop(task)
            played = results.get(jobs[0].game)
            if played is not None:
                self._record_batch(jobs, played)
                continue
            _check_can_retry(task)
            if len(jobs) == 1:
                self._ledger.lose(jobs[0].game)
                continue
            for job in reversed(jobs):  # any of them may be the cause
                self._singles.add(job.game)
                self._ledger.roll_back(job.game, was_attempt=False)

    def _record_batch(self, jobs: Sequence[Job], played: PlayedBatch) -> None:
        """Give the events of a batch to the ledger, and roll back games that have not begun."""
        self._game_seconds = played.seconds / len(played.games)
        for job, lines in zip(jobs, played.games, strict=False):
            if lines is None or not self._record_game(job.game, lines):
                self._ledger.lose(job.game)
        for job in reversed(jobs[len(played.games) :]):
            self._ledger.roll_back(job.game, was_attempt=False)

    def _record_game(self, number: int, lines: list[bytes]) -> bool:
        """Give the events of a game to the ledger. Return false if the record is refused."""
        with suppress(RecordRefused):
            for line in lines:
                event = orjson.loads(line)
                if event["game"] != number:
                    return False
                self._ledger.take(event, line)
            return True
        return False


def batch_size(game_seconds: float, tasks: int, games: int) -> int:
    """Return the number of games for the next task, at least 1.

    ``game_seconds`` is the expected duration of a game, and infinite if it is unknown. ``games``
    are shared among the ``tasks`` that the cluster can take, so that no worker is without a game
    while another worker has several.
    """
    short = int(min(MAX_GAMES_PER_BATCH, TASK_SECONDS / game_seconds))
    return max(1, min(short, games // tasks))


def _check_can_retry(task: "Future[PlayedBatch]") -> None:
    """Raise ``ArenaError`` if a task failed for a reason that would let it fail again."""
    error = None if task.cancelled() else task.exception()
    if isinstance(error, ArenaError):
        raise error
    if error is not None and not isinstance(error, ERRORS_OF_LOST_GAMES):
        raise ArenaError(f"a game failed on the cluster: {type(error).__name__}: {error}")


@contextmanager
def on_interrupt(note: Callable[[], object]) -> Iterator[None]:
    """Call ``note`` at the first signal that would otherwise raise ``KeyboardInterrupt``.

    ``note`` must be safe to call at any moment, as ``SimpleQueue.put`` is. A second signal raises
    ``KeyboardInterrupt``. Python can run a signal handler at any point of the main thread. In a
    destructor, such as the one of Dask's tasks, a ``KeyboardInterrupt`` is only printed, and the
    program continues. In a test, this happened in one of sixty matches.
    """
    raising = [
        each for each in INTERRUPT_SIGNALS if signal.getsignal(each) is signal.default_int_handler
    ]

    def restore() -> None:
        for number in raising:
            signal.signal(number, signal.default_int_handler)

    def handler(*_: object) -> None:
        restore()
        note()

    for number in raising:
        signal.signal(number, handler)
    try:
        yield
    finally:
        restore()
