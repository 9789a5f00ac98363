"""The page of a bot."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field

from c4_protocol.events import GameEnded
from c4_protocol.reports import AccuracyRecord, MoveTally

from c4_referee.report.summary import bot_tally
from c4_referee.report.texts import MINUS
from c4_referee.site.environment import environment
from c4_referee.site.faults import faults_of
from c4_referee.site.mistakes import worst_mistakes
from c4_referee.site.results import ContestResults
from c4_referee.site.standings import Links
from c4_referee.site.times import time_chart
from c4_referee.stats.observations import counting

PHASES = ("Opening", "Middle", "End")
"""Names of the thirds of the plies."""


@dataclass(frozen=True)
class GameLink:
    """A link to a game. ``kind`` is a class of the style sheet that stands for the result."""

    number: int
    kind: str


@dataclass
class Meetings:
    """Games of a bot against one opponent, as first and as second player.

    ``number`` is that of the opponent's page.
    """

    number: int
    opponent: str
    as_first: list[GameEnded] = field(default_factory=list)
    as_second: list[GameEnded] = field(default_factory=list)


@dataclass(frozen=True)
class Seats:
    """Games of a bot in one seat against one opponent: results as text, and links."""

    results: str
    links: Sequence[GameLink]


@dataclass(frozen=True)
class Opponent:
    """A row of results by opponent."""

    number: int
    name: str
    points: float
    games: int
    first: Seats
    second: Seats


@dataclass(frozen=True)
class Phase:
    """Accuracy in a part of the games. ``share`` is ``None`` if no move was judged."""

    name: str
    share: float | None
    tally: MoveTally


def render_bot(results: ContestResults, place: int, root: str, crumbs: Links) -> str:
    """Return the page of the bot with this place."""
    bot = results.contest.bots[place]
    standing = next((row for row in results.standings.bots if row.bot == bot.name), None)
    accuracy, apart = results.accuracy.get(bot.name), results.apart_of(bot.name)
    return (
        environment()
        .get_template("bot.html.jinja")
        .render(
            root=root,
            crumbs=crumbs,
            bot=bot,
            command=shlex.join(bot.command),
            standing=standing,
            rating=results.ratings.get(bot.name),
            is_match=results.is_match,
            opponents=_opponents(results, bot.name),
            accuracy=accuracy,
            phases=_phases(accuracy),
            times=time_chart(results.times[bot.name]),
            faults=faults_of(bot, [*results.games_of[bot.name], *apart]),
            apart=[GameLink(game.game, _kind(bot.name, game)) for game in apart],
            mistakes=worst_mistakes(results, bot.name),
        )
    )


def _opponents(results: ContestResults, bot: str) -> list[Opponent]:
    """Return the results by opponent, in the order of the standings."""
    meetings: dict[str, Meetings] = {}
    for game in results.games_of[bot]:
        is_first = game.first == bot
        other = game.second if is_first else game.first
        if other not in meetings:
            meetings[other] = Meetings(results.places[other] + 1, other)
        met = meetings[other]
        (met.as_first if is_first else met.as_second).append(game)
    order = {row.bot: index for index, row in enumerate(results.standings.bots)}
    rows = sorted(meetings.values(), key=lambda met: order.get(met.opponent, len(order)))
    return [_opponent(bot, met) for met in rows]


def _opponent(bot: str, met: Meetings) -> Opponent:
    """Return the results against one opponent."""
    tally = bot_tally(bot, [*counting(met.as_first + met.as_second)])
    return Opponent(
        number=met.number,
        name=met.opponent,
        points=tally.wins + tally.draws / 2,
        games=tally.games,
        first=_seats(bot, met.as_first),
        second=_seats(bot, met.as_second),
    )


def _seats(bot: str, games: Sequence[GameEnded]) -> Seats:
    """Return the results of a bot in one seat."""
    tally = bot_tally(bot, [*counting(games)])
    text = f"+{tally.wins} ={tally.draws} {MINUS}{tally.losses}" if tally.games else ""
    return Seats(text, [GameLink(game.game, _kind(bot, game)) for game in games])


def _kind(bot: str, game: GameEnded) -> str:
    """Return the class of a game's result: won, drawn, lost or void."""
    if game.ending == "void":
        return "v"
    if game.winner == 0:
        return "d"
    return "w" if (game.first, game.second)[game.winner - 1] == bot else "l"


def _phases(accuracy: AccuracyRecord | None) -> list[Phase]:
    """Return the accuracy by phase, as first and as second player, and in all games."""
    if accuracy is None or not accuracy.total.judged:
        return []
    tallies = zip(
        (*PHASES, "As first", "As second", "All moves"),
        (*accuracy.phases, accuracy.as_first, accuracy.as_second, accuracy.total),
        strict=True,
    )
    return [
        Phase(name, tally.kept / tally.judged if tally.judged else None, tally)
        for name, tally in tallies
    ]
