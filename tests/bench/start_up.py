"""Processor time of the start of our commands, part by part.

Each stage is a new process that does a little more than the stage before. The matches are of two
games between two of tests/bots/player.c, which need almost no time. Their figures are those of all
processes together: referee, worker and bots. The stages take turns. Figures are medians.
"""

import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from _shared import (
    BOT,
    PLAYER,
    REFEREE,
    c_program,
    in_turns,
    median_ratio,
    processor_seconds_of,
    show,
)

PRECEPT = (
    b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],[0,0,0,0,0,0],'
    b'[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}\n'
)
PYTHON = (sys.executable, "-c")
SOLVER = str(Path(BOT).with_name("c4-solve"))
STAGES = {
    "bare Python": (*PYTHON, "pass"),
    "+ our messages": (*PYTHON, "import c4_protocol.dialects.jsonl"),
    "+ session": (*PYTHON, "import c4_bot.cli, c4_bot.play.session"),
    "+ registry, native core": (
        *PYTHON,
        "import c4_bot.cli, c4_bot.play.session, c4_bot.player.registry",
    ),
    "c4-bot: an answer of random": (BOT, "--plays", "random"),
    "of needed, depth 6": (BOT, "--plays", "needed"),
    "of perfect, depth 10": (BOT, "--depth", "10"),
    "of perfect, from the book": (BOT,),
    "c4-solve: the same position": (SOLVER, "--json"),
    "a worker, without a game": (*PYTHON, "import c4_referee.contest.play.worker"),
}
MATCH = ("--games", "2", "--no-sandbox", "--concurrency", "1")


def run(command: tuple[str, ...]) -> None:
    """Run a command that reads one precept, or nothing."""
    line = b"44234\n" if command[0] == SOLVER else PRECEPT
    subprocess.run(command, input=line, capture_output=True, check=True)


def matches(program: str) -> dict[str, tuple[str, ...]]:
    """Return matches of two games between bots of this program."""
    match = (REFEREE, "match", f"{program} 1", f"{program} 2", *MATCH)
    return {
        "a match, report as JSON": (*match, "--no-accuracy", "--json"),
        "a match, report for people": (*match, "--no-accuracy"),
        "a match, its moves judged": match,
    }


def main(rounds: int = 15) -> None:
    """Start each stage ``rounds`` times, after a first round that fills the caches.

    A single round is the first one.
    """
    with c_program(PLAYER.read_text(encoding="utf-8")) as program:
        ways: dict[str, Callable[[], float]] = {
            name: partial(processor_seconds_of, partial(run, command))
            for name, command in (STAGES | matches(program)).items()
        }
        if rounds > 1:
            in_turns(ways, 1)
        taken = in_turns(ways, rounds)
    bare = taken["bare Python"]
    rows = [
        (name, statistics.median(seconds) * 1000, median_ratio(seconds, bare))
        for name, seconds in taken.items()
    ]
    columns = {"stage": "", "ms": ".0f", "of bare Python": ".1f"}
    show(f"processor time from start to end, medians of {rounds}", columns, rows)
