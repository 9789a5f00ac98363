"""The report of a match, computed from its games by functions without side effects."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import AccuracyReport, Incidents, MatchReport, SprtRecord, Tally

from c4_referee.contest.play.tournament import Tournament
from c4_referee.records.stats.elo import elo
from c4_referee.records.stats.observations import (
    distinct_games,
    forfeits,
    games_by_bot,
    games_that_count,
    half_points,
    pair_counts,
)

if TYPE_CHECKING:
    from c4_referee.records.stats.sprt import SequentialTest


def match_report(
    bots: tuple[str, str],
    tournament: Tournament,
    seconds: float,
    test: "SequentialTest | None" = None,
    judged: AccuracyReport | None = None,
    incidents: Incidents = Incidents(),  # noqa: B008 - frozen
) -> MatchReport:
    """Return the report of a match between two bots, from the point of view of the first.

    ``test`` is the sequential test of the match, if there is one. It may have stopped the match
    early. ``judged`` is the accuracy of the moves, if it was measured. Void games do not count.
    """
    games = [*games_that_count(tournament.results)]
    total = bot_tally(bots[0], games)
    strength = elo(pair_counts(bots[0], games))
    return MatchReport(
        bots=bots,
        **asdict(total),
        first_bot_as_first=bot_tally(bots[0], [game for game in games if game.first == bots[0]]),
        first_bot_as_second=bot_tally(bots[0], [game for game in games if game.second == bots[0]]),
        distinct_games=len([*distinct_games(games)]),
        forfeits=forfeits(games),
        elo=round(strength.difference, 1),
        elo_low=round(strength.low, 1),
        elo_high=round(strength.high, 1),
        los=round(strength.superiority, 4),
        seconds=round(seconds, 3),
        complete=_is_complete(total.games, tournament, test),
        sprt=None if test is None else _record(test),
        accuracy=None if judged is None else {bot: judged.bots[bot].share for bot in bots},
        accuracy_report=judged,
        incidents=incidents,
        apart=games_by_bot(tournament.apart),
    )


def _is_complete(counted: int, tournament: Tournament, test: "SequentialTest | None") -> bool:
    """Return whether the test decided, or all games were played and not all of them are void."""
    if test is not None and test.is_decided:
        return True
    is_played = tournament.done == tournament.scheduled
    return is_played and (counted > 0 or not tournament.scheduled)


def _record(test: "SequentialTest") -> SprtRecord:
    """Return the record of a test."""
    sprt, bounds = test.sprt, (round(test.sprt.lower, 4), round(test.sprt.upper, 4))
    return SprtRecord(round(test.llr, 4), *bounds, test.verdict, sprt.elo0, sprt.elo1)


def bot_tally(bot: str, games: Sequence[GameEnded]) -> Tally:
    """Return the results of a bot in games that it played."""
    own = [half_points(bot, game) for game in games]
    return Tally(len(own), own.count(2), own.count(1), own.count(0))
