"""Games per second on a Dask cluster, with and without batches.

The scheduler and the workers run on this machine. Each worker has one thread. The bots are two of
tests/bots/player.c, which do almost nothing, and each bot process plays all games. For comparison,
the same match is played without a cluster, with as many games at the same time. The clock starts
when the first game has ended. Processor time is that of the referee's process. It limits the games
per second of a cluster with any number of workers. The ways take turns. Figures are medians.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from _shared import PLAYER, c_program, in_turns, median_ratio, show
from c4_referee.contest.cluster import cluster_runner
from distributed import Client
from games import match_seconds, two_bots

ONE = "one game a task"
BATCHES = "batches"
LOCAL = "no cluster"


@contextmanager
def dask(*arguments: str) -> Iterator[None]:
    """Run a process of a Dask cluster until the context ends."""
    command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        try:
            yield
        finally:
            process.kill()


@contextmanager
def local_cluster(workers: int) -> Iterator[str]:
    """Start a cluster on this machine, and yield the address of its scheduler as an executor."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        file = ["--scheduler-file", str(Path(folder) / "scheduler.json")]
        stack.enter_context(dask("scheduler", "--host", "127.0.0.1", "--port", "0", *file))
        for _ in range(workers):
            place = ["--local-directory", folder, "--no-nanny", "--nthreads", "1"]
            stack.enter_context(dask("worker", *file, *place))
        while not Path(file[1]).exists():
            time.sleep(0.1)
        with Client(scheduler_file=file[1]) as client:
            client.wait_for_workers(workers)
            address = client.scheduler.address
        yield address.replace("tcp://", "dask://")


def main(rounds: int = 5, games: int = 2000, workers: int = 2) -> None:
    """Play ``games`` games in each way, in each of ``rounds`` rounds."""
    most = cluster_runner.MAX_GAMES_PER_BATCH
    used: dict[str, list[float]] = {ONE: [], BATCHES: [], LOCAL: []}

    def on_cluster(way: str, max_games: int) -> float:
        """Play a match with at most ``max_games`` games in a task."""
        cluster_runner.MAX_GAMES_PER_BATCH = max_games
        return match_seconds(games, bots, used[way], executor=executor, concurrency=sys.maxsize)

    with (
        c_program(PLAYER.read_text(encoding="utf-8")) as program,
        local_cluster(workers) as executor,
    ):
        bots = two_bots(program, sandbox=True)
        ways = {
            ONE: lambda: on_cluster(ONE, 1),
            BATCHES: lambda: on_cluster(BATCHES, most),
            LOCAL: lambda: match_seconds(games, bots, used[LOCAL], concurrency=workers),
        }
        taken = in_turns(ways, rounds)
    rows = []
    for name, seconds in taken.items():
        game, referee = (statistics.median(all_of) / games for all_of in (seconds, used[name]))
        over = 1 / median_ratio(seconds, taken[ONE])
        rows.append((name, game * 1e6, 1 / game, over, referee * 1e6))
    columns = {"way": "", "us a game": ".0f", "games a second": ",.0f", f"over {ONE}": ".2f"}
    columns |= {"referee's processor time, us a game": ".0f"}
    show(f"{workers} workers, medians of {rounds} times {games} games", columns, rows)
