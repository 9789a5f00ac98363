"""Standings and rating lists, computed from games by functions without side effects."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, zip_longest
from math import isfinite

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import AccuracyReport, Encounter, Standing, Standings

from c4_referee.records.rounds import Player, Progress
from c4_referee.records.stats.array import Counts
from c4_referee.records.stats.observations import (
    CountedGame,
    Observations,
    forfeits,
    games_by_bot,
    games_that_count,
    results_by_seat,
)
from c4_referee.records.stats.ranking import RankedPlayer, rank_players
from c4_referee.records.stats.ratings import Estimate, rate_players

Rounded = tuple[float, float, float] | tuple[None, None, None]
"""A value with the lower and upper bound of its 95% interval.

All three are ``None`` if the value is not known.
"""


@dataclass(frozen=True)
class Anchor:
    """A bot with a given rating. The ratings of other bots are relative to this rating."""

    bot: str
    rating: float


def standings(
    bots: Sequence[str],
    games: Iterable[CountedGame],
    extra_points: Mapping[str, float] | None = None,
    ranking: Sequence[str] = (),
    accuracy: Mapping[str, float] | None = None,
    *,
    by_share: bool = False,
    by_rating: bool = False,
    anchor: str | None = None,
    unlisted: Collection[str] = (),
) -> Standings:
    """Return the standings of a contest, in the order of ``c4_referee.records.stats.ranking``.

    ``extra_points`` are points without a game, as for a bye. In systems in which points do not
    decide the order, ``ranking`` lists bots, best first. All other bots follow, by points.
    ``accuracy`` is the last tie-break: the share of moves that kept the outcome. It has only the
    bots for which this share is known. With ``by_share``, the share of the points counts before the
    points. With ``by_rating``, the ratings decide. The rating of ``anchor`` is 0 if it is one
    of the bots; otherwise the mean rating is 0. Games of ``unlisted`` bots count for the others.
    """
    fixed = Anchor(anchor, 0.0) if anchor is not None and anchor in bots else None
    sheet = _StandingsMaker(bots, games, extra_points or {}, fixed)
    if by_rating:
        players = sorted(range(len(bots)), key=lambda one: (sheet.group(one), -sheet.strength(one)))
        ranking = [bots[player] for player in players]
    ranked = rank_players(bots, sheet.results, extra_points, ranking, accuracy, by_share=by_share)
    rows = [row for row in ranked if row.name not in unlisted]
    places = [row.rank for row in rows]
    return sheet.standings(rows, [bisect_left(places, place) + 1 for place in places])


def contest_standings(
    names: Mapping[Player, str],
    present: Collection[Player],
    games: Iterable[GameEnded],
    apart: Iterable[GameEnded],
    progress: Progress,
    pairs: int = 1,
    judged: AccuracyReport | None = None,
    *,
    by_share: bool = False,
    by_rating: bool = False,
    first_is_tested: bool = False,
    anchor: str | None = None,
    lists_withdrawn: bool = True,
) -> Standings:
    """Return the standings of a contest, for its report and for all that shows stored games.

    ``names`` are those of all bots that have ever taken part, and ``present`` the bots that take
    part now. A bot that has left is listed if it has ``games``, which are those that count, or
    byes, or is in the ranking, unless ``lists_withdrawn`` is false. Bots that gave up come last,
    unless they have left. ``apart`` are the stored games that do not count. A bye gives the points
    of a meeting of ``pairs`` pairs in which all games are won. ``judged`` is the accuracy of the
    moves, if it was measured.

    With ``by_share``, bots are ordered by their share of the points, and with ``by_rating`` by
    their ratings. With ``first_is_tested``, the
    bot that plays in all games is the tested one. It comes first and keeps its rank. ``anchor`` is
    as for ``standings``.
    """
    records = judged.bots if judged is not None else {}
    played, stopped = [*games], {names[player] for player in progress.gave_up}
    with_games = {name for game in played for name in (game.first, game.second)}
    byes = {names[player]: 2.0 * pairs * number for player, number in progress.byes.items()}
    ranking = [names[player] for player in progress.ranking]
    listed = {*(names[player] for player in present), *with_games, *byes, *ranking} - stopped
    left = {name for player, name in names.items() if player not in present}
    table = standings(
        [name for name in names.values() if name in listed],
        played,
        byes,
        ranking,
        {bot: record.share for bot, record in records.items() if record.share is not None},
        by_share=by_share,
        by_rating=by_rating,
        anchor=anchor,
        unlisted=() if lists_withdrawn else left,
    )
    common = set.intersection(*({*game.bots} for game in played)) if played else set()
    tested = common.pop() if first_is_tested and len(common) == 1 else None
    rows = [
        replace(row, withdrawn=row.bot in left, tested=row.bot == tested)
        for row in sorted(table.bots, key=lambda row: row.bot != tested)
    ]
    idle = [name for name in names.values() if name in stopped - left]
    last = max((row.group for row in rows), default=0)
    rows += [
        replace(row, rank=len(rows) + 1, gave_up=True, group=last + row.group)
        for row in standings(idle, ()).bots
    ]
    return replace(table, bots=tuple(rows), apart=games_by_bot(apart))


def rating_list(
    bots: Sequence[str],
    games: Iterable[CountedGame],
    anchor: Anchor | None = None,
    fewest_games: int = 0,
) -> Standings:
    """Return the bots that have at least ``fewest_games`` games, ordered by rating.

    The games of bots that are left out still count for their opponents. Bots that are not connected
    by games are in different groups. The largest group comes first, and each group has its own
    ranks. The bot of ``anchor`` must be one of the bots.
    """
    sheet = _StandingsMaker(bots, games, {}, anchor)
    rows = [
        row for row in rank_players(bots, sheet.results) if sheet.games(row.player) >= fewest_games
    ]
    rows.sort(key=lambda row: (sheet.group(row.player), -sheet.strength(row.player)))
    ranks: dict[int, count[int]] = {}
    places = [next(ranks.setdefault(sheet.group(row.player), count(1))) for row in rows]
    return sheet.standings(rows, places)


class _StandingsMaker:
    """Counts and ratings of games. A player is a number: the index of a bot in ``bots``."""

    def __init__(
        self,
        bots: Sequence[str],
        games: Iterable[CountedGame],
        extra_points: Mapping[str, float],
        anchor: Anchor | None = None,
    ) -> None:
        played = [*games]
        counted = [*games_that_count(played)]
        self._bots, self._extra = bots, extra_points
        self._void = len(played) - len(counted)
        self._unrecorded = sum(game.moves is None for game in counted)
        self.results = results_by_seat(bots, counted)
        """Results of all games that are not void, as ``rank_players`` takes them."""
        observed = Observations(counted)
        self._distinct = observed.results_by_seat(bots)
        self._forfeits = forfeits(counted)
        self._ratings = rate_players(self._distinct, observed.results_of_pairs(bots))
        groups = [*map(int, self._ratings.groups)]
        by_size = sorted(set(groups), key=lambda group: (-groups.count(group), group))
        self._groups = [by_size.index(group) + 1 for group in groups]
        self._anchor = anchor

    def games(self, player: int) -> int:
        """Return the number of a player's games that are not void."""
        return _count_games(self.results, player)

    def group(self, player: int) -> int:
        """Return the number of a player's group. The largest group is 1."""
        return self._groups[player]

    def strength(self, player: int) -> float:
        """Return a player's rating in Elo points relative to the mean of its group."""
        return float(self._ratings.points[player])

    def standings(self, rows: Sequence[RankedPlayer], ranks: Sequence[int]) -> Standings:
        """Return the record of the bots in ``rows``."""
        followed = zip_longest(rows, ranks, rows[1:])
        odds_of_draws = (self._ratings.draws, *self._ratings.draws_bounds)
        draws = (round(odds / (odds + 2), 4) for odds in odds_of_draws)  # odds of a draw to a win
        nothing = (None, None, None)
        any_games = self._distinct.any()
        return Standings(
            tuple(self._standing(row, rank, below) for row, rank, below in followed),
            int(self.results.sum()),
            int(self._distinct.sum()),
            self._unrecorded,
            self._void,
            *(_rounded(self._ratings.first_advantage) if any_games else nothing),
            *(draws if any_games else nothing),
        )

    def _standing(self, row: RankedPlayer, rank: int, below: RankedPlayer | None) -> Standing:
        """Return the standing of a bot, and how likely it is stronger than the bot ``below``."""
        against = self._against(row.player)
        rating, low, high = self._rating(row.player)
        los = None
        if below is not None and self.group(row.player) == self.group(below.player):
            los = round(self._ratings.superiority(row.player, below.player), 4)
        return Standing(
            rank=rank,
            bot=row.name,
            games=self.games(row.player),
            points=row.points,
            wins=sum(encounter.wins for encounter in against.values()),
            draws=sum(encounter.draws for encounter in against.values()),
            losses=sum(encounter.losses for encounter in against.values()),
            distinct_games=_count_games(self._distinct, row.player),
            forfeits=self._forfeits.get(row.name, {}),
            rating=rating,
            rating_low=low,
            rating_high=high,
            los=los,
            group=self.group(row.player),
            extra_points=self._extra.get(row.name, 0.0),
            direct_encounter=row.direct_encounter,
            sonneborn_berger=row.sonneborn_berger,
            wins_as_second=row.wins_as_second,
            against=against,
            accuracy_tie_break=row.accuracy,
        )

    def _against(self, player: int) -> dict[str, Encounter]:
        """Return a player's results against each of its opponents."""
        both = self.results[player] + self.results[:, player, ::-1]
        distinct = (self._distinct[player] + self._distinct[:, player, ::-1]).sum(axis=1)
        return {
            self._bots[other]: Encounter(int(wins), int(draws), int(losses), int(differing))
            for other, ((wins, draws, losses), differing) in enumerate(
                zip(both, distinct, strict=True)
            )
            if wins or draws or losses
        }

    def _rating(self, player: int) -> Rounded:
        if self._anchor is None:
            return _rounded(self._ratings.rating(player))
        anchor = self._bots.index(self._anchor.bot)
        return _rounded(self._ratings.difference(player, anchor), self._anchor.rating)


def _count_games(counts: Counts, player: int) -> int:
    """Return the number of games of a player in both seats."""
    return int(counts[player].sum() + counts[:, player].sum())


def _rounded(estimate: Estimate, zero: float = 0.0) -> Rounded:
    """Return an estimate plus ``zero``, rounded to one decimal; all ``None`` if it is infinite."""
    values = (estimate.points, estimate.low, estimate.high)
    if not all(map(isfinite, values)):
        return None, None, None
    points, low, high = (round(zero + value, 1) for value in values)
    return points, low, high
