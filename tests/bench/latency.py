"""Delay until an answer is read, while other processes are busy.

A child writes the current time into each answer. Both processes use the same clock. The busy
processes only loop, so the figures show the delay by the scheduler. The referee's grace and the
bot's reserve are chosen by these figures.
"""

import os
import select
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from _shared import busy_processes, percentile, show

CHILD = """
import os, time
while os.read(0, 100):
    time.sleep(0.002)
    os.write(1, b"%d\\n" % time.monotonic_ns())
"""
LOADS = (0, 1, 2, 4)
"""Numbers of busy processes per processor."""


def waits(answers: int) -> list[float]:
    """Return the milliseconds from the writing of each answer until it was read."""
    found = []
    with subprocess.Popen(
        [sys.executable, "-c", CHILD], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        poll = select.poll()
        poll.register(child.stdout, select.POLLIN)
        for _ in range(answers):
            child.stdin.write(b"?")
            poll.poll()
            written = int(os.read(child.stdout.fileno(), 100))
            found.append((time.monotonic_ns() - written) / 1e6)
        child.stdin.close()
    return found


def waits_beside(busy: int, answers: int) -> list[float]:
    """Return the milliseconds that each answer waited while ``busy`` processes were running."""
    with busy_processes(busy):
        return waits(answers)


def main(answers: int = 2000) -> None:
    """Wait for ``answers`` answers with each number of busy processes."""

    def rows() -> Iterator[tuple[object, ...]]:
        for load in LOADS:
            found = waits_beside(load * (os.cpu_count() or 1), answers)
            yield str(load), statistics.median(found), percentile(found, 99), max(found)

    columns = {"busy processes a processor": "", "median": ".2f", "99 %": ".2f", "longest": ".2f"}
    show(f"ms that an answer waits, {answers} answers", columns, rows())
