"""Results of a stored contest, computed once for all its pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from c4_protocol.events import GameEnded
from c4_protocol.position import seat_at
from c4_protocol.reports import (
    AccuracyRecord,
    AccuracyReport,
    MatchReport,
    Standings,
    TournamentReport,
)

from c4_referee.judging.accuracy import accuracy_from_solved
from c4_referee.report.standings import standings
from c4_referee.stats.accuracy import plies
from c4_referee.stats.analysis import analyse
from c4_referee.stats.elo import elo
from c4_referee.stats.observations import counting, pair_counts
from c4_referee.stats.solved import GameAnalysis
from c4_referee.storage.contests import StoredContest

SOLVER = "c4-solve"
"""Name of the judge that finds the values of solved positions."""
MATCH_BOTS = 2
"""Number of bots of a match."""


@dataclass(frozen=True)
class Rating:
    """Rating of a bot in Elo points, with its 95% interval."""

    points: float
    low: float
    high: float


class ContestResults:
    """Results of a contest: standings, ratings, accuracy, and an analysis of each game.

    The results are those that the last run printed if it counted the same games. Otherwise they are
    computed from the games.
    """

    def __init__(self, contest: StoredContest) -> None:
        self.contest = contest
        self.report = _report_of(contest)
        """Report of the last run, or ``None`` if it does not count the games of the contest."""
        self.places = {bot.name: place for place, bot in enumerate(contest.bots)}
        """Place of each bot by its name."""
        self._analyses: dict[int, GameAnalysis] = {}

    @property
    def is_match(self) -> bool:
        """True for a match of two bots, false for a tournament."""
        return "bots" in self.contest.identity and len(self.contest.bots) == MATCH_BOTS

    @property
    def is_complete(self) -> bool:
        """True if every scheduled game was played, as the last run reported."""
        return self.report is not None and self.report.complete

    @cached_property
    def standings(self) -> Standings:
        """Standings of the bots, the best first."""
        if isinstance(self.report, TournamentReport):
            return _with_ratings_of(self.report.standings, self.contest.games)
        games = self.contest.games
        names = {name for game in games for name in (game.first, game.second)}
        bots = [bot for bot in self.contest.bots if not bot.withdrawn or bot.name in names]
        shares = {name: record.share for name, record in self.accuracy.items()}
        known = {name: share for name, share in shares.items() if share is not None}
        table = standings([bot.name for bot in bots], games, accuracy=known)
        withdrawn = {bot.name for bot in bots if bot.withdrawn}
        rows = (replace(row, withdrawn=row.bot in withdrawn) for row in table.bots)
        return replace(table, bots=tuple(rows))

    @cached_property
    def ratings(self) -> Mapping[str, Rating]:
        """Ratings of the bots that have one. In a match, the differences to the opponent."""
        if self.is_match:
            return self._differences()
        return {
            row.bot: Rating(row.rating, row.rating_low, row.rating_high)
            for row in self.standings.bots
            if row.rating is not None and row.rating_low is not None and row.rating_high is not None
        }

    @property
    def accuracy(self) -> Mapping[str, AccuracyRecord]:
        """Accuracy of the bots whose moves were judged."""
        return {} if self.accuracy_report is None else self.accuracy_report.bots

    @cached_property
    def accuracy_report(self) -> AccuracyReport | None:
        """Accuracy from solved positions if all games are solved, or if there is no other.

        The last run judged games that were chosen at random. The solver begins with the games that
        matter most. The accuracy in these games alone is a biased estimate for all games.
        """
        contest, reported = self.contest, self._reported_accuracy
        if not contest.solved:
            return reported
        found = accuracy_from_solved(contest.games, contest.variant, contest.solved, SOLVER)
        return found if reported is None or found.ended is None else reported

    @property
    def _reported_accuracy(self) -> AccuracyReport | None:
        """Accuracy that the last run reported, even if games were added since."""
        if self.contest.last_run is None:
            return None
        report = self.contest.last_run.report
        return report.accuracy_report if isinstance(report, MatchReport) else report.accuracy

    @cached_property
    def games_of(self) -> Mapping[str, list[GameEnded]]:
        """Games of each bot, in the order of their numbers."""
        games: dict[str, list[GameEnded]] = {name: [] for name in self.places}
        for game in self.contest.games:
            for name in (game.first, game.second):
                games.setdefault(name, []).append(game)
        return games

    @property
    def games_by_importance(self) -> list[GameEnded]:
        """Games in the order in which readers want to know where they were lost.

        Games of the best bots come first. A forfeited game was not lost on the board.
        """
        ranks = {row.bot: row.rank for row in self.standings.bots}
        return sorted(
            self.contest.games,
            key=lambda game: (
                game.ending == "forfeit",
                sum(ranks.get(name, len(ranks)) for name in (game.first, game.second)),
            ),
        )

    @cached_property
    def times(self) -> Mapping[str, list[float]]:
        """Times of each bot's moves in milliseconds, in order of time."""
        times: dict[str, list[float]] = {name: [] for name in self.places}
        for game in self.contest.games:
            names = (game.first, game.second)
            for ply, ms in enumerate(game.ms, plies(game.opening, self.contest.variant)):
                times[names[seat_at(ply) - 1]].append(ms)
        return {name: sorted(each) for name, each in times.items()}

    def analysis(self, game: GameEnded) -> GameAnalysis:
        """Return the known values of the positions of a game, and its changes."""
        known = self._analyses.get(game.game)
        if known is None:
            known = self._analyses[game.game] = analyse(game, self.contest.solved)
        return known

    def _differences(self) -> dict[str, Rating]:
        """Return the Elo difference of each bot of a match to its opponent."""
        one, other = (bot.name for bot in self.contest.bots)
        found = elo(pair_counts(one, counting(self.contest.games)))
        middle, low, high = (round(each, 1) for each in (found.difference, found.low, found.high))
        return {one: Rating(middle, low, high), other: Rating(-middle, -high, -low)}


def _report_of(contest: StoredContest) -> MatchReport | TournamentReport | None:
    """Return the report of the last run if it counts the games of the contest and their results."""
    if contest.last_run is None:
        return None
    report, games = contest.last_run.report, contest.games
    names = [bot.name for bot in contest.bots]
    found = standings(names, games)
    tallies = {row.bot: (row.wins, row.draws, row.losses) for row in found.bots}
    if isinstance(report, MatchReport):
        is_same = tallies.get(names[0]) == (report.wins, report.draws, report.losses)
        return report if is_same else None
    table = report.standings
    is_same = (table.games, table.void) == (found.games, found.void) and all(
        tallies.get(row.bot) == (row.wins, row.draws, row.losses)
        and row.points == row.wins + row.draws / 2 + row.extra_points
        for row in table.bots
    )
    return report if is_same else None


def _with_ratings_of(table: Standings, games: Sequence[GameEnded]) -> Standings:
    """Return stored standings with the ratings that follow from the games."""
    found = {row.bot: row for row in standings([row.bot for row in table.bots], games).bots}
    rows = (
        replace(row, rating=own.rating, rating_low=own.rating_low, rating_high=own.rating_high)
        for row, own in ((row, found[row.bot]) for row in table.bots)
    )
    return replace(table, bots=tuple(rows))
