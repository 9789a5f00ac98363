"""Shows the checks of a whole file of bots: progress, a table, and what to do next."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from c4_referee.check.many import Checked


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
