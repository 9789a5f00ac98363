"""``c4-referee report``: a folder of pages that show the results of a contest."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import raise_on_signals
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible

from c4_referee.commands._options import add_options, count
from c4_referee.commands._stored_contests import (
    Complaints,
    add_stored,
    folder_of,
    stored_contest,
    stored_contests,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_referee.records.storage.contests import StoredContest

SECONDS = 30.0
"""Default time for solving positions, in seconds."""
EXAMPLES = """\
examples:
  c4-referee report results                  pages in results/site
  c4-referee report results --out site --open
  c4-referee report results --analysis-seconds 600
  c4-referee report results --game 17 --out game.html
  c4-referee report games.pgn --out site     games of other programs

The pages need no network and no server, and can be copied anywhere.
Exit code: 0 if the pages were written; 1 if they were not, or if games of a
file were left out; 2 for a mistake on the command line.
"""
DETAILS = """\
DIR is a folder that was written with --out. The pages show the standings, each
bot, and each game move by move. They need no network and no server, and can be
copied anywhere as they are.

Files with games can be named instead of DIR: "c4-referee rate --help" lists
their formats. Each game needs its moves. The games of all files are numbered
together. Games of different variants are different contests. What a file does
not say, such as the times of moves, is left out.

Positions of the games are solved for at most --analysis-seconds, on all
processors. The pages then show the moves that lost games, and best play after
them. The values are stored in DIR, and the next report continues. Values of
games from files are not stored.

With --game, one game is written to a single file that can be sent to others.
If DIR has several contests, --contest chooses one of them by its number.
If DIR has runs of c4-tune, their report is written into DIR.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    report = commands.add_parser(
        "report",
        help="make pages that show the results of a contest",
        description="Make a folder of pages that show the results and the games of a contest.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--last --out --game --analysis-seconds --open",
    )
    report.add_argument(
        "source",
        nargs="*",
        metavar="DIR|FILE",
        help="folder with the games of a contest, or files with games in any format that "
        "c4-referee rate reads, or - for standard input",
    )
    report.add_argument(
        "--out",
        type=Path,
        metavar="SITE",
        help="folder for the pages, or with --game the file to write (default: DIR/site; files "
        "have no default). An earlier report there is replaced",
    )
    report.add_argument(
        "--game", type=count, metavar="N", help="write only game N, as a file of its own"
    )
    add_options(report, "--last")
    add_stored(report, SECONDS, "all; with --game the one that was played last")
    report.add_argument("--open", action="store_true", help="open the result in a browser")


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.records.storage.kept import last_folder
    from c4_referee.tuning.report_page import is_tuning_folder, write_stored_reports

    if options.last == bool(options.source):
        raise UsageError("name a folder or files, or the last match with --last")
    options.source = options.source or [str(last_folder())]
    raise_on_signals()
    complaints, folder = Complaints(), folder_of(options.source)
    if folder is not None and is_tuning_folder(folder):
        for name in ("out", "game", "contest"):
            if getattr(options, name) is not None:
                raise UsageError(
                    f"--{name}: {folder} holds runs of c4-tune: their report is written there"
                )
        path = write_stored_reports(folder)
    elif options.game is not None:
        path = _write_game(options, folder, complaints)
    else:
        path = _write_site(options, folder, complaints)
    sys.stdout.write(f"{visible(str(path))}\n")
    if options.open:
        import webbrowser

        if not webbrowser.open(path.absolute().as_uri()):
            sys.stderr.write("c4-referee: --open found no browser\n")
    return 1 if complaints else 0


def _write_site(options: argparse.Namespace, folder: Path | None, complaints: Complaints) -> Path:
    """Solve positions, write the site, and return the path of its first page.

    Raises ``UsageError`` if the games are in files and no folder is named.
    """
    from c4_referee.report.site.board_folder import BOARD, copied_board
    from c4_referee.report.site.pages import number_of_pages, site_pages
    from c4_referee.report.site.writer import SiteFolder
    from c4_referee.report.terminal.bar import Bar

    if folder is None and options.out is None:
        raise UsageError("name a folder for the pages of these files, for example with --out site")
    target: Path = options.out or Path(folder or "", "site")
    if options.out is None and target.is_symlink():
        raise UsageError(f"cannot write {target}: it is a link: say --out SITE")
    contests = stored_contests(options.source, options.contest, complaints)
    with SiteFolder(target) as site, copied_board(target / BOARD, contests) as has_board:
        solved = _solve(contests, folder, options.analysis_seconds)
        with Bar("writing", threaded=False) as bar:
            board = has_board()
            total = number_of_pages(solved)
            for number, (name, text) in enumerate(site_pages(solved, board=board), 1):
                site.write(name, text)
                bar.move(number, total)
    return target / "index.html"


def _write_game(options: argparse.Namespace, folder: Path | None, complaints: Complaints) -> Path:
    """Solve the positions of one game, write its file and return the path."""
    from c4_referee.contest.exact_values import solve_more_positions
    from c4_referee.records.stats.analysis import analyse
    from c4_referee.report.site.replay_page import single_file
    from c4_referee.report.site.writer import write_page
    from c4_referee.report.terminal.progress import JudgingProgress

    if options.out is None or options.out.suffix != ".html":
        raise UsageError("--game writes one file: name it, for example with --out game.html")
    contest = stored_contest(options.source, options.contest, complaints)
    game = contest.game(options.game)
    seconds, bar = options.analysis_seconds, JudgingProgress("solving")
    solved = solve_more_positions(folder, contest, [game], seconds, bar).contest.solved
    write_page(options.out, single_file(analyse(game, solved)))
    return Path(options.out)


def _solve(
    contests: "Sequence[StoredContest]", folder: Path | None, seconds: float
) -> "list[StoredContest]":
    """Return the contests with more solved positions. Say on standard error if time was up."""
    from c4_referee.contest.exact_values import solve_more_positions
    from c4_referee.report.site.results import ContestResults
    from c4_referee.report.terminal.progress import JudgingProgress

    until, solved = time.monotonic() + seconds, []
    for contest in contests:
        games = ContestResults(contest).games_by_importance
        left, bar = until - time.monotonic(), JudgingProgress("solving")
        solved.append(solve_more_positions(folder, contest, games, left, bar))
        solving = solved[-1].solving
        if solving is not None and solving.ended is not None:
            why = "time was up" if solving.ended == "time" else "interrupted"
            later = "" if folder is None else ", and the next report continues"
            sys.stderr.write(
                f"c4-referee: {why} before all games were solved: --analysis-seconds S gives more "
                f"time{later}\n"
            )
    return [one.contest for one in solved]
