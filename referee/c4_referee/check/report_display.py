"""Shows a check: two verdicts, what the bot needs to start, and each cause of failure."""

import re

from c4_protocol.dialects import DEFAULT_DIALECT
from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.check.broken import FIND_OUT
from c4_referee.check.checker import Cause, CheckReport, RuleOutcome
from c4_referee.check.driver import Trial
from c4_referee.check.start import Start

MARK_WIDTH = 8
IN_SANDBOX = re.compile(f"sandbox|^{FIND_OUT}")
"""Pattern of advice for failures that a shell may not show, because it hides no file."""
WIDTHS = (MARK_WIDTH, 10)
"""Widths of the column for marks and of the column for labels."""


class CheckDisplay:
    """Display of a check on a console.

    ``status`` is a context manager that shows on the console ``progress``, while the check runs,
    which rule is being tried. With ``lists_all`` there is a line for each rule, otherwise only
    causes of failures. ``trial`` is what is checked, for the title.
    """

    def __init__(
        self,
        console: Console,
        trial: Trial | None = None,
        *,
        lists_all: bool = False,
        progress: Console | None = None,
    ) -> None:
        self._console = console
        self._lists_all = lists_all
        self._title = "" if trial is None else _title(trial)
        self.status = (progress or console).status("starting the bot")

    def rule(self, number: int, rules: int, name: str) -> None:
        """Show which rule is being tried, because some rules take seconds."""
        self.status.update(Text(f"{number} of {rules}: {name}"))

    def report(self, report: CheckReport) -> None:
        """Show the verdicts, what the bot needs to start, and the causes of failures.

        Causes that are only advice are shown if the bot passes the check, or with ``lists_all``.
        """
        if self._title:
            self._print(self._title)
        for is_ready, text in verdicts(report):
            self._print(text, "bold green" if is_ready else "bold red")
        self._print("")
        if report.start:
            self._print_start(report.start)
        is_only = sum(not cause.advice for cause in report.causes) == 1
        for cause in report.causes:
            if self._lists_all or not cause.advice or report.passed:
                self._print_cause(cause, report.dialect, is_only=is_only)
        if self._lists_all:
            for outcome in report.rules:
                self._print_outcome(outcome)

    def _print_start(self, start: Start) -> None:
        """Show the arguments that the bot needs or its dialect, and the line for its table."""
        without, does = (
            ("Asked in JSON,", "answers") if start.is_dialect else ("Without arguments", "starts")
        )
        self._print(f"{without} {start.seen}.")
        self._print(f"It {does} {start.name}:", "bold yellow")
        self._print(f"  {start.command}")
        self._print("In a file of bots or of a tournament, add this line under its [bots.NAME]:")
        self._print(f"  {start.line}")
        if start.option:
            self._print(f"For bots on the command line, say {start.option}.")
        if start.is_dialect:
            self._print("The rules were tried in this dialect.\n")
        else:
            self._print("The rules were tried with these arguments.")
            self._print("Rules about other arguments were skipped.\n")

    def _print_outcome(self, outcome: RuleOutcome) -> None:
        mark = Text("ok", "green") if outcome.passed else _mark(advice=outcome.advice)
        text = Text(outcome.name)
        if outcome.seen:
            text.append(f"  {outcome.seen}", style="dim")
        self._console.print(_row(mark, text))

    def _print_cause(self, cause: Cause, dialect: str, *, is_only: bool) -> None:
        """Show a cause and its evidence. For advice, show evidence only with ``lists_all``.

        The rules of the only cause are not counted again: the verdict has their number.
        """
        mark = _mark(advice=cause.advice, elsewhere=cause.elsewhere)
        self._console.print(_row(mark, Text(cause.seen, "" if cause.advice else "bold")))
        only = other_referees(dialect) if cause.elsewhere and not cause.advice else ""
        self._print_details(
            ("to fix", cause.fix, "cyan"),
            ("needed by", only, ""),
            ("rules", "" if is_only and len(cause.rules) > 1 else broken_rules(cause.rules), ""),
        )
        if cause.evidence and (self._lists_all or not cause.advice):
            answered = cause.evidence.answered.removesuffix(f": {cause.seen}")
            self._print_details(("asked", cause.evidence.board, ""), ("answered", answered, ""))
            where = " (in your shell, without the sandbox)" if IN_SANDBOX.search(cause.fix) else ""
            self._console.print(Text(f"{'':{MARK_WIDTH}}to see it again{where}:", style="dim"))
            self._print(cause.evidence.shell)
        self._print("")

    def _print_details(self, *rows: tuple[str, str, str]) -> None:
        """Show labels with their texts and styles; leave out empty texts."""
        for label, text, style in rows:
            if text:
                self._console.print(_row(Text(), Text(label, "dim"), Text(text, style)))

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style), soft_wrap=not style)


def _title(trial: Trial) -> str:
    """Return a line with the bot, the game, the time, and the dialect if it is not jsonl."""
    dialect = "" if trial.is_json else f", dialect {trial.spec.dialect}"
    return f"{trial.spec.name}: {trial.variant}, {trial.control}{dialect}\n"


def verdicts(report: CheckReport) -> list[tuple[bool, str]]:
    """Return for this referee and for others: whether the bot is ready, and this as a sentence."""
    found = []
    needed = f" with {report.start.line}" if report.start else ""
    skipped = "; the rest was skipped" if report.not_tried else ""
    for here, referees in ((True, "this referee"), (False, other_referees(report.dialect))):
        failed, tried = report.count(here=here)
        text = f"Ready for {referees}{needed}: it follows all {tried} rules."
        if failed:
            text = f"NOT ready for {referees}: {failed} of {tried} rules FAILED{skipped}."
        found.append((report.passed_here if here else report.passed, text))
    return found


def other_referees(dialect: str) -> str:
    """Return what else may ask a bot of this dialect, in words."""
    drivers = dialect == DEFAULT_DIALECT
    return "the course's driver and other referees" if drivers else f"other referees of {dialect}"


def broken_rules(rules: list[str]) -> str:
    """Return a text with the first of the broken rules, and their number if there are more."""
    if len(rules) == 1:
        return rules[0]
    return f"this breaks {len(rules)} rules, for example: {rules[0]}"


def _row(*cells: Text) -> Table:
    """Return a mark, perhaps a label, and a text of any length."""
    row = Table.grid()
    for width in WIDTHS[: len(cells) - 1]:
        row.add_column(width=width)
    row.add_column(overflow="fold")
    row.add_row(*cells)
    return row


def _mark(*, advice: bool, elsewhere: bool = False) -> Text:
    return Text("advice" if advice else "FAILED", "yellow" if advice or elsewhere else "bold red")
