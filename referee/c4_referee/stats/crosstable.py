"""Who beat whom, and in which order they stand: a pure function of counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from c4_referee.stats.array import Counts, Floats

POINTS = np.array([1.0, 0.5, 0.0])
"""Of a win, a draw and a loss, for the first player; the second one has the rest."""


@dataclass(frozen=True)
class Cell:
    """A player's results against one other, and how many of the games were distinct."""

    wins: int
    draws: int
    losses: int
    distinct: int

    @property
    def games(self) -> int:
        """How many were played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for a win, half for a draw."""
        return self.wins + self.draws / 2


@dataclass(frozen=True)
class Row:
    """A player, by its place in the list of entrants, with what decides its ``rank``, from 1.

    ``cells`` are in the order of the table's rows, the player's own one among them empty. Players
    that nothing sets apart share a rank. ``accuracy`` is ``None`` where it was not needed.
    """

    rank: int
    player: int
    name: str
    points: float
    direct_encounter: float
    sonneborn_berger: float
    wins_as_second: int
    accuracy: float | None
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Crosstable:
    """The rows of all players, the leader first."""

    rows: tuple[Row, ...]


def crosstable(
    names: Sequence[str],
    results: Counts,
    distinct: Counts,
    extra_points: Mapping[int, float] | None = None,
    ranking: Sequence[int] = (),
    accuracy: Mapping[int, float] | None = None,
) -> Crosstable:
    """Players in their standing order: by points, and by what breaks ties.

    Where points are equal, these decide in turn:

    - direct encounter: the points in games among those with equal points, if each of them met
      every other as often;
    - Sonneborn-Berger: for each game, the opponent's points times what the game gave;
    - more wins as second player;
    - more accuracy, where it is known of all players that are still tied;
    - the order of ``names``, which separates no ranks.

    ``results[first, second]`` are wins, draws and losses of the first, shape (players, players, 3);
    ``distinct`` counts each game that repeats another one once (``c4_referee.stats.observations``).
    Points are those of all games: a repeated one counts here, as the rules of the event have it.

    ``extra_points`` are those that players have without a game, as for a bye; they are points to
    every rule above. Where not the points decide but the course of the event, ``ranking`` lists
    players by their places, the best first; those whom it leaves out come after it, by points.
    """
    gained = _gained(results)
    points = gained.sum(axis=1)
    for player, extra in (extra_points or {}).items():
        points[player] += extra
    direct = _direct_encounters(points, gained, results.sum(axis=2))
    berger = gained @ points
    as_second = results[:, :, 2].sum(axis=0)
    decided = {player: len(ranking) - place for place, player in enumerate(ranking)}
    deciders = [
        (float(points[player]), direct[player], float(berger[player]), int(as_second[player]))
        for player in range(len(names))
    ]
    keys: list[tuple[float, ...]] = [
        (decided.get(player, 0), *deciders[player]) for player in range(len(names))
    ]
    shares = _of_tied(keys, accuracy or {})
    keys = [(*key, shares.get(player, 0.0)) for player, key in enumerate(keys)]
    order = sorted(range(len(names)), key=lambda player: [-key for key in keys[player]])
    ranks = {keys[player]: place for place, player in reversed([*enumerate(order, 1)])}
    return Crosstable(
        tuple(
            Row(
                ranks[keys[player]],
                player,
                names[player],
                *deciders[player],
                shares.get(player),
                tuple(_cell(results, distinct, player, other) for other in order),
            )
            for player in order
        )
    )


def _of_tied(keys: Sequence[tuple[float, ...]], accuracy: Mapping[int, float]) -> dict[int, float]:
    """Return the accuracy of the players whose key others have, too, if all of them have one."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for player, key in enumerate(keys):
        groups.setdefault(key, []).append(player)
    tied = (group for group in groups.values() if len(group) > 1)
    known = (group for group in tied if all(player in accuracy for player in group))
    return {player: accuracy[player] for group in known for player in group}


def _gained(results: Counts) -> Floats:
    """The points of each player against each other."""
    as_first: Floats = results @ POINTS
    as_second: Floats = results @ (1 - POINTS)
    return as_first + as_second.T


def _direct_encounters(points: Floats, gained: Floats, games: Counts) -> list[float]:
    """Points of each in games with those who have as many in all; 0 if they did not all meet."""
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


def _cell(results: Counts, distinct: Counts, player: int, other: int) -> Cell:
    both = results[player, other] + results[other, player, ::-1]
    differing = distinct[player, other].sum() + distinct[other, player].sum()
    wins, draws, losses = map(int, both)
    return Cell(wins, draws, losses, int(differing))
