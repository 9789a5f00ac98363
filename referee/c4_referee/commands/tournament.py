"""``c4-referee tournament``: any number of bots, as a file says."""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from c4_protocol.errors import UsageError

from c4_referee.commands.arguments import add_arguments, add_executor, add_json, logs, processors
from c4_referee.commands.judging import judge_of, judging_by

if TYPE_CHECKING:
    from c4_referee.contest.file import TournamentFile

EXAMPLES = """\
examples:
  c4-referee tournament class.toml
  c4-referee tournament class.toml --out results --concurrency 4
  c4-referee tournament class.toml --json

The file says which bots play, by which system, and under which conditions:

  system = "swiss"          # one of those listed below
  rounds = 5                # default: as listed below
  pairs = 1                 # each pair is two games; each bot moves first once
  openings = "random:4"     # or "balanced:8", a file, "none"
  time_ms = 500             # or tc = "60+0.5"

  [bots.mine]
  command = "python3 my_bot.py"

  [bots.theirs]
  command = "c4-bot --level 5"

%(systems)s

A bot may have other keys, such as arguments = "course" for bots that need the
arguments of the course's driver: examples/class.toml explains them. Relative
paths begin where you start c4-referee, or in the bot's own "cwd".

Rounds by default: swiss has the binary logarithm of the number of bots,
rounded up; ladder has as many as there are bots, enough for the last one to
climb to the top; knockout has as many as it needs; the other systems have one.

If it is stopped, even by a kill, the same command continues from there. Bots
may be added or removed between runs.
Exit code: 0 if every game was played, 1 if not, 2 for a user's mistake.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Describes the command."""
    from c4_referee.schedule import names

    tournament = commands.add_parser(
        "tournament",
        help="any number of bots, as a file says",
        description="Any number of bots, as a TOML file says; continues where it was stopped.",
        epilog=EXAMPLES % {"systems": fill(f"Systems: {', '.join(names())}.", 79)},
    )
    tournament.set_defaults(run=_run)
    tournament.add_argument("file", type=Path, metavar="FILE", help="the tournament, as TOML")
    tournament.add_argument(
        "--out", metavar="DIR", help="keep all games there (default: a folder with the file's name)"
    )
    add_executor(tournament, default=None)
    add_arguments(tournament)
    tournament.add_argument("--events", metavar="FILE", help="append every event; - for stdout")
    add_json(tournament)


def _run(options: argparse.Namespace) -> int:
    import orjson
    from c4_protocol.variant import Variant
    from rich.console import Console
    from rich.text import Text

    from c4_referee.bots.process_tree import adopt_orphans, kill_children
    from c4_referee.contest.competition import Competition
    from c4_referee.report.accuracy import print_no_judge
    from c4_referee.report.earlier import tell_unfinished
    from c4_referee.report.live import LiveStandings
    from c4_referee.report.tables import print_tournament

    if options.json and options.events == "-":
        raise UsageError("--events - ends with the report as an event: leave out --json")
    file = _file(options)
    variant = Variant.parse(file.variant)
    judge = judge_of(file.judge, file.bots, variant)
    competition = Competition(file, judge, processors())
    judging = judging_by(judge if file.accuracy else None, variant, file.judge_seconds)
    adopt_orphans()
    try:
        with ExitStack() as stack:
            progress = stack.enter_context(LiveStandings(file.entrants))
            handlers = logs(options.events, Path(file.out), stack)
            report, _ = competition.play(handlers, progress, judging)
    finally:
        kill_children()
    if options.json:
        sys.stdout.buffer.write(orjson.dumps(report, option=orjson.OPT_APPEND_NEWLINE))
    else:
        console = Console(stderr=options.events == "-", highlight=False)
        print_tournament(console, report)
        if judge is None and file.accuracy:
            print_no_judge(console, variant)
        console.print(Text(f"All games are kept in {file.out}"))
    sys.stdout.flush()
    if not (report.complete or options.json):
        played = report.standings.games + report.standings.void
        tell_unfinished(played, report.scheduled, is_kept=True)
    return 0 if report.complete else 1


def _file(options: argparse.Namespace) -> "TournamentFile":
    from c4_referee.contest.file import read_tournament

    said = {
        name: getattr(options, name) for name in ("out", "concurrency", "executor", "arguments")
    }
    settings = {name: value for name, value in said.items() if value is not None}
    return read_tournament(options.file, **settings)
