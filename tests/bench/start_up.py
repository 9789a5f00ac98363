"""Time from the start of `c4-bot` to its first answer.

Each stage is a new process that does a little more than the stage before. The stages take turns.
Figures are medians.
"""

import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial

from _shared import BOT, in_turns, median_ratio, seconds_of, show
from c4_bot import registry
from c4_bot.session import Session
from c4_protocol.codec import LineBuffer
from c4_protocol.dialects import bot_end

PRECEPT = (
    b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],[0,0,0,0,0,0],'
    b'[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}\n'
)
PYTHON = (sys.executable, "-c")
STAGES = {
    "bare Python": (*PYTHON, "pass"),
    "+ pydantic": (*PYTHON, "from pydantic import BaseModel"),
    "+ our messages": (*PYTHON, "import c4_protocol.dialects.jsonl"),
    "+ session": (*PYTHON, "import c4_bot.cli, c4_bot.session"),
    "+ registry, native core": (*PYTHON, "import c4_bot.cli, c4_bot.session, c4_bot.registry"),
    "an answer of random": (BOT, "--plays", "random"),
    "of needed, depth 6": (BOT, "--plays", "needed"),
    "of perfect, depth 10": (BOT, "--depth", "10"),
}
LINES = 5000


def run(command: tuple[str, ...]) -> None:
    """Run a command that reads one precept."""
    subprocess.run(command, input=PRECEPT, capture_output=True, check=True)


def answer_lines() -> None:
    """Answer precepts in this process with a player that does not search."""
    session, buffer = Session(registry.build("random"), bot_end("jsonl")), LineBuffer()
    for _ in range(LINES):
        buffer.feed(PRECEPT)
        line = buffer.next_line()
        assert line is not None
        session.answer(line)


def main(rounds: int = 15) -> None:
    """Start each stage ``rounds`` times, after a first round that fills the caches."""
    ways: dict[str, Callable[[], float]] = {
        name: partial(seconds_of, partial(run, command)) for name, command in STAGES.items()
    }
    in_turns(ways, 1)
    taken = in_turns(ways, rounds)
    bare = taken["bare Python"]
    rows = [
        (name, statistics.median(seconds) * 1000, median_ratio(seconds, bare))
        for name, seconds in taken.items()
    ]
    columns = {"stage": "", "ms": ".0f", "of bare Python": ".1f"}
    show(f"start to first answer, medians of {rounds}", columns, rows)
    lines = statistics.median(seconds_of(answer_lines) for _ in range(5)) / LINES
    show("one line, without a search", {"": "", "us": ".0f"}, [("bytes to bytes", lines * 1e6)])
