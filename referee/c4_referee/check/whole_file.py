"""Checks a whole file of bots, several at a time, and shows a table.

Each bot is checked in a process of its own (``contain/forks.py``).
"""

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible
from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.bots.contain.forks import in_forks
from c4_referee.check.checker import check
from c4_referee.check.driver import Trial


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
    trials: Mapping[str, Callable[[], Trial]],
    on_checked: Callable[[Checked], None],
    at_once: int | None = None,
    seconds: float | None = None,
) -> list[Checked]:
    """Check bots, and return the results in the order of their names, the keys of ``trials``.

    ``trials`` has functions that return what is checked, or raise an exception if that is not
    possible. At most ``at_once`` bots are checked at the same time, by default one for each
    processor. ``on_checked`` is called with each result. A check that takes more than ``seconds``
    is ended. An exception, such as Ctrl-C, ends all checks.
    """
    done: dict[str, Checked] = {}

    def keep(name: str, result: bytes | Exception) -> None:
        if isinstance(result, TimeoutError):
            why = f"its check took more than {seconds:g} s: does it start or answer slowly?"
            done[name] = Checked(name, None, why)
        elif isinstance(result, Exception):
            kind = (
                "" if isinstance(result, ArenaError) else f"{type(result).__name__} in its check: "
            )
            done[name] = Checked(name, None, visible(f"{kind}{result}"))
        else:
            done[name] = Checked(name, orjson.loads(result))
        on_checked(done[name])

    def work(name: str) -> bytes:
        return orjson.dumps(check(trials[name]()))

    in_forks(work, trials, keep, at_once=at_once, seconds=seconds)
    return [done[name] for name in trials]


def failures(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the causes in a report of a check for which a bot is not ready for this referee."""
    return [each for each in report["causes"] if not (each["advice"] or each["elsewhere"])]


def print_summary(console: Console, argv: Sequence[str], checks: Sequence[Checked]) -> None:
    """Print a line for each bot of a file, and a command that shows more.

    ``argv`` is the command line of ``c4-referee`` that checked all of them, without ``--``.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    is_short = max(len(checked.bot) for checked in checks) < console.width // 2
    table.add_column("bot", overflow="fold", no_wrap=is_short)
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
