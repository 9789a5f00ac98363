"""The page of a bot."""

import shlex
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import AccuracyRecord, Encounter, MoveTally

from c4_referee.bots.agents import command_for_people
from c4_referee.records.stats.observations import bot_tally, games_that_count, half_points
from c4_referee.records.storage.contests import StoredBot
from c4_referee.report.site.environment import environment
from c4_referee.report.site.faults import faults_of
from c4_referee.report.site.mistakes import worst_mistakes
from c4_referee.report.site.results import ContestResults
from c4_referee.report.site.standings_page import Links
from c4_referee.report.texts import MINUS, results_text, time_text

GameLink = tuple[int, str]
"""Number of a game, and the class of the style sheet for its result: won, drawn, lost or void."""
Seats = tuple[str, list[GameLink]]
PHASES = ("Opening", "Middle", "End")
"""Names of the thirds of the plies."""
BOUNDS = tuple(step * 10.0**power for power in range(-2, 8) for step in (1, 2, 5))
"""Bounds between the bars, in milliseconds. Each bar stands for times up to about twice those of
the bar before it, because times differ by powers of ten."""


def render_bot(results: ContestResults, place: int, root: str, crumbs: Links) -> str:
    """Return the page of the bot with this place."""
    bot = results.contest.bots[place]
    parts = bot_parts(results, bot, shlex.join(command_for_people(bot.command)))
    return (
        environment()
        .get_template("bot.html.jinja")
        .render(
            root=root,
            crumbs=crumbs,
            command=shlex.join(bot.command),
            games_at="../games/",
            has_bot_pages=True,
            **parts,
        )
    )


def bot_parts(results: ContestResults, bot: StoredBot, program: str) -> dict[str, Any]:
    """Return the variables of ``bot_parts.html.jinja`` that hold the results of a bot.

    ``program`` starts the bot in a shell, in the commands that reproduce its faults. It is empty if
    no such command is known.
    """
    accuracy, apart = results.accuracy.get(bot.name), results.apart_of(bot.name)
    return {
        "bot": bot,
        "standing": next((row for row in results.standings.bots if row.bot == bot.name), None),
        "rating": results.ratings.get(bot.name),
        "is_match": results.is_match,
        "opponents": _opponents(results, bot.name),
        "accuracy": accuracy,
        "phases": _phases(accuracy),
        "times": time_chart(results.times[bot.name]),
        "faults": faults_of(bot.name, [*results.games_of[bot.name], *apart], program),
        "apart": [_link(bot.name, game) for game in apart],
        "mistakes": worst_mistakes(results, bot.name),
    }


def _opponents(
    results: ContestResults, bot: str
) -> list[tuple[int, str, Encounter | None, list[Seats]]]:
    """Return the results by opponent, in the order of the standings.

    They are the number of the opponent's page, its name, the results, and those in each seat.
    """
    meetings: dict[str, tuple[list[GameEnded], list[GameEnded]]] = {}
    for game in results.games_of[bot]:
        is_second = game.second == bot
        other = game.first if is_second else game.second
        meetings.setdefault(other, ([], []))[is_second].append(game)
    order = {row.bot: index for index, row in enumerate(results.standings.bots)}
    against = {row.bot: row.against for row in results.standings.bots}.get(bot, {})
    return [
        (
            results.places[other] + 1,
            other,
            against.get(other),
            [_seats(bot, games) for games in meetings[other]],
        )
        for other in sorted(meetings, key=lambda other: order.get(other, len(order)))
    ]


def _seats(bot: str, games: Sequence[GameEnded]) -> Seats:
    """Return the results of a bot in one seat: as text, and as links."""
    tally = bot_tally(bot, [*games_that_count(games)])
    text = results_text(tally.wins, tally.draws, tally.losses, MINUS) if tally.games else ""
    return text, [_link(bot, game) for game in games]


def _link(bot: str, game: GameEnded) -> GameLink:
    if game.ending == "void":
        return game.game, "v"
    return game.game, "ldw"[half_points(bot, game)]


def _phases(accuracy: AccuracyRecord | None) -> list[tuple[str, MoveTally]]:
    """Return the accuracy by phase, as first and as second player, and in all games."""
    if accuracy is None or not accuracy.total.judged:
        return []
    return [
        *zip(PHASES, accuracy.phases, strict=True),
        ("As first", accuracy.as_first),
        ("As second", accuracy.as_second),
        ("All moves", accuracy.total),
    ]


@dataclass(frozen=True)
class Bar:
    """A bar of a chart. ``share`` is that of all moves, ``length`` is in percent of the longest."""

    label: str
    moves: int
    share: float
    length: float


@dataclass(frozen=True)
class TimeChart:
    """Times of moves: the bars of a histogram, and figures as texts."""

    bars: Sequence[Bar]
    moves: int
    median: str
    most: str
    longest: str


def time_chart(times: Sequence[float]) -> TimeChart | None:
    """Return the chart of sorted times in milliseconds, or ``None`` if there are no times."""
    if not times:
        return None
    bins = Counter(bisect_right(BOUNDS, ms) for ms in times)
    highest = max(bins.values())
    return TimeChart(
        bars=[
            Bar(
                _bar_text(index),
                bins[index],
                bins[index] / len(times),
                100 * bins[index] / highest,
            )
            for index in range(min(bins), max(bins) + 1)
        ],
        moves=len(times),
        median=time_text(median(times)),
        most=time_text(times[min(len(times) - 1, int(0.95 * len(times)))]),
        longest=time_text(times[-1]),
    )


def _bar_text(index: int) -> str:
    """Return the times of a bar as text."""
    if index == 0:
        return f"below {BOUNDS[0]:g} ms"
    low = BOUNDS[index - 1]
    unit, size = ("s", 1000) if low >= 1000 else ("ms", 1)
    if index == len(BOUNDS):
        return f"{low / size:,g} {unit} or more"
    return f"{low / size:,g} to {BOUNDS[index] / size:,g} {unit}"
