"""Shows a check: what the bot needs to start, each cause of failure, and a verdict."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.check.checker import Cause, CheckReport, RuleOutcome
from c4_referee.check.driver import Trial
from c4_referee.check.start import Start

MARK_WIDTH = 8
LABEL_WIDTH = 10


class CheckDisplay:
    """Display of a check on a console.

    ``status`` is a context manager that shows the name of the rule that is being tried. With
    ``lists_all`` there is a line for each rule, otherwise only causes of failures. The title with
    the bot, the game and the time of ``trial`` comes first, but not before the bot has started: a
    bot that cannot be checked has no title.
    """

    def __init__(
        self, console: Console, trial: Trial | None = None, *, lists_all: bool = False
    ) -> None:
        self._console = console
        self._lists_all = lists_all
        self._title = "" if trial is None else _title(trial)
        self.status = console.status("starts the bot")

    def start(self, start: Start) -> None:
        """Show the arguments that the bot needs or its dialect, and the line for its table."""
        self._show_title()
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
            self._print("The rules are tried in this dialect.\n")
        else:
            self._print("The rules are tried with these arguments.")
            self._print("Rules about other arguments are skipped.\n")

    def rule(self, name: str) -> None:
        """Show which rule is being tried, because some rules take seconds."""
        self._show_title()
        self.status.update(Text(name))

    def outcome(self, outcome: RuleOutcome) -> None:
        """Show the outcome of one rule if all are listed."""
        if self._lists_all:
            mark = Text("ok", "green") if outcome.passed else _mark(advice=outcome.advice)
            text = Text(outcome.name)
            if outcome.seen:
                text.append(f"  {outcome.seen}", style="dim")
            self._console.print(_row(mark, text))

    def verdict(self, report: CheckReport) -> None:
        """Show the causes of failures, and a verdict with the number of rules followed or broken.

        Causes that are only advice are shown if the bot passes the check, or with ``lists_all``.
        """
        if self._lists_all:
            self._print("")
        for cause in report.causes:
            if self._lists_all or not cause.advice or report.passed:
                self._print_cause(cause)
        self._print(verdict_text(report), "bold green" if report.passed else "bold red")

    def _show_title(self) -> None:
        """Show the title if it has not been shown yet."""
        title, self._title = self._title, ""
        if title:
            self._print(title)

    def _print_cause(self, cause: Cause) -> None:
        """Show a cause and its evidence. For advice, show evidence only with ``lists_all``."""
        mark = _mark(advice=cause.advice)
        self._console.print(_row(mark, Text(cause.seen, "" if cause.advice else "bold")))
        self._print_details(
            ("to fix", cause.fix, "cyan"), ("rules", _broken_rules(cause.rules), "")
        )
        if cause.evidence and (self._lists_all or not cause.advice):
            self._print_details(("asked", cause.evidence.board, ""))
            self._print_details(("answered", cause.evidence.answered, ""))
            self._console.print(Text(f"{'':{MARK_WIDTH}}to see it again:", style="dim"))
            self._print(cause.evidence.shell)
        self._print("")

    def _print_details(self, *rows: tuple[str, str, str]) -> None:
        """Show labels with their texts and styles; leave out empty texts."""
        table = Table.grid()
        table.add_column(width=MARK_WIDTH)
        table.add_column(width=LABEL_WIDTH, style="dim")
        table.add_column(overflow="fold")
        for label, text, style in rows:
            if text:
                table.add_row("", label, Text(text, style=style))
        if table.row_count:
            self._console.print(table)

    def _print(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style), soft_wrap=not style)


def _title(trial: Trial) -> str:
    """Return a line with the bot, the game, the time, and the dialect if it is not jsonl."""
    dialect = "" if trial.is_json else f", dialect {trial.spec.dialect}"
    return f"{trial.spec.name}: {trial.variant}, {trial.time_ms:g} ms a move{dialect}\n"


def verdict_text(report: CheckReport) -> str:
    """Return a sentence: how many rules the bot follows, and whether it is ready."""
    rules = [outcome for outcome in report.rules if not outcome.advice]
    followed = sum(outcome.passed for outcome in rules)
    if report.passed:
        needed = f" with {report.start.line}" if report.start else ""
        return f"The bot follows all {followed} rules{needed}: ready for a tournament."
    failed = f"{len(rules) - followed} of {len(rules)} rules FAILED"
    if report.not_tried:
        failed += f"; the other {len(report.not_tried)} were skipped to save time"
    return f"{failed}: not ready for a tournament yet."


def _broken_rules(rules: list[str]) -> str:
    """Return a text with the first of the broken rules, and their number if there are more."""
    if len(rules) == 1:
        return rules[0]
    return f"this breaks {len(rules)} rules, for example: {rules[0]}"


def _row(mark: Text, text: Text) -> Table:
    row = Table.grid()
    row.add_column(width=MARK_WIDTH)
    row.add_column(overflow="fold")
    row.add_row(mark, text)
    return row


def _mark(*, advice: bool) -> Text:
    return Text("advice", "yellow") if advice else Text("FAILED", "bold red")
