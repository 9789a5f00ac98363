"""Checks a whole file of bots, several at a time, and shows progress and a table.

Each bot is checked in a process of its own, ``c4-referee check --json -- NAME``. To end all
processes that a bot leaves behind, a check ends all children of its own process, so two checks
cannot share one.
"""

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import orjson
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

END_SECONDS = 10.0
"""Maximum time in seconds that a check takes to end its bot. Then it is killed, and the bot dies
with it."""


class Checked(NamedTuple):
    """Result of the check of a bot.

    ``report`` is a ``CheckReport`` read from JSON. If the bot could not be checked, it is ``None``
    and ``reason`` says why.
    """

    bot: str
    report: dict[str, Any] | None
    reason: str = ""

    @property
    def passed(self) -> bool:
        """True if the bot is ready for this referee and for others."""
        return self.report is not None and bool(self.report["passed"])

    @property
    def passed_here(self) -> bool:
        """True if the bot is ready for this referee."""
        return self.report is not None and bool(self.report["passed_here"])


def check_all(
    names: Sequence[str],
    argv: Sequence[str],
    at_once: int,
    on_checked: Callable[[Checked], None],
    seconds: float | None = None,
) -> list[Checked]:
    """Check the bots with these names; return the results in the order of the names.

    At most ``at_once`` bots are checked at the same time. ``argv`` is the command line of
    ``c4-referee`` that checks all of them, without ``--``. ``on_checked`` is called with each
    result. A check that takes more than ``seconds`` is ended. An exception, such as Ctrl-C, ends
    all checks.
    """
    running: set[subprocess.Popen[bytes]] = set()
    done = {}
    with ThreadPoolExecutor(at_once) as pool:
        futures = [pool.submit(_check, name, argv, running, seconds) for name in names]
        try:
            for future in as_completed(futures):
                checked = future.result()
                done[checked.bot] = checked
                on_checked(checked)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in list(running):
                process.terminate()  # the process then ends its bot
            raise
    return [done[name] for name in names]


def _check(
    name: str,
    argv: Sequence[str],
    running: set[subprocess.Popen[bytes]],
    seconds: float | None,
) -> Checked:
    """Check one bot; hold the process of the check in ``running`` until the process ends."""
    command = [sys.executable, "-P", "-m", "c4_referee", *argv, "--json"]
    command += ["--", name]  # a name may begin with a dash
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0
    ) as process:
        running.add(process)
        try:
            output, complaint = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(END_SECONDS)
            process.kill()
            why = f"its check took more than {seconds:g} s: does it start or answer slowly?"
            return Checked(name, None, why)
        finally:
            running.discard(process)
    if process.returncode in {0, 1} and output:
        return Checked(name, orjson.loads(output))
    words = complaint.decode(errors="replace").strip() or f"exit code {process.returncode}"
    return Checked(name, None, words.split("\n")[-1].removeprefix("c4-referee: "))


@contextmanager
def check_progress(console: Console, bots: int) -> Iterator[Callable[[Checked], None]]:
    """Show the number of checked bots. Yield a function to call with each ``Checked``."""
    shown = Progress(
        TextColumn("{task.completed} of {task.total} bots"),
        BarColumn(),
        TextColumn("{task.description}"),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with shown as bar:
        task = bar.add_task("checking", total=bots)
        yield lambda checked: bar.update(task, advance=1, description=escape(checked.bot))


def print_summary(console: Console, argv: Sequence[str], checks: Sequence[Checked]) -> None:
    """Print a line for each bot of a file, and a command that shows more.

    ``argv`` is the command line of ``c4-referee`` that checked all of them, without ``--``.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bot", overflow="fold")
    table.add_column("here")
    table.add_column("elsewhere")
    table.add_column("failed", justify="right")
    table.add_column("to fix first", overflow="fold")
    for checked in checks:
        table.add_row(Text(checked.bot), *_result(checked))
    console.print(table)
    console.print(Text("\nhere: this referee; elsewhere: the course's driver and others", "dim"))
    failed = [checked.bot for checked in checks if not checked.passed]
    ready = sum(checked.passed_here for checked in checks), len(checks) - len(failed)
    here, elsewhere = (f"{number} of {len(checks)}" for number in ready)
    text = f"Ready for this referee: {here}. Ready for other referees, too: {elsewhere}."
    console.print(Text(text, "bold red" if failed else "bold green"))
    if not failed:
        return
    console.print("More about one:")
    named = ["--", failed[0]] if failed[0].startswith("-") else [failed[0]]
    command = shlex.join(["c4-referee", *argv, *named])
    console.print(Text(f"  {command}"), soft_wrap=True)


def _result(checked: Checked) -> tuple[Text, ...]:
    """Return four columns: both verdicts on a bot, how many rules failed, and what to do."""
    report = checked.report
    if report is None:
        return Text("not tried", "bold red"), Text(""), Text(""), Text(checked.reason)
    marks = [_mark(passed) for passed in (checked.passed_here, checked.passed)]
    if report["passed"]:
        needed = report["start"]["line"] if report["start"] else ""
        return *marks, Text("0"), Text(needed)
    rules = [rule for rule in report["rules"] if not rule["advice"]]
    failed = sum(not rule["passed"] for rule in rules)
    causes = [cause["fix"] for cause in report["causes"] if not cause["advice"]]
    return *marks, Text(f"{failed} of {len(rules)}"), Text(causes[0])


def _mark(passed: bool) -> Text:
    return Text("ok", "green") if passed else Text("FAILED", "bold red")
