"""Results of a stored contest, computed once for all its pages."""

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Self

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import (
    AccuracyRecord,
    AccuracyReport,
    MatchReport,
    Standing,
    Standings,
)

from c4_referee.contest.judging.accuracy import accuracy_from_solved
from c4_referee.contest.schedule import system_of_stored
from c4_referee.records.rounds import Player
from c4_referee.records.stats.analysis import analyse
from c4_referee.records.stats.elo import elo
from c4_referee.records.stats.observations import games_that_count, pair_counts
from c4_referee.records.stats.ratings import Estimate
from c4_referee.records.stats.solved import Change, GameAnalysis
from c4_referee.records.stats.standings import contest_standings
from c4_referee.records.storage.contests import StoredContest

SOLVER = "c4-solve"
"""Name of the judge that finds the values of solved positions."""
MATCH_BOTS = 2
"""Number of bots of a match."""


class ContestResults:
    """Results of a contest: standings, ratings, accuracy, and an analysis of each game.

    The standings are computed from the same games and by the same function as those that a run
    prints (``records.stats.standings.contest_standings``).
    """

    def __init__(self, contest: StoredContest) -> None:
        self.contest = contest
        self.places = {bot.name: place for place, bot in enumerate(contest.bots)}
        """Place of each bot by its name."""
        self._analyses: dict[int, GameAnalysis] = {}

    def with_texts_of(self, contest: StoredContest) -> Self:
        """Return the results of a contest that differs from this one only in texts of bots.

        What takes long is computed once for all of them.
        """
        for shared in ("standings", "ratings", "accuracy_report", "times"):
            getattr(self, shared)
        made = copy.copy(self)
        made.contest = contest
        made.__dict__.pop("games_of", None)
        return made

    @property
    def is_match(self) -> bool:
        """True for a match of two bots, false for a tournament."""
        return "bots" in self.contest.identity and len(self.contest.bots) == MATCH_BOTS

    @property
    def is_complete(self) -> bool:
        """True if every scheduled game was played, and the last run has stored its report."""
        run = self.contest.last_run
        return self.contest.progress.is_complete and run is not None and run.report.complete

    @cached_property
    def standings(self) -> Standings:
        """Standings of the bots, the best first."""
        contest, system = self.contest, system_of_stored(self.contest.system)
        present = [Player(place) for place, bot in enumerate(contest.bots) if not bot.withdrawn]
        reported = self._reported_accuracy if self.is_complete else None
        return contest_standings(
            contest.names,
            present,
            contest.games,
            contest.apart,
            contest.progress,
            contest.pairs,
            reported,
            by_share=system.by_share,
            by_rating=system.ranked_by == "rating",
            first_is_tested=system.first_is_tested,
            anchor=contest.identity.get("anchor"),
            lists_withdrawn=contest.lists_withdrawn,
        )

    @property
    def leaders(self) -> list[Standing]:
        """The bots of the best rank among those with games that count."""
        played = [row for row in self.standings.bots if row.games]
        return [row for row in played if row.rank == played[0].rank]

    @cached_property
    def ratings(self) -> Mapping[str, Estimate]:
        """Ratings of the bots that have one. In a match, the differences to the opponent."""
        if self.is_match:
            first, second = (bot.name for bot in self.contest.bots)
            estimate = elo(pair_counts(first, games_that_count(self.contest.games)))
            ends = (estimate.difference, estimate.low, estimate.high)
            middle, low, high = (round(each, 1) for each in ends)
            return {first: Estimate(middle, low, high), second: Estimate(-middle, -high, -low)}
        return {
            row.bot: Estimate(row.rating, row.rating_low, row.rating_high)
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
        report = accuracy_from_solved(contest.games, contest.variant, contest.solved, SOLVER)
        return report if reported is None or report.ended is None else reported

    @property
    def _reported_accuracy(self) -> AccuracyReport | None:
        """Accuracy that the last run reported, even if games were added since."""
        if self.contest.last_run is None:
            return None
        report = self.contest.last_run.report
        return report.accuracy_report if isinstance(report, MatchReport) else report.accuracy

    @cached_property
    def games_of(self) -> Mapping[str, list[GameEnded]]:
        """Games of each bot that count, in the order of their numbers."""
        games: dict[str, list[GameEnded]] = {name: [] for name in self.places}
        for game in self.contest.games:
            for name in game.bots:
                games.setdefault(name, []).append(game)
        return games

    def apart_of(self, bot: str) -> list[GameEnded]:
        """Return the games of a bot that do not count, in the order of their numbers."""
        return [game for game in self.contest.apart if bot in game.bots]

    @property
    def games_by_importance(self) -> list[GameEnded]:
        """Games in the order in which readers want to know where they were lost.

        Games of the best bots come first. A forfeited game was not lost on the board.
        """
        ranks = {row.bot: row.rank for row in self.standings.bots}
        return sorted(
            self.contest.all_games,
            key=lambda game: (
                game.ending == "forfeit",
                sum(ranks.get(name, len(ranks)) for name in game.bots),
            ),
        )

    @cached_property
    def times(self) -> Mapping[str, list[float]]:
        """Times of each bot's moves in milliseconds, in order of time.

        The first move of a bot in a game is left out, because its program may have started then.
        """
        times: dict[str, list[float]] = {name: [] for name in self.places}
        for game in self.contest.games:
            first_moves = len(game.bots)
            for ply, ms in enumerate(game.ms[first_moves:], game.start + first_moves):
                times[game.mover(ply)].append(ms)
        return {name: sorted(each) for name, each in times.items()}

    def analysis(self, game: GameEnded) -> GameAnalysis:
        """Return the known values of the positions of a game, and its changes.

        No value is known if no position was solved.
        """
        if not self.contest.solved:
            return GameAnalysis.unknown(game)
        if game.game not in self._analyses:
            self._analyses[game.game] = analyse(game, self.contest.solved)
        return replace(self._analyses[game.game], game=game)  # its texts may be others

    def changes(self, games: Iterable[GameEnded]) -> Iterator[tuple[GameEnded, Change]]:
        """Generate the moves that changed results, with their games, if positions were solved."""
        if self.contest.solved:
            for game in games:
                for change in self.analysis(game).changes:
                    yield game, change
