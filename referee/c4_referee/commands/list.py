"""``c4-referee list``: the matches that are kept without ``--out``."""

import argparse
import sys
from typing import Any

EPILOG = """\
The last 20 matches are kept, as far as they take at most 200 MB.
c4-referee show --last lists the games of the last match. Other commands take
the folder that is printed, as in c4-referee report FOLDER.

Exit code: 0; 1 if a folder cannot be read.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    listing = commands.add_parser(
        "list",
        help="list the matches that were played without --out",
        description="List the matches that were played without --out, the last one first.",
        epilog=EPILOG,
    )
    listing.set_defaults(run=_run)


def _run(_: argparse.Namespace) -> int:
    from c4_protocol.program.errors import ArenaError
    from c4_protocol.program.text import visible

    from c4_referee.report.texts import counted
    from c4_referee.storage.contests import read_contests
    from c4_referee.storage.kept import kept_folders

    are_readable = True
    for folder in kept_folders():
        try:
            contests = read_contests(folder)
        except ArenaError as error:
            are_readable = False
            sys.stderr.write(f"c4-referee: {visible(str(error))}\n")
            continue
        for contest in filter(lambda contest: contest.all_games, contests):
            games = counted(len(contest.all_games), "game")
            sys.stdout.write(visible(f"{folder}  {games}  {contest.name}") + "\n")
    if not kept_folders():
        sys.stderr.write("c4-referee: no match is kept yet\n")
    return 0 if are_readable else 1
