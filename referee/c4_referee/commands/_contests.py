"""The parts of a command that plays a contest: games, accuracy, report and exit code.

The report is stored with the games, so that ``c4-referee report`` can show it later.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.text import visible

from c4_referee.commands._arguments import logs

if TYPE_CHECKING:
    from c4_protocol.records.events import GameEnded
    from c4_protocol.records.reports import AccuracyReport, MatchEnded, TournamentEnded
    from rich.console import Console

    from c4_referee.contest.contest import Contest, Outcome
    from c4_referee.play.ledger import ProgressHandler
    from c4_referee.play.tournament import Decision

NEXT_COMMANDS = """
Next:
  c4-referee show --last            all games of this match
  {game:<32}  one game
  c4-referee report --last --open   pages in a browser"""
"""Commands that show the games of a match that has just been played without ``--out``."""
Ended = TypeVar("Ended", "MatchEnded", "TournamentEnded")


@dataclass(frozen=True)
class ContestDisplay(Generic[Ended]):
    """Functions with which a command shows its contest.

    ``progress`` is called while games are played. ``ended`` makes the last event, which contains
    the report. ``print_report`` prints the report for people.
    """

    progress: "AbstractContextManager[ProgressHandler]"
    ended: "Callable[[Outcome, AccuracyReport | None], Ended]"
    print_report: "Callable[[Console, Ended, Sequence[GameEnded]], None]"


@dataclass(frozen=True)
class Judging:
    """Options for judging moves. ``seconds`` is the maximum time for it."""

    is_wanted: bool
    seconds: float


def run_contest(
    contest: "Contest",
    options: argparse.Namespace,
    out: Path | None,
    display: ContestDisplay[Ended],
    judging: Judging,
    decides: "Decision | None" = None,
) -> int:
    """Play a contest, print its report and return the exit code of the command.

    ``options`` has ``events``, ``json`` and ``explain``. ``decides`` may end the contest early.
    """
    import orjson

    from c4_referee.bots.spec import versions_of
    from c4_referee.contain.cgroup import control_groups
    from c4_referee.contain.process_tree import kill_children
    from c4_referee.contain.strays import prepare_command
    from c4_referee.report.protection import protection_of, warn_unprotected

    if options.json and options.events == "-":
        raise UsageError("--events - writes the report, too, as the last event: leave out --json")
    # This tries the sandbox. After prepare_command, bubblewrap's processes would be adopted.
    protection = protection_of(contest.players) if contest.is_local else None
    raise_on_signals()
    prepare_command()
    try:
        with ExitStack() as stack:
            progress = stack.enter_context(display.progress)
            handlers = logs(options.events, out, stack, contest.bots)
            controllers = stack.enter_context(control_groups())
            protection = protection and replace(protection, control_groups=controllers)
            warn_unprotected(protection, options.sandbox)
            outcome = contest.play(handlers, out, progress, decides)
            ended = display.ended(outcome, _accuracy(contest, judging, outcome, out))
            versions = versions_of(contest.players)
            report = replace(ended.report, protection=protection, versions=versions)
            ended = replace(ended, report=report)
            for handler in handlers:
                handler(orjson.dumps(ended))
            is_stored = _store_run(contest, outcome, out, ended)
    finally:
        kill_children()
    if options.json:
        print_json(ended.report)
        sys.stdout.flush()
    else:
        _print_for_people(contest, outcome, ended, options, out, display, judging)
    return 0 if ended.report.complete and is_stored and not contest.missing else 1


def _store_run(
    contest: "Contest", outcome: "Outcome", out: Path | None, ended: "MatchEnded | TournamentEnded"
) -> bool:
    """Store the report of a run with its games, if there is a folder.

    Return false if this fails, and print the reason on standard error.
    """
    if out is None or outcome.contest is None:
        return True
    from c4_referee.contest.contest_conditions import conditions_of
    from c4_referee.storage.last_runs import save_run

    try:
        save_run(out, outcome.contest, ended, conditions_of(contest))
    except ArenaError as error:
        sys.stderr.write(f"c4-referee: the report is not stored: {visible(str(error))}\n")
        return False
    return True


def _accuracy(
    contest: "Contest", judging: Judging, outcome: "Outcome", out: Path | None
) -> "AccuracyReport | None":
    """Return the accuracy of the moves, or ``None`` if it is not wanted or cannot be measured."""
    if not (judging.is_wanted and contest.judge and outcome.is_complete):
        return None
    from c4_referee.contest.exact_values import accuracy_by

    return accuracy_by(contest.judge, contest.variant, judging.seconds, outcome.games, out)


def _print_for_people(
    contest: "Contest",
    outcome: "Outcome",
    ended: Ended,
    options: argparse.Namespace,
    out: Path | None,
    display: ContestDisplay[Ended],
    judging: Judging,
) -> None:
    """Print the report. Print on standard error how to continue an unfinished contest."""
    from rich.text import Text

    from c4_referee.report.accuracy import print_no_judge
    from c4_referee.report.console import SafeConsole
    from c4_referee.report.earlier import tell_unfinished
    from c4_referee.report.explanation import print_explanation
    from c4_referee.report.protection import print_protection
    from c4_referee.storage.kept import is_kept_folder

    console = SafeConsole(stderr=options.events == "-", highlight=False)
    display.print_report(console, ended, outcome.games)
    if judging.is_wanted and contest.judge is None:
        print_no_judge(console, contest.variant)
    print_protection(console, ended.report.protection)
    if options.explain:
        print_explanation(console)
    is_kept = out is not None and is_kept_folder(out)
    if is_kept and outcome.games:
        number = _worth_showing(ended, outcome)
        console.print(Text(NEXT_COMMANDS.format(game=f"c4-referee show --last {number}")))
    elif out is not None:
        console.print(Text(f"All games are stored in {out}"))
    sys.stdout.flush()
    if not ended.report.complete:
        tournament = outcome.tournament
        tell_unfinished(
            tournament.done, tournament.scheduled, is_kept=out is not None and not is_kept
        )


def _worth_showing(ended: "MatchEnded | TournamentEnded", outcome: "Outcome") -> int:
    """Return the number of the game with the worst move, or of the last game."""
    judged = getattr(ended.report, "accuracy_report", None)
    return judged.worst.game if judged and judged.worst else outcome.games[-1].game
