"""The first page of a contest: standings, remarkable games, crosstable, and how it was played."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import ceil, floor
from statistics import median

from c4_protocol.records.events import GameEnded
from c4_protocol.records.report_text import points_text
from c4_protocol.records.reports import MatchReport, Standing, Standings
from c4_protocol.rules.picture import board_svg

from c4_referee.records.stats.elo import MAX_ELO_DIFFERENCE
from c4_referee.records.stats.observations import forfeits
from c4_referee.records.stats.ratings import Estimate
from c4_referee.report.site.conditions import conditions
from c4_referee.report.site.environment import environment
from c4_referee.report.site.replay_page import outcome
from c4_referee.report.site.results import ContestResults
from c4_referee.report.texts import (
    apart_text,
    counted,
    leaders_text,
    signed,
    ties_text,
)
from c4_referee.report.verdict import verdict

AXIS_STEPS = (1, 2, 3, 5)
"""Distances between the marks of an axis, as factors of a power of ten."""
MAX_MARKS = 3
"""Maximum number of marks on an axis."""
APART = (
    "They are games of bots that have changed, left or given up, or more games than the last run "
    "wanted. The pages of these bots list them."
)
SHADES = 10
"""Number of shades of a crosstable's cells between no points and all points."""


class Axis:
    """Axis that shows ratings with their intervals, as wide as 100 percent, with marks.

    An interval without a bound ends at the edge of the axis.
    """

    def __init__(self, ratings: Sequence[Estimate]) -> None:
        ends = [end for each in ratings for end in (each.low, each.points, each.high)]
        bounded = [end for end in ends if abs(end) != MAX_ELO_DIFFERENCE]
        low, high = min(bounded, default=0.0), max(bounded, default=0.0)
        margin = (high - low) / 4 if len(bounded) < len(ends) else 0.0
        self._low, high = low - margin, high + margin
        self._width = max(high - self._low, 1.0)
        steps = (step * 10**power for power in count() for step in AXIS_STEPS)
        multiples = (
            range(ceil(self._low / step) * step, floor(high / step) * step + 1, step)
            for step in steps
        )
        marks = next(each for each in multiples if len(each) <= MAX_MARKS)
        self.marks = [(self.position(mark), signed(mark)) for mark in marks]
        """Positions of the marks with their texts."""
        self.zero = self.position(0) if self._low <= 0 <= high else None
        """Position of the rating 0, or ``None`` if it is not on the axis."""

    def position(self, points: float) -> str:
        """Return the position of a rating in percent of the width."""
        share = (points - self._low) / self._width
        return f"{100 * min(max(share, 0), 1):.1f}"


Links = Sequence[tuple[str, str]]
"""Addresses with the texts of their links."""


CrossCell = tuple[int, str, int]
"""A cell of the crosstable: the number of the opponent's page, a text, and a shade."""


@dataclass(frozen=True)
class RemarkableGame:
    """A game, the ply at which it is shown, its picture as SVG, and why it is remarkable."""

    game: GameEnded
    ply: int
    picture: str
    title: str
    text: str


def render_standings(
    results: ContestResults,
    root: str,
    crumbs: Links,
    footer: str,
    exports: Links = (),
    *,
    live: bool = False,
) -> str:
    """Return the first page of a contest. ``root`` is the path to the folder of the style sheet.

    If the contest is ``live``, the page leads to ``live.html``.
    """
    table = results.standings
    numbers = {bot: place + 1 for bot, place in results.places.items()}
    games_of_pairs = {each.games for row in table.bots for each in row.against.values()}
    equal = games_of_pairs.pop() if len(games_of_pairs) == 1 else None
    headline = [
        results.contest.system,
        str(results.contest.variant),
        counted(len(table.bots), "bot"),
        counted(table.games, "game"),
        results.contest.began[:10],
    ]
    best, remarkable = _best_win(results), remarkable_games(results)
    same = [each for each in remarkable if best and each.picture == best.picture]
    template = environment().get_template("standings.html.jinja")
    return template.render(
        root=root,
        crumbs=crumbs,
        results=results,
        headline=" · ".join(filter(None, headline)),
        notes=[*_notes(results)],
        verdict=_verdict(results),
        certainty=_certainty(results),
        best_win=best,
        also=[each.title.lower() for each in same],
        ties="" if results.is_match else ties_text(table),
        remarkable=[each for each in remarkable if each not in same],
        byes=any(row.extra_points for row in table.bots),
        first_advantage=_first_advantage(table),
        exports=exports,
        live=live,
        footer=footer,
        numbers=numbers,
        median=median,
        any_accuracy=any(record.share is not None for record in results.accuracy.values()),
        axis=Axis([*results.ratings.values()]),
        apart_forfeits=forfeits(results.contest.apart),
        crosstable=[
            (row, [_cell(numbers, row, other, equal) for other in table.bots]) for row in table.bots
        ],
        equal_games=equal,
        conditions=conditions(results),
    )


def _verdict(results: ContestResults) -> str:
    """Return a sentence that says who is best; empty if nobody has games."""
    report = results.contest.last_run.report if results.contest.last_run else None
    if isinstance(report, MatchReport) and results.is_complete:
        return f"{verdict(report, results.contest.games)}."
    if lines := results.contest.goal_lines:
        return f"{lines[0]}."
    if not results.leaders or results.is_match:
        return ""
    best = results.leaders[0]
    if best.tested:
        return f"{_score_of_tested(best, results)}."
    names = [row.bot for row in results.leaders]
    return leaders_text(names, best.points, is_over=results.is_complete)


