"""HTML of records for notebooks. The entry points of ``c4_arena.notebook`` name these functions.

A game is shown in a frame, so that its style and its keys do not mix with those of the notebook.
Tables have the style of the notebook.
"""

from collections.abc import Sequence

from c4_protocol.records.events import GameEnded
from c4_protocol.records.report_text import points_text
from c4_protocol.records.reports import MatchReport, Standing, Standings, TournamentReport

from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.report.site.environment import environment
from c4_referee.report.site.replay_page import single_file
from c4_referee.report.texts import UNKNOWN, counted, elo_interval, percent, signed

Row = tuple[str, ...]
RESULTS = ("Points", "Games", "Wins", "Draws", "Losses", "Forfeits")


def game_html(game: GameEnded) -> str:
    """Return the replay of a game in a frame."""
    template = environment().get_template("frame.html.jinja")
    return template.render(page=single_file(GameAnalysis.unknown(game)), game=game)


def standings_html(standings: Standings, title: str = "Standings") -> str:
    """Return standings as a table. Ratings have their 95% intervals."""
    return _table(
        f"{title}, {counted(standings.games, 'game')}",
        ("Bot", "Rank", *RESULTS, "Rating", "95% interval"),
        [_standing_row(standing) for standing in standings.bots],
    )


def _standing_row(row: Standing) -> Row:
    results = _results(row.wins, row.draws, row.losses, row.forfeits, row.extra_points)
    rating, low, high = row.rating, row.rating_low, row.rating_high
    if rating is None or low is None or high is None:
        return row.bot, str(row.rank), *results, UNKNOWN, UNKNOWN
    return row.bot, str(row.rank), *results, signed(rating), elo_interval(low, high)


def tournament_html(report: TournamentReport) -> str:
    """Return the standings of a tournament as a table."""
    state = report.system if report.complete else f"{report.system}, not complete"
    return standings_html(report.standings, f"{report.name}: {state}")


def match_html(report: MatchReport) -> str:
    """Return the results of a match as a table whose caption has the Elo difference."""
    first, second = report.bots
    forfeits = [report.forfeits.get(bot, {}) for bot in report.bots]
    interval = elo_interval(report.elo_low, report.elo_high)
    return _table(
        f"{first} against {second}: Elo difference {signed(report.elo)} (95% interval {interval}), "
        f"likelihood of superiority {percent(report.los)}",
        ("Bot", *RESULTS),
        [
            (first, *_results(report.wins, report.draws, report.losses, forfeits[0])),
            (second, *_results(report.losses, report.draws, report.wins, forfeits[1])),
        ],
    )


def _results(
    wins: int, draws: int, losses: int, forfeits: dict[str, int], extra_points: float = 0.0
) -> Row:
    """Return the texts of the columns ``RESULTS``."""
    points = wins + draws / 2 + extra_points
    counts = (wins + draws + losses, wins, draws, losses, sum(forfeits.values()))
    return points_text(points), *map(str, counts)


def _table(caption: str, headings: Sequence[str], rows: Sequence[Row]) -> str:
    template = environment().get_template("table.html.jinja")
    return template.render(caption=caption, headings=headings, rows=rows)
