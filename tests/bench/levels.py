"""The ladder of the levels: by how much each of them beats the one below.

    python tests/bench/levels.py [games a step] [lowest level] [highest level]

From random openings of four plies, each with both colours, 1 s a move; the first step is from
``random`` to level 1. Elo differences with intervals of 95 %, from distinct games.
"""

import sys
from itertools import pairwise
from pathlib import Path

from c4_protocol.reports import MatchReport
from c4_referee.bots.process_tree import adopt_orphans, kill_children
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.report.summary import match_report
from rich.console import Console
from rich.table import Table

BOT = str(Path(sys.executable).parent / "c4-bot")
HIGHEST = 10


def bot(level: int) -> BotSpec:
    """The bot of a level, ``random`` for level 0; it lives through all its games."""
    player = f"--level {level}" if level else "--plays random"
    command = f"{BOT} {player} --seed {level}"
    return BotSpec(name=player.rsplit(maxsplit=1)[-1], command=command, restart="never")


def step(lower: int, games: int) -> MatchReport:
    """A match of the level above ``lower`` against it."""
    bots = (bot(lower + 1), bot(lower))
    match = Contest.match(*bots, games, concurrency=2, openings="random:4", seed=lower)
    outcome = match.play()
    return match_report((bots[0].name, bots[1].name), outcome.tournament, outcome.seconds)


def main(games: int, lowest: int, highest: int) -> None:
    """Prints the ladder, a step as soon as it is measured."""
    table = Table("level", "over", "games", "distinct", "won", "drawn", "lost", "Elo", "95 %")
    adopt_orphans()
    try:
        for lower, upper in pairwise(range(lowest - 1, highest + 1)):
            report = step(lower, games)
            numbers = (
                report.games,
                report.distinct_games,
                report.wins,
                report.draws,
                report.losses,
            )
            interval = f"{report.elo_low:+.0f} to {report.elo_high:+.0f}"
            over = str(lower or "random")
            table.add_row(str(upper), over, *map(str, numbers), f"{report.elo:+.0f}", interval)
            print(upper, over, *numbers, f"{report.elo:+.0f}", interval, flush=True)
    finally:
        kill_children()
    Console().print(table)


if __name__ == "__main__":
    games, lowest, highest = [*map(int, sys.argv[1:]), *(400, 1, HIGHEST)[len(sys.argv) - 1 :]]
    main(games, lowest, highest)
