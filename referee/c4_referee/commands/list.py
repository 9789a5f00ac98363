"""``c4-referee list``: the matches that are kept without ``--out``."""

import argparse
import sys
from typing import Any

EPILOG = """\
The last 20 matches are kept, as far as they take at most 200 MB.
c4-referee show --last lists the games of the last match. show and report take
the name that is printed first, as in c4-referee report NAME --open. It is the
time at which the match began, in UTC.

Exit code: 0; 1 if a folder cannot be read.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    commands.add_parser(
        "list",
        help="list the matches that were played without --out",
        description="List the matches that were played without --out, the last one first.",
        epilog=EPILOG,
    )


def run(_: argparse.Namespace) -> int:
    """Run the command."""
    from c4_protocol.program.errors import ArenaError
    from c4_protocol.program.text import visible
    from c4_protocol.terminal.console import SafeConsole
    from c4_protocol.terminal.paragraphs import print_paragraphs, width_of_output

    from c4_referee.records.storage.contests import read_contests
    from c4_referee.records.storage.kept import kept_folders, short_name
    from c4_referee.records.storage.meant import meant
    from c4_referee.report.terminal.game_list import match_list

    matches, are_readable = [], True
    for folder in kept_folders():
        try:
            contests = read_contests(folder)
        except ArenaError as error:
            are_readable = False
            sys.stderr.write(f"c4-referee: {visible(str(error))}\n")
            continue
        if contests and (contest := meant(contests)).all_games:
            matches.append((short_name(folder), contest))
    if matches:
        console = SafeConsole(highlight=False)
        width = width_of_output(console)
        print_paragraphs(console, match_list(matches, width), width)
    elif are_readable:
        sys.stderr.write("c4-referee: no match is kept yet\n")
    return 0 if are_readable else 1
