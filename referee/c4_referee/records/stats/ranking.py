"""The order of players by points and tie-breaks, as a function without side effects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from c4_referee.records.stats.array import Counts, Floats, np

POINTS_BY_OUTCOME = np.array([1.0, 0.5, 0.0])
"""Points of the first player for a win, a draw and a loss.

The second player gets 1 minus these points.
"""


@dataclass(frozen=True)
class RankedPlayer:
    """A player's rank, from 1, with the values that decide the rank.

    ``player`` is the player's index in the list of names. Players whose values are all equal share
    a rank. ``accuracy`` is ``None`` if the tie-break by accuracy was not needed or the value is
    unknown.
    """

    rank: int
    player: int
    name: str
    points: float
    direct_encounter: float
    sonneborn_berger: float
    wins_as_second: int
    accuracy: float | None


def rank_players(
    names: Sequence[str],
    results: Counts,
    extra_points: Mapping[str, float] | None = None,
    ranking: Sequence[str] = (),
    accuracy: Mapping[str, float] | None = None,
    *,
    by_share: bool = False,
) -> list[RankedPlayer]:
    """Return the players in order: by points, then by the tie-breaks.

    If points are equal, these values decide, in this order:

    - direct encounter: the points in games between the tied players, if each of them met every
      other equally often;
    - Sonneborn-Berger: for each game, the opponent's points times the points of the game;
    - wins in seat 2;
    - accuracy, if it is known for all players that are still tied;
    - the order of ``names``, but players who differ only in this order share a rank.

    ``results`` has the shape (players, players, 3), by index in ``names``:
    ``results[first, second]`` has the wins, draws and losses of the first player. Games that repeat
    others count, because they count in a contest.

    ``extra_points`` are points without a game, for example for a bye. They are part of a player's
    points in the rules above. In systems such as a knockout, points do not decide the order. Then
    ``ranking`` lists players, the best first. All other players follow, by points. With
    ``by_share``, the share of the points in a player's games comes before the points.
    """
    gained: Floats = results @ POINTS_BY_OUTCOME + (results @ (1 - POINTS_BY_OUTCOME)).T
    points = gained.sum(axis=1) + [(extra_points or {}).get(name, 0.0) for name in names]
    direct = _direct_encounters(points, gained, results.sum(axis=2))
    berger = gained @ points
    as_second = results[:, :, 2].sum(axis=0)
    decided = {name: len(ranking) - place for place, name in enumerate(ranking)}
    deciders = [*zip(points.tolist(), direct, berger.tolist(), as_second.tolist(), strict=True)]
    played = results.sum(axis=(1, 2)) + results.sum(axis=(0, 2))
    shares = points / np.maximum(played, 1) if by_share else np.zeros(len(names))
    keys: list[tuple[float, ...]] = [
        (decided.get(name, 0), float(share), *values)
        for name, share, values in zip(names, shares, deciders, strict=True)
    ]
    measured = accuracy or {}
    tied = _accuracy_of_tied(
        keys, {player: measured[name] for player, name in enumerate(names) if name in measured}
    )
    keys = [(*key, tied.get(player, 0.0)) for player, key in enumerate(keys)]
    order = sorted(range(len(names)), key=lambda player: [-key for key in keys[player]])
    ranks = {keys[player]: place for place, player in reversed([*enumerate(order, 1)])}
    return [
        RankedPlayer(
            ranks[keys[player]], player, names[player], *deciders[player], tied.get(player)
        )
        for player in order
    ]


def _accuracy_of_tied(
    keys: Sequence[tuple[float, ...]], accuracy: Mapping[int, float]
) -> dict[int, float]:
    """Return the accuracy of tied players, who have equal keys.

    A group of tied players is left out if the accuracy of one of them is unknown.
    """
    groups: dict[tuple[float, ...], list[int]] = {}
    for player, key in enumerate(keys):
        groups.setdefault(key, []).append(player)
    tied = (group for group in groups.values() if len(group) > 1)
    known = (group for group in tied if all(player in accuracy for player in group))
    return {player: accuracy[player] for group in known for player in group}


def _direct_encounters(points: Floats, gained: Floats, games: Counts) -> list[float]:
    """Return each player's points in games against players with equal points.

    The value is 0 if the players with these points have not all met each other equally often.
    """
    met = games + games.T
    direct = [0.0] * len(points)
    ordered = sorted(range(len(points)), key=lambda player: points[player])
    for _, tied in groupby(ordered, key=lambda player: points[player]):
        group = [*tied]
        among = met[np.ix_(group, group)][~np.eye(len(group), dtype=bool)]
        if len(group) > 1 and among.min() == among.max() > 0:
            for player in group:
                direct[player] = float(gained[player, group].sum())
    return direct
