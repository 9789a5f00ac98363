"""The page of a bot: opponents, accuracy, times, mistakes, and faults with what reproduces them."""

import shlex
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.program.errors import ArenaError
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.records.reports import AccuracyRecord, Encounter, MoveTally

from c4_referee.bots.agents import command_for_people
from c4_referee.contest.forfeits import FaultInGame, faults_by_kind
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL
from c4_referee.records.stats.observations import bot_tally, games_that_count, half_points
from c4_referee.records.storage.contests import StoredBot
from c4_referee.report.site.environment import environment
from c4_referee.report.site.mistakes import worst_mistakes
from c4_referee.report.site.results import ContestResults
from c4_referee.report.site.standings_page import Links
from c4_referee.report.texts import MINUS, counted, results_text, time_text

GameLink = tuple[int, str]
"""Number of a game, and the class of the style sheet for its result: won, drawn, lost or void."""
Seats = tuple[str, list[GameLink]]
MAX_SHOWN_FAULTS = 1
"""Maximum number of faults of one kind that a page shows in full. The others are links."""
PHASES = ("Opening", "Middle", "End")
"""Names of the thirds of the plies."""
BOUNDS = tuple(step * 10.0**power for power in range(-2, 8) for step in (1, 2, 5))
"""Bounds between the bars, in milliseconds. Each bar stands for times up to about twice those of
the bar before it, because times differ by powers of ten."""


def render_bot(results: ContestResults, place: int, root: str, crumbs: Links) -> str:
    """Return the page of the bot with this place."""
    bot = results.contest.bots[place]
    parts = bot_parts(results, bot, shlex.join(command_for_people(bot.command)))
    template = environment().get_template("bot.html.jinja")
    return template.render(
        root=root,
        crumbs=crumbs,
        command=shlex.join(bot.command),
        games_at="../games/",
        has_bot_pages=True,
        **parts,
    )


def bot_parts(results: ContestResults, bot: StoredBot, program: str) -> dict[str, Any]:
    """Return the variables of ``bot_parts.html.jinja`` that hold the results of a bot.

    ``program`` starts the bot in a shell, in the commands that reproduce its faults. It is empty if
    no such command is known.
    """
    accuracy, apart = results.accuracy.get(bot.name), results.apart_of(bot.name)
    table = results.standings.bots
    standing = next((row for row in table if row.bot == bot.name), None)
    ranks = [row.rank for row in table if row.games]
    same = ranks.count(standing.rank) - 1 if standing and standing.games else 0
    shared = f", shared with {counted(same, 'other bot')}" if same else ""
    return {
        "bot": bot,
        "standing": standing,
        "rank": standing and f"{standing.rank}{shared}",
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


def time_chart(times: Sequence[float]) -> dict[str, Any] | None:
    """Return the chart of sorted times in milliseconds, or ``None`` if there are no times.

    It has figures as texts, and the ``bars`` of a histogram. A bar is its label, its number of
    moves, their share of all moves, and its length in percent of the longest.
    """
    if not times:
        return None
    bins = Counter(bisect_right(BOUNDS, ms) for ms in times)
    highest = max(bins.values())
    return {
        "bars": [
            (_bar_text(place), bins[place], bins[place] / len(times), 100 * bins[place] / highest)
            for place in range(min(bins), max(bins) + 1)
        ],
        "median": time_text(median(times)),
        "most": time_text(times[min(len(times) - 1, int(0.95 * len(times)))]),
        "longest": time_text(times[-1]),
    }


def _bar_text(index: int) -> str:
    """Return the times of a bar as text."""
    if index == 0:
        return f"below {BOUNDS[0]:g} ms"
    low = BOUNDS[index - 1]
    unit, size = ("s", 1000) if low >= 1000 else ("ms", 1)
    if index == len(BOUNDS):
        return f"{low / size:,g} {unit} or more"
    return f"{low / size:,g} to {BOUNDS[index] / size:,g} {unit}"


ShownFault = tuple[GameEnded, FaultRecord, str]
"""A fault in a game, and the command that reproduces the question that the bot could not answer.

The command is empty if the bot was not asked."""


@dataclass(frozen=True)
class FaultKind:
    """Faults of one kind. ``more`` are the numbers of games with faults that are not ``shown``.

    ``unplayed`` is the number of games that were not played because of this fault.
    """

    fault: str
    shown: Sequence[ShownFault]
    more: Sequence[int]
    unplayed: int

    @property
    def number(self) -> int:
        """Number of faults."""
        return len(self.shown) + len(self.more) + self.unplayed


def faults_of(bot: str, games: Sequence[GameEnded], program: str) -> list[FaultKind]:
    """Return the faults of a bot by kind, the most frequent kind first.

    ``program`` is the text with which a shell starts the bot, or empty if it is not known.
    """
    kinds = faults_by_kind(games, lambda game: game.faults).get(bot, {})
    made = [_kind(program, fault, faults) for fault, faults in kinds.items()]
    return sorted(made, key=lambda kind: -kind.number)


def _kind(program: str, fault: str, faults: Sequence[FaultInGame]) -> FaultKind:
    """Return the faults of one kind."""
    played = [
        (game, record)
        for game, record in faults
        if game.moves or not record.detail.startswith(NOT_PLAYED_DETAIL)
    ]
    shown = [
        (game, record, reproducing_command(program, game, record.ply))
        for game, record in played[:MAX_SHOWN_FAULTS]
    ]
    more = [game.game for game, _ in played[MAX_SHOWN_FAULTS:]]
    return FaultKind(fault, shown, more, len(faults) - len(played))


def reproducing_command(program: str, game: GameEnded, ply: int) -> str:
    """Return a command line for a shell that asks a bot for its move after ``ply`` moves.

    ``program`` starts the bot in a shell. Return an empty text if it is empty, or if the moves of
    the game are damaged.
    """
    if not program:
        return ""
    try:
        position = game.positions[ply]
    except (ArenaError, IndexError):
        return ""
    line = RefereeEnd().write_precept(position).decode().strip()
    return f"printf '%s\\n' {shlex.quote(line)} | {program}"