def _score_of_tested(tested: Standing, results: ContestResults) -> str:
    """Return what the tested bot of a gauntlet scored, and which bots got a larger share."""
    better = [row.bot for row in results.standings.bots if row.games and row.rank < tested.rank]
    verb = "scored" if results.is_complete else "has scored"
    score = f"{tested.bot} {verb} {points_text(tested.points)} of {tested.games}"
    match better:
        case []:
            return f"{score}; no bot did better"
        case [one]:
            return f"{score}; only {one} did better"
        case _:
            return f"{score}; {len(better)} bots did better"


def _certainty(results: ContestResults) -> str:
    """Return a sentence that says how sure it is that the first bot is the strongest."""
    match results.leaders:
        case _ if results.contest.goal_lines:
            return ""
        case [best] if best.rank == 1 and best.los is not None and not results.is_match:
            return f"The likelihood that it is stronger than the next bot is {best.los:.0%}."
    return ""


def _best_win(results: ContestResults) -> RemarkableGame | None:
    """Return the win of a single leader against the best bot it has beaten, the shortest one."""
    ranks = {row.bot: row.rank for row in results.standings.bots}
    leaders = [row.bot for row in results.leaders]
    won = [
        (ranks[game.bots[2 - game.winner]], game.plies, game.game, game)
        for game in results.contest.games
        if game.ending == "line" and [game.winning_bot] == leaders
    ]
    if not won:
        return None
    *_, game = min(won)
    text = f"against {game.bots[2 - game.winner]}, after {game.plies} moves"
    return _remarkable_game(game, game.plies, "Best win", text)


def _notes(results: ContestResults) -> Iterator[str]:
    """Generate sentences on what a reader of the results must know."""
    contest = results.contest
    if source := _source(results):
        yield source
    yield from (f"{line}." for line in contest.goal_lines[1:])
    if void := results.standings.void:
        verb = "is" if void == 1 else "are"
        yield f"{counted(void, 'game')} {verb} void: without a result that counts."
    if apart := apart_text(results.standings):
        yield f"{apart}. {APART}"
    for row in results.standings.bots:
        if row.gave_up:
            yield f"{row.bot} gave up because of its faults: none of its games counts."
    if damaged := len(contest.damaged):
        verb = "is" if damaged == 1 else "are"
        yield f"{counted(damaged, 'stored result')} could not be read, and {verb} left out."
    if len({row.group for row in results.standings.bots if row.games}) > 1:
        yield "No games connect some of the bots, so their ratings cannot be compared."


def _source(results: ContestResults) -> str:
    """Return a sentence on where the results come from if they are not those of a finished run."""
    contest, scheduled = results.contest, results.contest.progress.scheduled
    if not contest.games:
        return "No game has a result yet."
    if not contest.began:
        return "These results were computed from the games of files."
    if results.is_complete:
        return ""
    if contest.last_run is None and len(contest.games) == scheduled:
        return "No run has stored a report: the contest is still running, or it was stopped."
    scheduled_games = f"of {scheduled} scheduled games" if scheduled else "games"
    return (
        f"The contest has not ended: {len(contest.games)} {scheduled_games} have a result. It is "
        "still running, or it was stopped."
    )


def _first_advantage(table: Standings) -> str:
    """Return a sentence on the value of going first, or an empty text if it is not known."""
    low, high = table.first_advantage_low, table.first_advantage_high
    if table.first_advantage is None or low is None or high is None:
        return ""
    interval = f"(95%: {signed(low)} to {signed(high)})"
    return f"Going first was worth {signed(table.first_advantage)} Elo points {interval}."


def _cell(
    numbers: Mapping[str, int], row: Standing, other: Standing, equal: int | None
) -> CrossCell | str | None:
    """Return the cell of two bots: ``None`` for one bot, no text if the two have not met."""
    if row is other:
        return None
    encounter = row.against.get(other.bot)
    if encounter is None:
        return ""
    text = points_text(encounter.points) + ("" if equal else f"/{encounter.games}")
    shade = round(SHADES * encounter.points / encounter.games)
    return numbers[other.bot], text, shade


def remarkable_games(results: ContestResults) -> list[RemarkableGame]:
    """Return the game with the biggest turn, the shortest, and the longest between strong bots.

    Strong bots are the better half of the standings. Games that a fault decided are left out.
    Each game is listed once: a game that is already listed makes room for the next one.
    """
    bots = results.standings.bots
    strong = {row.bot for row in bots[: max(len(bots) // 2, 2)]}
    longest = "Longest game between strong bots" if len(strong) < len(bots) else "Longest game"
    left = [game for game in results.contest.games if game.ending in {"line", "full board"}]
    shown: list[RemarkableGame] = []
    if changes := [*results.changes(left)]:
        game, change = max(changes, key=lambda each: each[1].cost)
        gift = "won" if change.before > 0 else "drawn"
        text = f"{game.mover(change.ply)} gave away a {gift} game at move {change.ply + 1}."
        shown.append(_remarkable_game(game, change.ply + 1, "Biggest turn", text))
        left.remove(game)
    if won := [game for game in left if game.winner]:
        game = min(won, key=lambda game: game.plies)
        shown.append(_remarkable_game(game, game.plies, "Shortest game", outcome(game)))
        left.remove(game)
    if among := [game for game in left if strong.issuperset(game.bots)]:
        game = max(among, key=lambda game: game.plies)
        shown.append(_remarkable_game(game, game.plies, longest, outcome(game)))
    return shown


def _remarkable_game(game: GameEnded, ply: int, title: str, text: str) -> RemarkableGame:
    picture = board_svg(game.positions[ply], game.cells[ply - 1], styled=False)
    return RemarkableGame(game, ply, picture, title, text)
