"""How long a bot's answer waits to be read beside busy processes: the reason for the grace.

    python tests/bench/latency.py [answers]

A child stamps each answer with the moment it writes it; the clock is the same for both. The busy
processes do nothing but turn in a circle, so the figures show what the scheduler does to us.
"""

import os
import select
import statistics
import subprocess
import sys
import time

from rich.console import Console
from rich.table import Table

ANSWERER = """
import os, time
while os.read(0, 100):
    time.sleep(0.002)
    os.write(1, b"%d\\n" % time.monotonic_ns())
"""
BUSY = "while True: pass"


def waits(answers: int) -> list[float]:
    """Milliseconds that each of so many answers waited."""
    found = []
    with subprocess.Popen(
        [sys.executable, "-c", ANSWERER], bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
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
    """The same while so many processes are busy."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(busy)]
    try:
        return waits(answers)
    finally:
        for other in others:
            other.kill()
            other.wait()


def main(answers: int) -> None:
    """Measures and prints."""
    processors = os.cpu_count() or 1
    table = Table(title=f"ms that an answer waits to be read, {answers} answers each")
    for title in ("busy processes a processor", "median", "99th percentile", "longest"):
        table.add_column(title, justify="right")
    for load in (0, 1, 2, 4):
        found = waits_beside(load * processors, answers)
        last = statistics.quantiles(found, n=100)[-1]
        figures = (statistics.median(found), last, max(found))
        table.add_row(str(load), *(f"{figure:.2f}" for figure in figures))
    Console().print(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
