"""``c4-referee watch``: a contest in progress in the terminal."""

import argparse
from typing import Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError

from c4_referee.commands._options import add_options
from c4_referee.commands._stored_contests import (
    Complaints,
    add_contest,
    folder_of,
    stored_contest,
)

EXAMPLES = """\
examples:
  c4-referee watch results       a contest that is played with --out results
  c4-referee watch --last        the last match without --out

On a terminal, the boards, the best bots and the last results are shown until
the contest ends; q or Ctrl-C leaves. Elsewhere, each result is a line of text.
At the end, the standings are printed.
Exit code: 0; 1 after Ctrl-C; 2 for a mistake on the command line.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    watch = commands.add_parser(
        "watch",
        help="watch a contest in progress",
        description="Watch a contest in progress in the terminal, or show how it ended.",
        epilog=EXAMPLES,
    )
    watch.add_argument(
        "folder",
        nargs="?",
        metavar="DIR",
        help="folder with the games of a contest",
    )
    add_options(watch, "--last")
    add_contest(watch)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_protocol.terminal.console import SafeConsole

    from c4_referee.records.storage.kept import last_folder
    from c4_referee.report.site.results import ContestResults
    from c4_referee.report.terminal.standings_tables import print_standings
    from c4_referee.report.terminal.watching import watch

    if options.last == (options.folder is not None):
        raise UsageError("name a folder, or the last match with --last")
    folder = last_folder() if options.last else folder_of([options.folder])
    if folder is None:
        raise UsageError(f"{options.folder} is a file: name a folder that was written with --out")
    contest = stored_contest([str(folder)], options.contest, Complaints())
    console = SafeConsole(highlight=False)
    raise_on_signals()
    watch(console, folder, contest.number, contest.name)
    ended = stored_contest([str(folder)], contest.number, Complaints())
    print_standings(console, ContestResults(ended).standings)
    return 0
