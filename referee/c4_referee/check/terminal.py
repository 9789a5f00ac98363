"""The check on a terminal: a line a rule as it is tried, and a verdict."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.check.checker import MOST_HANGS, CheckReport, Outcome
from c4_referee.check.driver import Trial

MARK_WIDTH = 8


class Display:
    """Shows a check on a console; what was said before is not said again."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._said: set[tuple[str, str]] = set()

    def title(self, trial: Trial) -> None:
        """What is checked, and for which game."""
        text = f"{trial.spec.name}: {trial.variant}, {trial.time_ms:g} ms a move\n"
        self._console.print(Text(text))

    def outcome(self, outcome: Outcome) -> None:
        """One rule: kept, or failed with what was seen and what to do."""
        row = Table.grid()
        row.add_column(width=MARK_WIDTH)
        row.add_column(overflow="fold")
        if outcome.passed:
            row.add_row(Text("ok", style="green"), _kept(outcome))
        elif (outcome.seen, outcome.fix) in self._said:
            row.add_row(_failed(outcome), Text(f"{outcome.name}: the same again"))
        else:
            row.add_row(_failed(outcome), Text(f"{outcome.name}: {outcome.seen}"))
            row.add_row("", Text(f"to fix: {outcome.fix}", style="cyan"))
            self._said.add((outcome.seen, outcome.fix))
        self._console.print(row)

    def verdict(self, report: CheckReport) -> None:
        """How many rules were kept, and whether the bot is safe to enter."""
        if report.not_tried:
            count = len(report.not_tried)
            text = f"\nIt hung {MOST_HANGS} times: the other {count} rules were not tried."
            self._console.print(Text(text, style="bold red"))
        rules = [outcome for outcome in report.rules if not outcome.advice]
        kept = sum(outcome.passed for outcome in rules)
        if report.passed:
            self._console.print(Text(f"\nAll {kept} rules kept: safe to enter.", "bold green"))
        else:
            text = f"\n{len(rules) - kept} of {len(rules)} rules FAILED: not safe to enter yet."
            self._console.print(Text(text, style="bold red"))


def _failed(outcome: Outcome) -> Text:
    return Text("advice", style="yellow") if outcome.advice else Text("FAILED", style="bold red")


def _kept(outcome: Outcome) -> Text:
    text = Text(outcome.name)
    return text.append(f"  {outcome.seen}", style="dim") if outcome.seen else text
