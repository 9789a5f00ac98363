"""Shows the checks of a whole file of bots: progress, a table, and what to do next."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from c4_referee.check.many import Checked


@contextmanager
def check_progress(console: Console, bots: int) -> Iterator[Callable[[Checked], None]]:
    """Show the number of checked bots. Yield a function to call with each ``Checked``."""
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("checking", total=bots)
        yield lambda checked: bar.update(task, advance=1, description=escape(checked.bot))


def print_summary(console: Console, argv: Sequence[str], checks: Sequence[Checked]) -> None:
    """Print a line for each bot of a file, and a command that shows more.

    ``argv`` is the command line of ``c4-referee`` that checked all of them, without ``--``.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bot", overflow="fold")
    table.add_column("check")
    table.add_column("failed", justify="right")
    table.add_column("to fix first", overflow="fold")
    for checked in checks:
        table.add_row(Text(checked.bot), *_result(checked))
    console.print(table)
    failed = [checked.bot for checked in checks if not checked.passed]
    if not failed:
        number = f"All {len(checks)} bots are" if len(checks) > 1 else "The bot is"
        console.print(Text(f"\n{number} ready for a tournament.", "bold green"))
        return
    text = (
        f"\n{len(failed)} of {len(checks)} bots are not ready for a tournament yet. More about one:"
    )
    console.print(Text(text, "bold red"))
    named = ["--", failed[0]] if failed[0].startswith("-") else [failed[0]]
    command = shlex.join(["c4-referee", *argv, *named])
    console.print(Text(f"  {command}"), soft_wrap=True)


def _result(checked: Checked) -> tuple[Text, Text, Text]:
    """Return three columns: the verdict on a bot, how many rules failed, and what to do."""
    report = checked.report
    if report is None:
        return Text("not tried", "bold red"), Text(""), Text(checked.reason)
    needed = Text(report["start"]["line"]) if report["start"] else Text("")
    if report["passed"]:
        return Text("ok", "green"), Text("0"), needed
    rules = [rule for rule in report["rules"] if not rule["advice"]]
    failed = sum(not rule["passed"] for rule in rules)
    causes = [cause["fix"] for cause in report["causes"] if not cause["advice"]]
    return Text("FAILED", "bold red"), Text(f"{failed} of {len(rules)}"), Text(causes[0])
