"""Shared code of the benchmarks: tables, clocks, ratios, and the programs that they measure with.

A benchmark measures in ``main`` and shows its figures with ``show``. ``run.py`` starts it.
"""

import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.live import Live
from rich.table import Table

REFEREE = str(Path(sys.executable).parent / "c4-referee")
"""The command ``c4-referee`` of this installation."""
BOT = str(Path(sys.executable).parent / "c4-bot")
"""The command ``c4-bot`` of this installation."""
PLAYER = Path(__file__).parent.parent / "bots" / "player.c"
"""Source of a bot in C that answers so fast that its own time does not hide the referee's."""
WIDTH = 140
"""Width in characters of a table that is not shown in a terminal."""

as_json = False
"""True if tables are printed as JSON. ``run.py --json`` sets it."""


def show(title: str, columns: Mapping[str, str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table, each row as soon as it is measured.

    ``columns`` maps the title of each column to the format specification of its numbers. A column
    of text has an empty specification. ``None`` is an empty cell. As JSON, a table is one line
    with ``title``, ``columns`` and ``rows``, and its numbers are not rounded.
    """
    if as_json:
        print(json.dumps({"title": title, "columns": columns, "rows": [*map(list, rows)]}))
        return
    table = Table(title=title)
    for name, form in columns.items():
        table.add_column(name, justify="right" if form else "left")
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    with Live(table, console=console, auto_refresh=False) as live:
        for row in rows:
            cells = zip(row, columns.values(), strict=True)
            table.add_row(*("" if cell is None else format(cell, form) for cell, form in cells))
            live.refresh()
    if not console.is_terminal:
        console.print()  # Live ends without a line break there


def processor_seconds_of(action: Callable[[], object]) -> float:
    """Return the processor time of all processes that an action starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_of(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Return the seconds that a call of ``work`` takes, by default on the wall clock."""
    began = clock()
    work()
    return clock() - began


def in_turns(ways: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Measure every way once in each round, so that a change in the machine's speed affects all."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, measure in ways.items():
            taken[name].append(measure())
    return taken


def median_ratio(numbers: Iterable[float], others: Iterable[float]) -> float:
    """Return the median of the ratios ``numbers[i] / others[i]`` of figures from the same round."""
    return statistics.median(a / b for a, b in zip(numbers, others, strict=True))


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value below which ``percent`` percent of the values lie."""
    return sorted(values)[min(len(values) * percent // 100, len(values) - 1)]


@contextmanager
def c_program(source: str) -> Iterator[str]:
    """Compile a C program and yield its path. End this process if there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        sys.exit("this benchmark needs a C compiler, cc")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "program")
        command = [compiler, "-O2", "-x", "c", "-o", program, "-"]
        subprocess.run(command, input=source, text=True, check=True)
        yield program


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Keep processors busy with ``count`` processes that only loop."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def stay_on_one_processor() -> None:
    """Keep this process and its children on one processor, if the system supports this."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


@contextmanager
def no_processes_left() -> Iterator[None]:
    """End processes that killed referees left, and at the end those that children leave behind."""
    from c4_referee.bots.contain.process_tree import kill_children
    from c4_referee.bots.contain.strays import prepare_command

    prepare_command()
    try:
        yield
    finally:
        kill_children()
