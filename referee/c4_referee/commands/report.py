"""``c4-referee report``: a folder of pages that show the results of a contest."""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from c4_protocol.errors import ArenaError, UsageError
from c4_protocol.text import visible

from c4_referee.program.arguments import count, seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_protocol.variant import Variant

    from c4_referee.stats.solved import PositionKey, Solved, SolvedPositions
    from c4_referee.storage.contests import StoredContest

SECONDS = 30.0
"""Default time for solving positions, in seconds."""
EXAMPLES = """\
examples:
  c4-referee report results                  pages in results/site
  c4-referee report results --out site --open
  c4-referee report results --analysis-seconds 600
  c4-referee report results --game 17 --out game.html

DIR is a folder that was written with --out. The pages show the standings, each
bot, and each game move by move. They need no network and no server, and can be
copied anywhere as they are.

Positions of the games are solved within --analysis-seconds, on all processors.
Then the pages show where games were lost, and best play. What was solved is
stored in DIR, and the next report continues with the rest.

With --game, one game is written to a single file that can be sent to others.
If DIR has several contests, --contest chooses one of them by its number.
Exit code: 0 if the pages were written, 1 if they were not, 2 for a mistake on
the command line.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    report = commands.add_parser(
        "report",
        help="make pages that show the results of a contest",
        description="Make a folder of pages that show the results and the games of a contest.",
        epilog=EXAMPLES,
    )
    report.set_defaults(run=_run)
    report.add_argument(
        "folder", type=Path, metavar="DIR", help="folder with the games of a contest"
    )
    report.add_argument(
        "--out",
        type=Path,
        metavar="SITE",
        help="folder for the pages, or with --game the file to write (default: DIR/site). An "
        "earlier report there is replaced",
    )
    report.add_argument(
        "--game", type=count, metavar="N", help="write only game N, as a file of its own"
    )
    report.add_argument(
        "--contest",
        type=count,
        metavar="K",
        help="show only the contest with this number (default: all contests of DIR)",
    )
    report.add_argument(
        "--analysis-seconds",
        type=_seconds,
        default=SECONDS,
        metavar="S",
        help="maximum time for solving positions, in seconds; 0 solves none (default: %(default)g)",
    )
    report.add_argument("--open", action="store_true", help="open the result in a browser")


def _run(options: argparse.Namespace) -> int:
    from c4_referee.program.run import raise_on_signals
    from c4_referee.storage.contests import read_contests

    if options.game is not None and (options.out is None or options.out.suffix != ".html"):
        raise UsageError("--game writes one file: say its name, such as --out game.html")
    contests = _chosen(read_contests(options.folder), options)
    raise_on_signals()
    if options.game is not None:
        path = _write_game(contests, options)
    else:
        path = _write_site(contests, options)
    sys.stdout.write(f"{visible(str(path))}\n")
    if options.open:
        _open_in_browser(path)
    return 0


def _chosen(
    contests: "Sequence[StoredContest]", options: argparse.Namespace
) -> "list[StoredContest]":
    """Return the contests to show; raise ``UsageError`` if there are none."""
    if not contests:
        raise UsageError(f"there are no contests in {options.folder}")
    if options.contest is None:
        return [*contests]
    chosen = [contest for contest in contests if contest.number == options.contest]
    if not chosen:
        raise UsageError(
            f"--contest {options.contest}: {options.folder} has the contests 1 to {len(contests)}"
        )
    return chosen


def _write_site(contests: "Sequence[StoredContest]", options: argparse.Namespace) -> Path:
    """Solve positions, write the site and return the path of its first page."""
    from c4_referee.report.bar import Bar
    from c4_referee.site.pages import number_of_pages, site_pages
    from c4_referee.site.writer import SiteFolder

    folder = options.out or options.folder / "site"
    with SiteFolder(folder) as site:
        solved = _solve(contests, options)
        with Bar("writing", threaded=False) as bar:
            total = number_of_pages(solved)
            for number, (name, text) in enumerate(site_pages(solved), 1):
                site.write(name, text)
                bar.move(number, total)
    return Path(folder / "index.html")


def _write_game(contests: "Sequence[StoredContest]", options: argparse.Namespace) -> Path:
    """Solve the positions of one game, write its file and return the path."""
    from c4_referee.site.replay import single_file
    from c4_referee.site.writer import write_page
    from c4_referee.stats.analysis import analyse

    if len(contests) > 1:
        raise UsageError(f"{options.folder} has {len(contests)} contests: choose one by --contest")
    (contest,) = contests
    game = contest.game(options.game)
    (solved,) = _solve([replace(contest, games=(game,))], options)
    write_page(options.out, single_file(game, analyse(game, solved.solved)))
    return Path(options.out)


def _solve(
    contests: "Sequence[StoredContest]", options: argparse.Namespace
) -> "list[StoredContest]":
    """Return the contests with more solved positions, and store these in the folder."""
    until = time.monotonic() + options.analysis_seconds
    solved = []
    for contest in contests:
        known = dict(contest.solved)
        _solve_contest(contest, known, until - time.monotonic(), options.folder)
        solved.append(replace(contest, solved=known))
    return solved


def _solve_contest(
    contest: "StoredContest", known: "dict[PositionKey, Solved]", seconds: float, folder: Path
) -> None:
    """Add positions of a contest to those that are ``known``, for at most ``seconds`` seconds."""
    from c4_protocol.errors import JudgeError

    from c4_referee.judging.solver_process import can_be_solved
    from c4_referee.judging.solving import solve_games
    from c4_referee.report.bar import Bar
    from c4_referee.site.results import ContestResults

    if seconds <= 0 or not can_be_solved(contest.variant):
        return
    games = ContestResults(contest).games_by_importance
    store = _Storage(folder, contest.variant)
    try:
        with Bar("solving", threaded=False) as bar:
            found = solve_games(games, contest.variant, known, seconds, store, bar.move)
    except JudgeError as error:
        sys.stderr.write(f"c4-referee: no more positions are solved: {visible(str(error))}\n")
        return
    if found.ended is not None:
        why = "time was up" if found.ended == "time" else "interrupted"
        sys.stderr.write(
            f"c4-referee: {found.done} of {found.games} unsolved games were solved ({why}): "
            "--analysis-seconds S gives more time, and the next report continues\n"
        )


class _Storage:
    """Function that stores solved positions. If this fails, it prints the reason once."""

    def __init__(self, folder: Path, variant: "Variant") -> None:
        self._folder = folder
        self._variant = variant
        self._has_failed = False

    def __call__(self, solved: "SolvedPositions") -> None:
        from c4_referee.storage.solved import OURS, save_solved

        if self._has_failed:
            return
        try:
            save_solved(self._folder, OURS, self._variant, solved)
        except ArenaError as error:
            self._has_failed = True
            sys.stderr.write(f"c4-referee: values are not stored: {visible(str(error))}\n")


def _open_in_browser(path: Path) -> None:
    """Open a page in the user's browser. Print one line if there is no browser."""
    import webbrowser

    if not webbrowser.open(path.absolute().as_uri()):
        sys.stderr.write("c4-referee: --open found no browser\n")


def _seconds(text: str) -> float:
    """Return the time in ``text`` in seconds, which may be 0."""
    return 0.0 if text.strip() == "0" else seconds(text)
