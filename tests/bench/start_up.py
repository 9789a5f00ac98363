"""From the start of ``c4-bot`` to its first answer, what that is made of, and the cost of a line.

    python tests/bench/start_up.py [runs]

Each stage is a process of its own that does a little more than the one before; the stages take
turns, so that a change in the machine's speed meets them all. Times are medians.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from c4_bot import registry
from c4_bot.session import Session
from c4_protocol.codec import LineBuffer
from c4_protocol.dialects import bot_end
from rich.console import Console
from rich.table import Table

PRECEPT = (
    b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],[0,0,0,0,0,0],'
    b'[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}\n'
)
BOT = str(Path(sys.executable).parent / "c4-bot")
STAGES = {
    "bare Python": [sys.executable, "-c", "pass"],
    "+ pydantic": [sys.executable, "-c", "from pydantic import BaseModel"],
    "+ our messages": [sys.executable, "-c", "import c4_protocol.dialects.jsonl"],
    "+ session": [sys.executable, "-c", "import c4_bot.cli, c4_bot.session"],
    "+ registry, native core": [
        sys.executable,
        "-c",
        "import c4_bot.cli, c4_bot.session, c4_bot.registry",
    ],
    "an answer of random": [BOT, "--plays", "random"],
    "of needed, depth 6": [BOT, "--plays", "needed"],
    "of strong, depth 10": [BOT, "--depth", "10"],
}
LINES = 5000


def seconds_of(command: list[str]) -> float:
    """Wall time of a command that is given one precept."""
    began = time.perf_counter()
    subprocess.run(command, input=PRECEPT, capture_output=True, check=True)
    return time.perf_counter() - began


def stage_medians(runs: int) -> dict[str, float]:
    """Median seconds of each stage; the first round warms the caches and is not counted."""
    times: dict[str, list[float]] = {name: [] for name in STAGES}
    for number in range(runs + 1):
        for name, command in STAGES.items():
            taken = seconds_of(command)
            if number:
                times[name].append(taken)
    return {name: statistics.median(taken) for name, taken in times.items()}


def line_microseconds() -> float:
    """From the bytes of a precept to those of its answer, with a player that does not think."""
    session = Session(registry.build("random"), bot_end("jsonl"))
    buffer = LineBuffer()
    began = time.perf_counter()
    for _ in range(LINES):
        buffer.feed(PRECEPT)
        line = buffer.next_line()
        assert line is not None
        session.answer(line)
    return (time.perf_counter() - began) / LINES * 1e6


def main(runs: int) -> None:
    """Measures and prints."""
    table = Table(title=f"start to first answer, medians of {runs}")
    for title in ("stage", "ms", "more", "of bare Python"):
        table.add_column(title, justify="left" if title == "stage" else "right")
    medians = stage_medians(runs)
    bare, before = medians["bare Python"], 0.0
    for name, taken in medians.items():
        more = f"{(taken - before) * 1000:+.0f}"
        table.add_row(name, f"{taken * 1000:.0f}", more, f"{taken / bare:.1f}x")
        before = taken
    console = Console()
    console.print(table)
    lines = statistics.median(line_microseconds() for _ in range(5))
    console.print(f"a line, from its bytes to the answer's, without search: {lines:.0f} us")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
