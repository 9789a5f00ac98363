"""The parts of a command that plays a contest: games, accuracy, report and exit code.

The report is stored with the games, so that ``c4-referee report`` can show it later. This module is
imported when a contest begins, and what only people need when the report is printed for them.
"""

import argparse
import shlex
import sys
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from c4_protocol.program.commands import print_json, raise_on_signals
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.text import visible
from c4_protocol.records.reports import (
    MatchEnded,
    MatchReport,
    TournamentEnded,
    TournamentReport,
)

from c4_referee.bots.contain.cgroup import control_groups
from c4_referee.bots.contain.strays import prepared_command
from c4_referee.commands._options import check_command, logs
from c4_referee.contest.contest import Contest, Outcome
from c4_referee.contest.contest_reports import (
    match_ended_event,
    save_last_event,
    tournament_ended_event,
)
from c4_referee.contest.play.ledger import EventHandler
from c4_referee.report.protection import protection_of, protection_text, warn_unprotected

if TYPE_CHECKING:
    from c4_referee.contest.earlier import Earlier
    from c4_referee.records.stats.sprt import SequentialTest, UntilTest

COMMAND_WIDTH = 40
"""Maximum width of the column with commands under "Next". A longer command stands out of it."""


def run_contest(
    contest: Contest,
    options: argparse.Namespace,
    out: Path | None,
    display: AbstractContextManager[EventHandler],
    judge_seconds: float | None,
    test: "SequentialTest | UntilTest | None" = None,
) -> int:
    """Play a contest, print its report and return the exit code of the command.

    ``options`` has ``events``, ``json``, ``explain`` and ``sandbox``. The moves are judged for at
    most ``judge_seconds``, or not at all if it is ``None``. The ``test`` may end a match early.
    """
    if options.json and options.events == "-":
        raise UsageError("--events - writes the report, too, as the last event: leave out --json")
    # This tries the sandbox. In prepared_command, bubblewrap's processes would be adopted.
    protection = protection_of(contest.players) if contest.is_local else None
    earlier = None
    if out is not None:
        from c4_referee.contest.earlier import earlier_run

        earlier = earlier_run(contest, out)
        if earlier is not None and earlier.note:
            sys.stderr.write(visible(f"c4-referee: {earlier.note}", keep="\n") + "\n")
    raise_on_signals()
    with prepared_command(), ExitStack() as stack:
        progress = stack.enter_context(display)
        handlers = logs(options.events, out, stack, contest.bots)
        controllers = stack.enter_context(control_groups())
        protection = protection and replace(protection, control_groups=controllers)
        warn_unprotected(protection, options.sandbox)
        outcome = contest.play(handlers, out, progress, test.take_game if test else None)
        judged = None
        if judge_seconds is not None:
            from c4_referee.contest.exact_values import accuracy_of_contest
            from c4_referee.report.terminal.progress import JudgingProgress

            bar = JudgingProgress()
            judged = accuracy_of_contest(contest, outcome, judge_seconds, out, bar)
        ended = (
            match_ended_event(contest, outcome, judged, test, protection)
            if contest.identity is None
            else tournament_ended_event(contest, outcome, judged, protection)
        )
        for handler in handlers:
            handler(orjson.dumps(ended))
        is_stored = True
        try:
            save_last_event(contest, outcome, out, ended)
        except ArenaError as error:
            sys.stderr.write(f"c4-referee: the report is not stored: {visible(str(error))}\n")
            is_stored = False
    if options.json:
        print_json(ended.report)
        sys.stdout.flush()
    else:
        is_unjudged = judge_seconds is not None and contest.judge is None
        _print_for_people(contest, outcome, ended, options, out, earlier, is_unjudged)
    is_decided = test is None or test.is_decided
    return 0 if ended.report.complete and is_decided and is_stored and not contest.missing else 1


def _print_for_people(
    contest: Contest,
    outcome: Outcome,
    ended: MatchEnded | TournamentEnded,
    options: argparse.Namespace,
    out: Path | None,
    earlier: "Earlier | None",
    is_unjudged: bool,
) -> None:
    """Print the report. Print on standard error how to continue an unfinished contest."""
    from c4_protocol.terminal.console import SafeConsole
    from rich.text import Text

    from c4_referee.commands._compare_versions import comparison_of_versions
    from c4_referee.records.storage.kept import is_kept_folder
    from c4_referee.report.terminal.accuracy import print_no_judge
    from c4_referee.report.terminal.games_played import tell_unfinished
    from c4_referee.report.terminal.match_and_tournament import (
        print_explanation,
        print_match,
        print_tournament,
    )

    console, report = SafeConsole(stderr=options.events == "-", highlight=False), ended.report
    if isinstance(report, MatchReport):
        print_match(console, report, outcome.games)
    else:
        print_tournament(console, report)
    if is_unjudged:
        print_no_judge(console, contest.variant)
    if report.protection is not None:
        console.print(Text(protection_text(report.protection)))
    for line in comparison_of_versions(earlier, out):
        console.print(Text(line), soft_wrap=True)
    if options.explain:
        print_explanation(console)
    commands = _next_commands(contest, report, outcome, options, out)
    if commands:
        width = min(max(map(len, commands)), COMMAND_WIDTH)
        lines = [f"  {command:<{width}}   {what}" for command, what in commands.items()]
        text = "\n".join(["", "Next (--explain says what the numbers mean):", *lines])
        console.print(Text(text), soft_wrap=True)
    sys.stdout.flush()
    if not report.complete:
        tournament = outcome.tournament
        is_kept = out is not None and not is_kept_folder(out)
        tell_unfinished(tournament.done, tournament.scheduled, is_kept=is_kept)


def _next_commands(
    contest: Contest,
    report: MatchReport | TournamentReport,
    outcome: Outcome,
    options: argparse.Namespace,
    out: Path | None,
) -> dict[str, str]:
    """Return the commands that help the reader of a report, and what each shows."""
    from c4_referee.records.storage.kept import is_kept_folder, short_name
    from c4_referee.report.verdict import bot_that_forfeited_all

    commands = {}
    if isinstance(report, MatchReport) and (loser := bot_that_forfeited_all(outcome.games)):
        typed = options.bot[report.bots.index(loser)]
        commands[check_command(typed, options)] = "why it forfeits"
    if out is not None and outcome.games:
        folder = "--last" if is_kept_folder(out) else shlex.quote(str(out))
        game = _worth_showing(report, outcome)
        commands[f"c4-referee show {folder}"] = "all games"
        commands[f"c4-referee show {folder} {game}"] = "the game to look at first"
        commands[f"c4-referee report {folder} --open"] = "pages in a browser"
        if isinstance(report, MatchReport) and (judged := report.accuracy_report):
            match = short_name(out) if is_kept_folder(out) else folder
            for bot in contest.players:
                if judged.bots[bot.name].worst and not bot.is_own_command:
                    command = f"c4-referee retry {match} {shlex.quote(bot.name)} NEW"
                    commands[command] = "whether a NEW version makes its mistakes"
    return commands


def _worth_showing(report: MatchReport | TournamentReport, outcome: Outcome) -> int:
    """Return the number of a game: the first that a fault decided if they are half of all games.

    Otherwise it is the game with the worst move, or the last one.
    """
    forfeits = [game.game for game in outcome.games if game.fault]
    if 2 * len(forfeits) >= len(outcome.games):
        return forfeits[0]
    judged = report.accuracy_report if isinstance(report, MatchReport) else report.accuracy
    return judged.worst.game if judged and judged.worst else outcome.games[-1].game
