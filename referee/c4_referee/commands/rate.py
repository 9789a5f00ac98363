"""``c4-referee rate``: ratings from stored games, wherever they were played."""

import argparse
import sys
from collections import Counter
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING, Any

from c4_protocol.errors import UsageError

from c4_referee.commands.arguments import add_json, count

if TYPE_CHECKING:
    from c4_protocol.reports import Standings

    from c4_referee.formats import BadLine, Result
    from c4_referee.report.standings import Anchor

EXAMPLES = """\
examples:
  c4-referee rate results                    the games that --out results kept
  c4-referee rate monday.jsonl other.pgn     several files, of any format
  c4-referee rate games.csv --anchor mine=1500 --csv
  zcat games.pgn.gz | c4-referee rate - --json

A file is one of our own (games.jsonl, or that of --events), a PGN, or a table
whose first line names the columns first, second and result (1-0, 0-1, 1/2-1/2,
or 1, 0, 0.5), and optionally moves and opening. Identical games count only
once; without moves, every game counts.
Bots are distinguished by their names: all games of a folder count, also those
of other settings and of earlier versions of a bot. A tournament's own table
has the bots as they are now.
Exit code: 0 if every line was read, 1 if not, 2 for a user's mistake.
"""

COMPLAINTS_SHOWN = 20
"""Of a file; the others are counted."""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Describes the command."""
    rate = commands.add_parser(
        "rate",
        help="ratings from stored games",
        description="Elo ratings from stored games, with intervals of 95%.",
        epilog=EXAMPLES,
    )
    rate.set_defaults(run=_run)
    rate.add_argument("file", nargs="+", metavar="FILE", help="or a folder of --out, or -")
    rate.add_argument(
        "--anchor",
        type=_anchor,
        metavar="NAME=POINTS",
        help="this bot's rating, from which the others are found (default: their mean is 0)",
    )
    rate.add_argument(
        "--min-games", type=count, default=1, metavar="N", help="leave out bots with fewer"
    )
    form = rate.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print a table that programs can read")
    add_json(form)


def _run(options: argparse.Namespace) -> int:
    from c4_referee.formats.stored import read_results
    from c4_referee.report.standings import rating_list

    complaints = _Complaints()
    games = [*read_results(options.file, complaints)]
    complaints.end()
    bots = _bots(games)
    if not bots:
        raise UsageError(f"no games to rate in {', '.join(options.file)}")
    if options.anchor and options.anchor.bot not in bots:
        raise UsageError(f"--anchor: '{options.anchor.bot}' has no games; {_some(bots)} have")
    _show(options, rating_list(bots, games, options.anchor, options.min_games))
    return 1 if complaints.any else 0


class _Complaints:
    """Says on standard error what could not be read."""

    def __init__(self) -> None:
        self._by_file = Counter[str]()

    @property
    def any(self) -> bool:
        """Whether there was something."""
        return bool(self._by_file)

    def __call__(self, path: str, bad: "BadLine") -> None:
        """One line each, but for those that are too many."""
        self._by_file[path] += 1
        if self._by_file[path] <= COMPLAINTS_SHOWN:
            sys.stderr.write(f"{path}:{bad.number}: {bad.reason}\n")

    def end(self) -> None:
        """Tells of the others."""
        for path, number in self._by_file.items():
            if number > COMPLAINTS_SHOWN:
                sys.stderr.write(f"{path}: {number - COMPLAINTS_SHOWN} more lines like these\n")


def _bots(games: "list[Result]") -> list[str]:
    """All names, in the order in which they come up."""
    return [*dict.fromkeys(name for game in games for name in (game.first, game.second))]


def _some(bots: list[str]) -> str:
    """Names to choose from."""
    return ", ".join(bots[:10]) + (" and others" if len(bots) > 10 else "")


def _show(options: argparse.Namespace, standings: "Standings") -> None:
    import orjson
    from rich.console import Console

    from c4_referee.report.tables import print_ratings, ratings_csv

    if options.json:
        sys.stdout.buffer.write(orjson.dumps(standings, option=orjson.OPT_APPEND_NEWLINE))
    elif options.csv:
        sys.stdout.write(ratings_csv(standings))
    elif not standings.bots:
        sys.stdout.write(f"No bot has {options.min_games} games or more.\n")
    else:
        print_ratings(Console(highlight=False), standings)
    sys.stdout.flush()


def _anchor(text: str) -> "Anchor":
    """A name, which may have any characters, and a number."""
    from c4_referee.report.standings import Anchor

    name, _, points = text.rpartition("=")
    with suppress(ValueError):
        if name and isfinite(float(points)):
            return Anchor(name, float(points))
    raise argparse.ArgumentTypeError(f"say NAME=POINTS, not '{text}'")
