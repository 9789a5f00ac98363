"""Games a second on a Dask cluster of this machine: two workers against one.

    python tests/bench/cluster.py [rounds [games [quick games]]]

A scheduler with one worker and another with two, each worker with one thread, wait all the time;
the matches take turns on them, and, to show what the machine has to give, on one and two slots of
the local runner. The bots of a game use 30 ms of processor time a move, so that a game lasts about
a second, or none, and live on from game to game. A rate is that of all games but the first one, and
all their events travel; numbers are medians of the rounds.

Then a match is played whose worker is killed in the midst of a game, and the games are counted that
are missing or there twice.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from rich.console import Console
from rich.table import Table

BOT = """
import sys, time
ms = float(sys.argv[1])
for line in sys.stdin:
    until = time.process_time() + ms / 1000
    columns = line.split("[[")[1].split("]]")[0].split("],[")
    while time.process_time() < until:
        pass
    free = [number for number, column in enumerate(columns) if column.startswith("0")]
    print('{"move":%d}' % free[len(line) * 7 % 13 % len(free)], flush=True)
"""
KILLED_GAMES = 20


class Cluster:
    """A scheduler on a free port, and workers of one thread, in processes of their own."""

    def __init__(self, folder: Path, workers: int, stack: ExitStack) -> None:
        self._stack = stack
        self._log = stack.enter_context((folder / f"{workers}.log").open("ab"))
        file = folder / f"{workers}.json"
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        options = ("--scheduler-file", file, "--nthreads", "1", "--no-nanny", "--local-directory")
        self.workers = [self._start("worker", *options, folder) for _ in range(workers)]
        while not file.exists():
            time.sleep(0.01)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        self.executor = address.replace("tcp", "dask")

    def _start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *arguments, "--no-dashboard"]
        process = subprocess.Popen(command, stdout=self._log, stderr=self._log)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def contest(folder: Path, ms: float, games: int, executor: str, at_once: int) -> Contest:
    """Games between two bots that need so much processor time for a move."""
    command = (sys.executable, "-S", "-E", str(folder / "bot.py"), str(ms))
    bots = [BotSpec(name=name, command=command, restart="never") for name in ("one", "other")]
    return Contest.match(*bots, games, concurrency=at_once, executor=executor)


def rate(event: Contest) -> float:
    """Games a second, once the first one has ended."""
    ends = []

    def note(event: dict[str, object], line: bytes) -> None:
        if event["event"] == "game_ended":
            ends.append(time.perf_counter())

    event.play([note])
    return (len(ends) - 1) / (ends[-1] - ends[0])


def lost_and_doubled(folder: Path, cluster: Cluster) -> tuple[int, int]:
    """How many games are missing, and there twice, after a worker was killed in the midst."""
    out = folder / "out"

    def kill() -> None:
        file = out / "games.jsonl"
        while not file.exists() or file.read_bytes().count(b"\n") < KILLED_GAMES // 4:
            time.sleep(0.01)
        cluster.workers[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    contest(folder, 10, KILLED_GAMES, cluster.executor, 1000).play(out=out)
    killer.join()
    lines = (out / "games.jsonl").read_bytes().splitlines()
    numbers = [json.loads(line)["game"] for line in lines]
    return KILLED_GAMES - len(set(numbers)), len(numbers) - len(set(numbers))


def main(rounds: int = 5, games: int = 24, quick_games: int = 200) -> None:
    """Measures and prints."""
    table = Table(title=f"games a second, medians of {rounds} rounds")
    for title in ("bots", "where", "one worker", "two workers", "ratio"):
        table.add_column(title, justify="right" if "wo" in title or title == "ratio" else "left")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "bot.py").write_text(BOT, encoding="utf-8")
        clusters = [Cluster(folder, workers, stack) for workers in (1, 2)]
        for name, ms, count in (("30 ms a move", 30, games), ("quick", 0, quick_games)):
            ways = {"local": ["local"] * 2, "Dask": [cluster.executor for cluster in clusters]}
            rates = {way: ([], []) for way in ways}
            for _ in range(rounds):
                for way, executors in ways.items():
                    for at_once, executor in enumerate(executors, 1):
                        most = at_once if executor == "local" else 1000
                        event = contest(folder, ms, count, executor, most)
                        rates[way][at_once - 1].append(rate(event))
            for way, (one, two) in rates.items():
                ratio = statistics.median(b / a for a, b in zip(one, two, strict=True))
                shown = [f"{statistics.median(some):.2f}" for some in (one, two)]
                table.add_row(name, way, *shown, f"{ratio:.2f}x")
        lost, doubled = lost_and_doubled(folder, clusters[1])
    Console().print(table)
    print(f"after a kill: {lost} games lost, {doubled} doubled, of {KILLED_GAMES}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
