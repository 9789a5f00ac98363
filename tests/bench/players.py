"""Round robin of the documents' players and of our own.

Each two players play the same random openings of four plies, with both colours, over pipes as in
any tournament. A cell of the table shows the percentage of the points that the bot of the row took
from the bot of the column. The Elo difference is against all opponents together, with a 95 %
interval.
"""

from collections.abc import Iterable, Sequence

from _shared import BOT, no_processes_left, show
from c4_protocol.events import GameEnded
from c4_protocol.reports import Tally
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.report.summary import bot_tally
from c4_referee.schedule import round_robin
from c4_referee.stats.elo import elo
from c4_referee.stats.observations import counting, distinct_games, pair_counts

DOCUMENTS = ("sequences", "windows", "ordered", "needed")
PLAYERS = (
    "random",
    *DOCUMENTS,
    *(f"{name} --set faithful=true" for name in DOCUMENTS if name != "ordered"),
    "strong",
    "perfect",
)


def bot(player: str) -> BotSpec:
    """Return the bot of a player. A faithful bot starts anew for each game."""
    restart = "game" if "faithful" in player else "never"
    return BotSpec(name=player, command=f"{BOT} --seed 1 --plays {player}", restart=restart)


def round_robin_games(players: Sequence[str], openings: int, ms: float) -> list[GameEnded]:
    """Play the round robin, and return its games."""
    contest = Contest(
        tuple(map(bot, players)),
        round_robin.schedule,
        rounds=openings,
        openings="random:4",
        control=TimeControl(ms),
        concurrency=2,
    )
    with no_processes_left():
        return contest.play().games


def points(result: Tally) -> float:
    """Return the percentage of the points in a result."""
    return 100 * (result.wins + result.draws / 2) / result.games


def games_of(player: str, games: Iterable[GameEnded]) -> list[GameEnded]:
    """Return the games that a player took part in."""
    return [game for game in games if player in (game.first, game.second)]


def row(place: int, player: str, order: Sequence[str], games: list[GameEnded]) -> list[object]:
    """Return the row of a player in the table."""
    own = games_of(player, games)
    results = (
        None if player == other else points(bot_tally(player, games_of(other, own)))
        for other in order
    )
    strength = elo(pair_counts(player, own))
    total = points(bot_tally(player, own))
    return [
        f"{place} {player}", *results, total, strength.difference, strength.low, strength.high
    ]  # fmt: skip


def main(openings: int = 20, ms: float = 200, *players: str) -> None:
    """Play ``openings`` openings with ``ms`` ms per move.

    Without names, all players of the list play.
    """
    played = round_robin_games(players or PLAYERS, openings, ms)
    games = [*counting(played)]
    order = sorted(
        players or PLAYERS, key=lambda player: -points(bot_tally(player, games_of(player, games)))
    )
    columns = {"": ""} | {str(place): ".0f" for place in range(1, len(order) + 1)}
    columns |= {"points": ".1f"} | dict.fromkeys(("Elo", "low", "high"), "+.0f")
    rows = (row(place, player, order, games) for place, player in enumerate(order, 1))
    show(f"{len(games)} games, {len([*distinct_games(games)])} distinct", columns, rows)
