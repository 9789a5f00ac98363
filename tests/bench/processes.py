"""What it costs to start a bot anew for every game, against starting and ending a bare process.

    python tests/bench/processes.py [rounds [games]]

Games of two players in C, fresh for every game and kept alive; the difference is that of two
processes. Beside it, the same program started by ``subprocess.Popen``, given the end of its input
and waited for, and the same by ``BotProcess``. The ways take turns; numbers are medians.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack

from c4_protocol.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.process import BotProcess
from c4_referee.bots.spec import BotSpec
from c4_referee.play.jobs import Job, WorkerSettings
from c4_referee.play.worker import Worker
from compiled import PLAYER, compiled, stay_on_one_processor
from rich.console import Console
from rich.table import Table

BARE = "subprocess.Popen, wait"


def by_popen(program: str) -> None:
    """Starts a process with three pipes and waits for its end."""
    pipe = subprocess.PIPE
    with subprocess.Popen([program], stdin=pipe, stdout=pipe, stderr=pipe):
        pass


def by_bot_process(program: str) -> None:
    """Starts a bot and stops it."""
    with BotProcess([program]):
        pass


def settings(program: str) -> WorkerSettings:
    """Four players of one program: two that are fresh for every game, and two that are kept."""
    bots = tuple(
        BotSpec.model_validate(
            {"name": f"{name} {restart}", "command": (program, name), "restart": restart}
        )
        for restart in ("game", "never")
        for name in ("1", "2")
    )
    return WorkerSettings(STANDARD, bots, (TimeControl(),) * len(bots))


def play_all(worker: Worker, games: list[Job]) -> None:
    """Plays games as a worker does."""
    for job in games:
        for _ in worker.play(job):
            pass


def measure(program: str, rounds: int, games: int) -> dict[str, list[float]]:
    """Seconds of a process, by way, one of each round."""
    fresh, kept = ([Job(game, *pair) for game in range(games)] for pair in ((0, 1), (2, 3)))
    taken: dict[str, list[float]] = {BARE: [], "BotProcess": [], "fresh less kept, a bot": []}
    with ExitStack() as stack:
        worker = Worker(settings(program), stack)
        play_all(worker, kept[:1])
        for _ in range(rounds):
            bare = seconds_of(lambda: [by_popen(program) for _ in fresh])
            own = seconds_of(lambda: [by_bot_process(program) for _ in fresh])
            more = seconds_of(lambda: play_all(worker, fresh))
            more -= seconds_of(lambda: play_all(worker, kept))
            for way, seconds in zip(taken, (bare, own, more / 2), strict=True):
                taken[way].append(seconds / games)
    return taken


def seconds_of(work: Callable[[], object]) -> float:
    """Wall time of some work."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main(rounds: int = 7, games: int = 100) -> None:
    """Measures and prints."""
    stay_on_one_processor()
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(compiled(PLAYER.read_text(encoding="utf-8"), folder), rounds, games)
    table = Table(title=f"a process on one processor, medians of {rounds} times {games}")
    for title in ("way", "ms", "of bare"):
        table.add_column(title, justify="left" if title == "way" else "right")
    for way, seconds in taken.items():
        ratio = statistics.median(s / bare for s, bare in zip(seconds, taken[BARE], strict=True))
        table.add_row(way, f"{statistics.median(seconds) * 1000:.2f}", f"{ratio:.2f}x")
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
