"""Questions and answers a second through a ``Channel``, against the system calls it is made of.

    python tests/bench/round_trips.py [rounds [trips]]

The child is one and the same, a C program that sends back what it reads; the ways take turns, and
all is done on one processor. Numbers are medians; the aim is 0.8 of the bare loop.
"""

import os
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

from c4_referee.bots.channel import Channel
from c4_referee.bots.process import BotProcess
from compiled import compiled, stay_on_one_processor
from rich.console import Console
from rich.table import Table

LINE = b'{"move":3}\n'
SECONDS = 10.0
"""How long an answer may take."""
ECHO = """
#include <unistd.h>
int main(void) {
    char bytes[4096];
    ssize_t count;
    while ((count = read(0, bytes, sizeof bytes)) > 0 && write(1, bytes, count) == count);
}
"""


def bare(process: BotProcess) -> Callable[[], None]:
    """Writes, polls and reads."""
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)

    def trip() -> None:
        os.write(process.stdin, LINE)
        poll.poll(SECONDS * 1000)
        os.read(process.stdout, 1 << 16)

    return trip


def through_channel(process: BotProcess) -> Callable[[], None]:
    """Sends and receives, with a deadline."""
    channel = Channel(process)

    def trip() -> None:
        deadline = time.monotonic() + SECONDS
        channel.send(LINE, deadline)
        channel.receive(deadline)

    return trip


def first_listening(process: BotProcess) -> Callable[[], None]:
    """Looks for output before the question, then sends and receives: a question of a game.

    While it waits, it also waits for the end of its own input, as a worker does.
    """
    listener, _ = os.pipe()  # a worker's tells that the referee has gone
    channel = Channel(process, listener)

    def trip() -> None:
        channel.pending_output()
        deadline = time.monotonic() + SECONDS
        channel.send(LINE, deadline)
        channel.receive(deadline)

    return trip


WAYS = {
    "write, poll, read": bare,
    "Channel.send, .receive": through_channel,
    "Channel.pending_output, .send, .receive": first_listening,
}


def seconds_of(trip: Callable[[], None], trips: int) -> float:
    """Wall time of so many round trips."""
    began = time.perf_counter()
    for _ in range(trips):
        trip()
    return time.perf_counter() - began


def measure(program: str, rounds: int, trips: int) -> dict[str, list[float]]:
    """Seconds of a round trip, by way, one of each round."""
    with BotProcess([program]) as process:
        ways = {name: way(process) for name, way in WAYS.items()}
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, trip in ways.items():
                taken[name].append(seconds_of(trip, trips) / trips)
    return taken


def main(rounds: int = 15, trips: int = 10_000) -> None:
    """Measures and prints."""
    stay_on_one_processor()
    with tempfile.TemporaryDirectory() as folder:
        taken = measure(compiled(ECHO, folder), rounds, trips)
    table = Table(title=f"round trips on one processor, medians of {rounds}")
    for title in ("way", "us", "a second", "of bare"):
        table.add_column(title, justify="left" if title == "way" else "right")
    bare_taken = next(iter(taken.values()))
    for name, seconds in taken.items():
        ratio = statistics.median(b / s for b, s in zip(bare_taken, seconds, strict=True))
        median = statistics.median(seconds)
        table.add_row(name, f"{median * 1e6:.1f}", f"{1 / median:,.0f}", f"{ratio:.2f}")
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
