"""``c4-referee rate``: ratings from stored games."""

import argparse
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

from c4_protocol.program.commands import print_json
from c4_protocol.program.errors import UsageError
from c4_protocol.program.parser import add_json, value_parsed_by

from c4_referee.commands._options import count
from c4_referee.commands._stored_contests import Complaints, add_contest, choose_contest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from c4_protocol.records.reports import Standings

    from c4_referee.records.formats import StoredGame
    from c4_referee.records.stats.standings import Anchor
    from c4_referee.records.storage.contests import StoredContest

MATCH_BOTS = 2
"""Number of bots of a match."""
EXAMPLES = """\
examples:
  c4-referee rate results                    the games of --out results
  c4-referee rate monday.jsonl other.pgn     several files of any format
  c4-referee rate replays/*.json             replays of Kaggle's ConnectX
  c4-referee rate games.csv --anchor mine=1500 --csv
  zcat games.pgn.gz | c4-referee rate - --json

Identical games count only once. Games of different variants are not rated
together: --variant chooses one.
Exit code: 0 if every line was read, 1 if not, 2 for a mistake on the command
line.
"""
DETAILS = """\
FILE is one of these:
  a folder written with --out, its file games.jsonl, or a file of --events
  PGN, as cutechess writes it (variant cfour), and as "report" exports it
  a replay of Kaggle's ConnectX: a JSON document, or one on each line
  what a driver prints: boards as text, or lines {"grid": ...} and {"move": 3}
  a table such as CSV. Its first line names the columns: "first", "second" (the
    names of the bots) and "result" (1-0, 0-1, 1/2-1/2, or 1, 0, 0.5), or
    "moves" (columns from 1, such as 4453). Without results, the rules give
    them. The columns "opening" and "variant" are optional.
  moves alone, one game on each line, such as 4453
If a file does not list the moves, its games cannot be compared with others,
and all of them count. The tag Variant of a PGN file names the variant of a
game. If a game names no variant, it has the standard variant.
In a folder, the contest that was played last is rated: its ratings are those
that c4-referee tournament prints. --contest chooses another contest. --all
takes all games that count in their contests, between bots as they are now.
Games of earlier versions of bots are listed apart. In a file, bots are
distinguished only by their names.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    rate = commands.add_parser(
        "rate",
        help="rate bots from stored games",
        description="Compute Elo ratings from stored games, with 95% confidence intervals.",
        epilog=EXAMPLES,
        details=DETAILS,
        usual="--anchor --min-games --variant --csv --json",
    )
    rate.add_argument(
        "file",
        nargs="+",
        metavar="FILE",
        help="a file or folder with games (--help-all lists the formats), or - for standard input",
    )
    rate.add_argument(
        "--anchor",
        type=_anchor,
        metavar="NAME=POINTS",
        help="set the rating of the bot NAME; the other ratings are relative to it (default: the "
        "anchor of the contest is 0, or without one the mean rating)",
    )
    chosen = rate.add_mutually_exclusive_group()
    add_contest(chosen)
    chosen.add_argument(
        "--all", action="store_true", help="rate all contests of DIR together, by names of bots"
    )
    rate.add_argument(
        "--min-games",
        type=count,
        default=1,
        metavar="N",
        help="leave out bots with fewer than N games (default: 1)",
    )
    rate.add_argument(
        "--variant",
        type=_variant,
        metavar="V",
        help="rate only games of this variant: standard, 8x7, 9x7x5, line8, codingame, or a name "
        "from the files (default: all games, which must have one variant)",
    )
    form = rate.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the ratings as CSV")
    add_json(form)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.records.stats.observations import games_by_bot
    from c4_referee.records.stats.standings import Anchor, rating_list
    from c4_referee.records.storage.game_files import folder_of_source, read_results

    complaints, apart, versions = Complaints(), list["StoredGame"](), list[tuple[str, str]]()
    rated = list["StoredContest"]()
    if (options.contest or options.all) and not any(map(folder_of_source, options.file)):
        raise UsageError("--contest and --all choose contests of a folder, and no folder is named")

    def choose(source: str, contests: "Sequence[StoredContest]") -> "Sequence[StoredContest]":
        if not options.all:
            more = ", --all takes all"
            contests = [choose_contest(source, contests, options.contest, more)]
        rated.extend(contests)
        return contests

    games = read_results(
        options.file,
        complaints.line,
        complaints.game,
        apart.append,
        lambda bot, version: versions.append((bot, version)),
        choose,
    )
    complaints.print_unshown()
    games = _games_of_one_variant(games, options.variant)
    bots = [*dict.fromkeys(name for game in games for name in (game.first, game.second))]
    if not bots:
        raise UsageError(f"no games to rate in {', '.join(options.file)}")
    if options.anchor and options.anchor.bot not in bots:
        raise UsageError(f"--anchor: '{options.anchor.bot}' has no games; {_names_text(bots)} have")
    anchors = {contest.identity.get("anchor") for contest in rated}
    zeros = [Anchor(bot, 0.0) for bot in bots if anchors == {bot}]
    anchor = options.anchor or next(iter(zeros), None)
    ratings = rating_list(bots, games, anchor, options.min_games)
    standings = replace(ratings, apart=games_by_bot(apart))
    is_match = not anchor and not any("system" in contest.identity for contest in rated)
    used = [(bot, version) for bot, version in versions if bot in bots]
    _print(standings, games if is_match and len(bots) == MATCH_BOTS else [], used, options)
    return 1 if complaints else 0


def _print(
    standings: "Standings",
    match: "Sequence[StoredGame]",
    versions: "Sequence[tuple[str, str]]",
    options: argparse.Namespace,
) -> None:
    """Print the ratings.

    For the games of a ``match``, the table shows instead the difference that the match has shown.
    """
    from c4_protocol.terminal.console import SafeConsole
    from rich.text import Text

    from c4_referee.records.stats.elo import elo
    from c4_referee.records.stats.observations import pair_counts
    from c4_referee.report.terminal.match_and_tournament import print_versions
    from c4_referee.report.terminal.standings_tables import print_ratings, ratings_csv
    from c4_referee.report.texts import apart_text
    from c4_referee.report.verdict import elo_text

    if options.json:
        print_json(standings)
    elif options.csv:
        sys.stdout.write(ratings_csv(standings))
        if standings.apart:
            sys.stderr.write(apart_text(standings) + "\n")
    elif not standings.bots:
        sys.stdout.write(
            f"No bot has enough games with a result (--min-games {options.min_games}).\n"
        )
    else:
        console, bots = SafeConsole(highlight=False), [row.bot for row in standings.bots]
        pairs = pair_counts(bots[0], match)
        print_ratings(console, standings, rated=not any(pairs))
        if any(pairs):
            difference, low, high, _ = (round(each, 1) for each in elo(pairs))
            console.print(Text(elo_text(bots, difference, low, high)), soft_wrap=True)
            console.print("--json and --csv have ratings of a model instead (docs/statistics.md)")
        print_versions(console, versions)


def _games_of_one_variant(games: "list[StoredGame]", wanted: str | None) -> "list[StoredGame]":
    """Return the games of the variant ``wanted``, or of the only variant.

    Raises ``UsageError`` if there are no games of it, or if there are several variants.
    """
    variants = Counter(game.variant for game in games)
    variant_names = _names_text([f"{name} ({number})" for name, number in variants.most_common()])
    if wanted is not None and games and wanted not in variants:
        raise UsageError(
            f"--variant: no game has the variant '{wanted}'; there are {variant_names}"
        )
    if wanted is None and len(variants) > 1:
        raise UsageError(
            f"games of different variants cannot be rated together: {variant_names}: say --variant "
            "and one of these names"
        )
    return [game for game in games if wanted in {None, game.variant}]


def _names_text(bots: list[str]) -> str:
    """Return the first ten names as a text."""
    return ", ".join(bots[:10]) + (" and others" if len(bots) > 10 else "")


def _variant(text: str) -> str:
    """Return the name of the variant that the text of an option means."""
    from c4_referee.records.formats import variant_name

    return value_parsed_by(variant_name, text)


def _anchor(text: str) -> "Anchor":
    """Return the anchor that ``NAME=POINTS`` describes. The name may contain =."""
    from c4_referee.records.stats.standings import Anchor

    name, _, points = text.rpartition("=")
    with suppress(ValueError):
        if name and isfinite(float(points)):
            return Anchor(name, float(points))
    raise argparse.ArgumentTypeError(f"write NAME=POINTS, not '{text}'")
