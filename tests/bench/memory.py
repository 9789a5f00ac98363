"""Resident memory of a referee and its worker over a long match: flat, but for kept results.

    python tests/bench/memory.py [games]

Looked at ten times in a match between two players in C that are kept alive. What grows is told in
bytes a game, from the second half, where the first growth of caches is over. Linux only.
"""

import os
import statistics
import sys
import tempfile
from pathlib import Path

import orjson
from c4_referee.bots.process_tree import children_of
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from compiled import PLAYER, compiled
from rich.console import Console
from rich.table import Table

SAMPLES = 10


def resident(pid: int) -> int:
    """The bytes of memory that a process has in use (proc(5), statm)."""
    pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


class Sampler:
    """Looks at this process and its workers whenever a share of the games is over."""

    def __init__(self, games: int) -> None:
        self._every = max(games // SAMPLES, 1)
        self._ended = 0
        self.samples: list[tuple[int, int, int]] = []
        """Games that were over, bytes of the referee, bytes of its workers."""

    def __call__(self, line: bytes) -> None:
        """Takes an event of a match."""
        event = orjson.loads(line)
        if event["event"] != "game_ended":
            return
        self._ended += 1
        if self._ended % self._every == 0:
            workers = sum(map(resident, children_of(os.getpid())))
            self.samples.append((self._ended, resident(os.getpid()), workers))


def growth(samples: list[tuple[int, int, int]], column: int) -> float:
    """Bytes a game by which a column of the second half of the samples grows."""
    late = samples[len(samples) // 2 :]
    games, sizes = [sample[0] for sample in late], [sample[column] for sample in late]
    return statistics.linear_regression(games, sizes).slope


def main(games: int = 10_000) -> None:
    """Measures and prints."""
    sampler = Sampler(games)
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(PLAYER.read_text(encoding="utf-8"), folder)
        first, second = (
            BotSpec(name=name, command=(program, name), restart="never") for name in ("1", "2")
        )
        Contest.match(first, second, games).play([sampler])
    table = Table(title=f"resident memory in a match of {games} games")
    for title in ("games", "referee, MB", "worker, MB"):
        table.add_column(title, justify="right")
    for ended, referee, worker in sampler.samples:
        table.add_row(f"{ended:,}", f"{referee / 1e6:.1f}", f"{worker / 1e6:.1f}")
    of_referee, of_worker = (f"{growth(sampler.samples, column):,.0f}" for column in (1, 2))
    table.add_section()
    table.add_row("bytes a game", of_referee, of_worker)
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
