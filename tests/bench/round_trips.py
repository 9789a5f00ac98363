"""Questions and answers per second through a `Channel`.

The child is a C program that sends back what it reads. All processes run on one processor, and the
ways take turns. Figures are medians. The aim is 0.8 of the rate of the bare loop.
"""

import os
import select
import statistics
import time
from collections.abc import Callable
from functools import partial

from _shared import c_program, in_turns, median_ratio, seconds_of, show, stay_on_one_processor
from c4_referee.bots.channel import Channel
from c4_referee.bots.process import BotProcess

LINE = b'{"move":3}\n'
SECONDS = 10.0
"""Maximum time for an answer, in seconds."""
ECHO = """
#include <unistd.h>
int main(void) {
    char bytes[4096];
    ssize_t count;
    while ((count = read(0, bytes, sizeof bytes)) > 0 && write(1, bytes, count) == count);
}
"""
Trip = Callable[[], None]


def bare(process: BotProcess) -> Trip:
    """Return a function for one round trip that writes, polls and reads."""
    poll = select.poll()
    poll.register(process.stdout, select.POLLIN)

    def trip() -> None:
        os.write(process.stdin, LINE)
        poll.poll(SECONDS * 1000)
        os.read(process.stdout, 1 << 16)

    return trip


def through_channel(process: BotProcess) -> Trip:
    """Return a function for one round trip that sends and receives with a deadline."""
    channel = Channel(process)

    def trip() -> None:
        deadline = time.monotonic() + SECONDS
        channel.send(LINE, deadline)
        channel.receive(deadline)

    return trip


def as_in_a_game(process: BotProcess) -> Trip:
    """Return a function for one round trip as in a game.

    It first checks for output that arrived without a question. While it waits for the answer, it
    also waits for the end of its own input, as a worker does.
    """
    listener, _ = os.pipe()
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
    "Channel, as in a game": as_in_a_game,
}


def repeated(trip: Trip, times: int) -> None:
    """Make a round trip ``times`` times."""
    for _ in range(times):
        trip()


def main(rounds: int = 15, trips: int = 10_000) -> None:
    """Make ``trips`` round trips in each way, in each of ``rounds`` rounds."""
    stay_on_one_processor()
    with c_program(ECHO) as program, BotProcess([program]) as process:
        made = {name: way(process) for name, way in WAYS.items()}
        ways = {
            name: partial(seconds_of, partial(repeated, trip, trips)) for name, trip in made.items()
        }
        taken = in_turns(ways, rounds)
    bare_taken = next(iter(taken.values()))
    rows = []
    for name, seconds in taken.items():
        median = statistics.median(seconds) / trips
        rows.append((name, median * 1e6, 1 / median, median_ratio(bare_taken, seconds)))
    columns = {"way": "", "us": ".1f", "a second": ",.0f", "of bare": ".2f"}
    show(f"round trips on one processor, medians of {rounds}", columns, rows)
