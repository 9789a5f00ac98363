"""A round robin of the players that look ahead to a fixed depth, and others: who beats whom.

    python tests/bench/players.py [openings] [milliseconds a move] [bot ...]

Each pair plays random openings of four plies with both colours, in child processes and over pipes
as in any tournament. The crosstable shows the points of a hundred that the bot of the row took from
that of the column, and how many of the games were distinct; the ratings' intervals are of 95 %,
against all opponents together.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from c4_protocol.events import GameEnded
from c4_protocol.reports import Tally
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.process_tree import adopt_orphans, kill_children
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.report.summary import bot_tally
from c4_referee.schedule import round_robin
from c4_referee.stats.elo import elo
from c4_referee.stats.observations import counting, distinct_games, pair_counts
from rich.console import Console
from rich.table import Table

BOT = f"{Path(sys.executable).parent / 'c4-bot'} --seed 1 --plays "
DOCUMENTS = ("sequences", "windows", "ordered", "needed")
PLAYERS = (
    "random",
    *DOCUMENTS,
    *(f"{name} --set faithful=true" for name in DOCUMENTS if name != "ordered"),
    "strong",
    "perfect",
)


def played(players: Sequence[str], openings: int, ms: float) -> list[GameEnded]:
    """The games of the round robin; who is faithful to a document is started anew for each."""
    contest = Contest(
        tuple(
            BotSpec(
                name=name, command=BOT + name, restart="game" if "faithful" in name else "never"
            )
            for name in players
        ),
        round_robin.schedule,
        rounds=openings,
        openings="random:4",
        control=TimeControl(ms),
        concurrency=2,
    )
    adopt_orphans()
    try:
        return contest.play().games
    finally:
        kill_children()


def points(result: Tally) -> float:
    """Points of a hundred."""
    return 100 * (result.wins + result.draws / 2) / result.games


def show(players: Sequence[str], games: list[GameEnded]) -> None:
    """The crosstable, the strongest first."""
    games = [*counting(games)]
    of = {name: [game for game in games if name in (game.first, game.second)] for name in players}
    order = sorted(players, key=lambda name: -points(bot_tally(name, of[name])))
    table = Table(title=f"{len(games)} games, {len([*distinct_games(games)])} distinct")
    for title in ("", *(str(place) for place in range(1, len(order) + 1)), "points", "Elo", "95 %"):
        table.add_column(title, justify="right" if title else "left")
    for place, name in enumerate(order, 1):
        results = (
            "" if name == other else f"{points(bot_tally(name, _common(of, name, other))):.0f}"
            for other in order
        )
        strength = elo(pair_counts(name, of[name]))
        table.add_row(
            f"{place} {name}",
            *results,
            f"{points(bot_tally(name, of[name])):.1f}",
            f"{strength.difference:+.0f}",
            f"{strength.low:+.0f} to {strength.high:+.0f}",
        )
    Console(width=150).print(table)


def _common(of: dict[str, list[GameEnded]], one: str, other: str) -> list[GameEnded]:
    return [game for game in of[one] if other in (game.first, game.second)]


if __name__ == "__main__":
    numbers, chosen = sys.argv[1:3], sys.argv[3:] or PLAYERS
    openings, ms = [*numbers, *("20", "200")[len(numbers) :]]
    show(chosen, played(chosen, int(openings), float(ms)))
