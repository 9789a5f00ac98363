"""``c4-referee tournament``: a contest of any number of bots, described by a file."""

import argparse
from pathlib import Path
from textwrap import fill
from typing import Any

from c4_referee.commands._options import add_options, add_output, add_sandbox, demanded

EXAMPLES = """\
examples:
  c4-referee tournament class.toml
  c4-referee tournament class.toml --out results --concurrency 4
  c4-referee tournament class.toml --json

The file says which bots play, by which system, and under which conditions:

  system = "swiss"          # --help-all lists the systems
  rounds = 5                # the default depends on the system
  pairs = 1                 # pairs of games for each meeting of two bots
  openings = "random:4"     # or "balanced:8", a file, "none"
  time_ms = 500             # or tc = "60+0.5"

  [bots.mine]
  command = "python3 my_bot.py"

  [bots.theirs]
  command = "c4-bot --level 5"

Exit code: 0 if every game was played by bots that are there, 1 if not, 2 for
a mistake on the command line or in a file.
"""
DETAILS = """\
The systems, and their numbers of rounds if the file does not say rounds:

%s

In a pair of games, each bot moves first once.

The table of a bot may have other keys, such as arguments = "course" for a bot
that needs the arguments of the CSCI 4202 course's driver. examples/class.toml
explains all keys. Relative paths start at the bot's "cwd" if it has one,
otherwise at the folder where you start c4-referee.

If the tournament is interrupted or killed, the same command continues it. You
may change, add or remove bots before you continue: docs/tournament.md says
what happens then. A bot that loses its first three games by the same fault
gives up: it plays no more, and none of its games counts. give_up = 0 in the
file switches this off.
"""


def add(commands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to a parser's commands."""
    tournament = commands.add_parser(
        "tournament",
        help="play a tournament that a file describes",
        description="Play a tournament that a TOML file describes, or continue it.",
        epilog=EXAMPLES,
        details=_details,
        usual="--out --concurrency --no-sandbox --json",
    )
    tournament.add_argument(
        "file", type=Path, metavar="FILE", help="TOML file that describes the tournament"
    )
    tournament.add_argument(
        "--out",
        metavar="DIR",
        help="store all games in DIR (default: FILE without its ending, or "
        "FILE.out if it has none)",
    )
    add_options(tournament, "--executor", "--concurrency", "--strict", "--arguments")
    add_sandbox(tournament)
    add_output(tournament)


def _details() -> str:
    """Return the details with all systems. Their modules are imported only for this."""
    from c4_referee.contest.schedule import names, system

    described = ((name, system(name)) for name in names())
    systems = (f"{name} (rounds: {it.default_rounds}): {it.meetings}" for name, it in described)
    return DETAILS % "\n\n".join(fill(text, 79) for text in systems)


def run(options: argparse.Namespace) -> int:
    """Run the command."""
    from c4_referee.commands._run_contest import run_contest
    from c4_referee.contest.contest_file import read_tournament
    from c4_referee.report.terminal.live_standings import LiveStandings

    names = ("out", "concurrency", "executor", "strict", "arguments")
    given = {name: value for name in names if (value := getattr(options, name)) is not None}
    file = read_tournament(options.file, **given, **demanded(options))
    contest = file.contest()
    progress = LiveStandings(contest.missing)
    judge_seconds = file.judge_seconds if file.accuracy else None
    return run_contest(contest, options, Path(file.out), progress, judge_seconds)
