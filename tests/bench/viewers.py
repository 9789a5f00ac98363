"""Games per second of a contest with and without viewers.

The contest has one game for each processor, between bots whose searches have a fixed depth, so that
it needs all of the machine. Three ways take turns: no server, a server that nobody watches, and a
server with many viewers on its live page. The viewers have the lowest priority, because in fact
they are on other machines. Figures are medians over the rounds.
"""

import asyncio
import json
import os
import re
import signal
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import Process
from pathlib import Path

from _shared import BOT, REFEREE, in_turns, median_ratio, show

BOTS = """[bots.{name}]
command = "{bot} --plays needed --depth {depth} --seed {depth}"
restart = "never"
"""
WAYS = ("no server", "server", "server with viewers")


async def view(port: int) -> None:
    """Read the stream of the contest until it ends, again after each lost connection."""
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /c/out/1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            while await reader.read(1 << 16):
                pass
        except OSError:
            pass
        await asyncio.sleep(0.5)


def view_all(port: int, viewers: int) -> None:
    """Be all viewers."""

    async def gather() -> None:
        await asyncio.gather(*(view(port) for _ in range(viewers)))

    os.nice(19)
    asyncio.run(gather())


@contextmanager
def server(folder: Path, viewers: int) -> Iterator[None]:
    """Serve the contests of a folder, and watch the first one."""
    command = [REFEREE, "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        found = re.search(rb":(\d+)/", process.stdout.readline())
        assert found is not None
        watching = Process(target=view_all, args=(int(found[1]), viewers))
        watching.start()
        yield
        watching.kill()
        watching.join()
        process.send_signal(signal.SIGINT)


def rate(games: int) -> float:
    """Play a match in the folder ``out``, and return its games per second."""
    words = ["match", "one", "other", "--bots", "bots.toml", "--games", str(games), "--json",
             "--openings", "random:6", "--no-accuracy", "--out", "out"]  # fmt: skip
    done = subprocess.run([REFEREE, *words], capture_output=True, check=True)
    return games / float(json.loads(done.stdout)["seconds"])


def measured(way: str, games: int, viewers: int) -> float:
    """Return the games per second of a contest in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        tables = [("one", 8), ("other", 9)]  # slow enough for moves to be watched
        text = "".join(BOTS.format(name=name, bot=BOT, depth=depth) for name, depth in tables)
        Path("bots.toml").write_text(text, encoding="utf-8")
        if way == WAYS[0]:
            return rate(games)
        with server(Path(folder), viewers if way == WAYS[2] else 0):
            return rate(games)


def main(games: int = 100, *, viewers: int = 100, rounds: int = 5) -> None:
    """Play ``games`` games in each of ``rounds`` rounds, with up to ``viewers`` viewers."""
    ways = {way: lambda way=way: measured(way, games, viewers) for way in WAYS}
    rates = in_turns(ways, rounds)
    columns = {"": "", "games per second": ".1f", "ratio": ".3f"}
    rows = [
        (way, statistics.median(rates[way]), median_ratio(rates[way], rates[WAYS[0]]))
        for way in WAYS
    ]
    show(f"{games} games, {viewers} viewers, {rounds} rounds", columns, rows)
