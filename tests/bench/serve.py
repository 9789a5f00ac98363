"""Microseconds from a question to an answer of ``c4-solve``.

The questions need hardly any search, so that the figures show what the program adds to the pipe. A
loop in Python that only reads and writes is measured beside it: the echo. All processes run on one
processor, because waking up another processor takes ten times as long as all of this.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from _shared import show

SOLVER = str(Path(sys.executable).parent / "c4-solve")
ECHO = "import os\nwhile data := os.read(0, 4096): os.write(1, data)"
PROGRAMS = {
    "echo": [sys.executable, "-S", "-c", ECHO],
    "c4-solve": [SOLVER],
    "c4-solve --serve": [SOLVER, "--serve"],
    "c4-solve --serve --json": [SOLVER, "--serve", "--json"],
}
QUESTIONS = {"4 stones (book)": b"4453\n", "29 stones": b"44444452222226333333555557777\n"}
WARM_UP = 50


def waits(command: list[str], question: bytes, answers: int) -> list[float]:
    """Return the microseconds until each answer has arrived."""
    found = []
    pipe = subprocess.PIPE
    with subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for _ in range(WARM_UP + answers):
            began = time.perf_counter_ns()
            child.stdin.write(question)
            answer = b""
            while not answer.endswith(b"\n"):
                answer += os.read(child.stdout.fileno(), 4096)
            found.append((time.perf_counter_ns() - began) / 1000)
        child.stdin.close()
    return found[WARM_UP:]


def main(answers: int = 2000, rounds: int = 5) -> None:
    """Ask each program for ``answers`` answers to each question, in turns, ``rounds`` times."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    def rows() -> Iterator[tuple[object, ...]]:
        for name, question in QUESTIONS.items():
            medians: dict[str, list[float]] = {program: [] for program in PROGRAMS}
            for _ in range(rounds):
                for program, command in PROGRAMS.items():
                    medians[program].append(statistics.median(waits(command, question, answers)))
            for program, found in medians.items():
                more = [us - echo for us, echo in zip(found, medians["echo"], strict=True)]
                yield name, program, statistics.median(found), statistics.median(more)

    columns = {"position": "", "program": "", "median us": ".1f", "more than the echo": ".1f"}
    show(f"microseconds from question to answer, {answers} answers", columns, rows())
