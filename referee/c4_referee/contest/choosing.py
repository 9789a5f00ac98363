"""The meetings of ``system = "adaptive"``: chosen by what they tell about the goal, and stored.

In: the results, one by one, and the questions of the schedule. Out: the meetings of each round,
none when the contest ends, and the ``GoalRecord`` of a report. What was chosen is stored before its
first game, and a later run reads it: random draws and rounding may differ on another machine.
"""

import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import DoubtRecord, GoalRecord

from c4_referee.contest.schedule import NextRound
from c4_referee.records.rounds import Meeting, Player
from c4_referee.records.stats.observations import Observations
from c4_referee.records.storage.archive import Archive

if TYPE_CHECKING:
    from c4_referee.records.stats.array import Floats
    from c4_referee.records.stats.goals import Claim, Goal

GOALS = ("best", "ranking", "placement")
"""Goals besides those of the form ``top N``."""


@dataclass(frozen=True)
class GoalSettings:
    """What an adaptive tournament is to tell, and when it ends. ``TournamentFile`` explains it."""

    goal: str = "best"
    within: float = 30.0
    place: tuple[str, ...] = ()
    meetings: int = 16
    max_games: int | None = None
    minutes: float | None = None

    def __str__(self) -> str:
        """Return the goal in words."""
        of = f" of {' and '.join(self.place)}" if self.place else ""
        return f"{self.goal}{of}, within {self.within:g} Elo"


class Chooser:
    """Chooses the meetings of a contest by its results.

    ``pairs`` is the number of pairs of games in a meeting. If ``stores`` is false, nothing is
    stored. If ``pauses`` returns true, no round is chosen, so the contest ends for now. The time of
    ``GoalSettings.minutes`` begins now.
    """

    def __init__(
        self,
        settings: GoalSettings,
        pairs: int,
        archive: Archive,
        *,
        stores: bool = True,
        pauses: Callable[[], bool] | None = None,
    ) -> None:
        self._settings, self._pairs, self._archive = settings, pairs, archive
        self._pauses = pauses
        self._chosen, self._stores = archive.chosen(), stores
        minutes = math.inf if settings.minutes is None else settings.minutes
        self._deadline = time.monotonic() + 60 * minutes
        self._observed = Observations()
        self._last_told: dict[frozenset[str], deque[bool]] = {}
        """Whether the games of the last meeting of two bots, by name, were observations."""
        self._parameters: Floats | None = None
        self._ended: Literal["goal", "max_games", "nothing new"] | None = None

    def take_game(self, game: GameEnded) -> bool:
        """Take a result, and return whether the time is over: a ``DecisionFunction``."""
        told = self._last_told.setdefault(frozenset(game.bots), deque(maxlen=2 * self._pairs))
        told.append(self._observed.take_next(game))
        return time.monotonic() >= self._deadline

    def choose(self, wanted: NextRound) -> Sequence[Meeting]:
        """Return the meetings of a round, or none if the contest ends.

        A goal that was reached counts again if it is the same goal of the same bots.
        """
        from c4_referee.records.stats import goals  # noqa: PLC0415 - slow, and other systems do not need it

        meetings, reached = self._chosen.get(wanted.number, ((), ""))
        is_known = reached == str(self._settings) and self._archive.roster.settled < wanted.played
        self._ended = "goal" if is_known else None
        if meetings or is_known or (self._pauses and self._pauses()):
            return meetings
        room = math.inf if self._settings.max_games is None else self._settings.max_games
        number = min(self._settings.meetings, (room - wanted.played) // (2 * self._pairs))
        claim, strengths = self._claim(wanted.players, self._observed)
        if claim.likelihood >= self._goal(wanted.players).level:
            self._ended, reached = "goal", str(self._settings)
        elif number < 1:
            self._ended = "max_games"
        else:
            players, names = wanted.players, self._archive.names
            found = goals.telling_meetings(
                self._goal(players),
                strengths,
                int(number),
                lambda one, other: (
                    self._may_tell(names[players[one]], names[players[other]])
                    and wanted.may_meet(players[one], players[other])
                ),
            )
            meetings = tuple((players[one], players[other]) for one, other in found)
            self._ended = None if meetings else "nothing new"
        if self._stores:
            self._archive.choose(wanted.number, meetings, reached)
        return meetings

    def placed(self, games: Sequence[GameEnded]) -> frozenset[str]:
        """Return the bots of ``place`` that have a place of their own, whatever is known of others.

        Their strengths are known, within the Elo points of the goal, or their places among the bots
        that are not of ``place`` or whose strengths are known.
        """
        from c4_referee.records.stats.array import np  # noqa: PLC0415 - slow, and other systems do not need it

        roster, names, within = self._archive.roster, self._archive.names, self._settings.within
        players = [player for player in roster.now if player not in roster.gone]
        goal = self._goal(players)
        if len(players) < 2 or not goal.placed:
            return frozenset()
        claim, strengths = self._claim(players, Observations(games))
        above_mean = strengths - strengths.mean(axis=1, keepdims=True)
        errors = np.abs(above_mean - above_mean.mean(axis=0))
        known = {*np.flatnonzero((errors <= within).mean(axis=0) >= goal.level)}
        others = known | {*range(len(players))}.difference(goal.placed)
        found = known.intersection(goal.placed)
        for new in {*goal.placed} - known:
            order = [player for player in claim.order if player in others or player == new]
            excess, _ = replace(goal, placed=(new,)).contradiction(order, strengths)
            if len(order) > 1 and (excess <= within).mean() >= goal.level:
                found.add(new)
        return frozenset(names[players[index]] for index in found)

    def record(self, games: Sequence[GameEnded], is_complete: bool) -> GoalRecord | None:
        """Return what the results of a contest tell, or ``None`` for fewer than two bots."""
        roster, names, asked = self._archive.roster, self._archive.names, self._settings
        players = [player for player in roster.now if player not in roster.gone]
        if len(players) < 2:
            return None
        claim, _ = self._claim(players, Observations(games))
        goal, order = self._goal(players), [names[players[player]] for player in claim.order]
        doubts = tuple(
            DoubtRecord(names[players[higher]], names[players[lower]], round(likelihood, 4))
            for higher, lower, likelihood in claim.doubts
        )
        return GoalRecord(
            goal=asked.goal,
            within=asked.within,
            order=tuple(order),
            claimed=tuple(order[: goal.first] if goal.first else asked.place),
            likelihood=round(claim.likelihood, 4),
            ended=(self._ended or "minutes") if is_complete else None,
            doubts=doubts,
        )

    def _goal(self, players: Sequence[Player]) -> "Goal":
        """Return the goal of players, who are indices in it."""
        from c4_referee.records.stats.goals import Goal  # noqa: PLC0415 - slow

        kind, within = self._settings.goal, self._settings.within
        names = [self._archive.names[player] for player in players]
        if kind == "placement":
            placed = (names.index(name) for name in self._settings.place if name in names)
            return Goal(within, None, tuple(placed))
        first = {"best": 1, "ranking": None}[kind] if kind in GOALS else int(kind.split()[1])
        return Goal(within, first)

    def _claim(self, players: Sequence[Player], observed: Observations) -> tuple["Claim", "Floats"]:
        """Return what can be claimed of players, and random draws of their strengths.

        Games of bots that have left help to compare their opponents. Of these bots, only the last
        ones count, as many as there are players, so that this does not take ever longer.
        """
        from c4_referee.records.stats import goals, ratings  # noqa: PLC0415 - slow
        from c4_referee.records.stats.array import np  # noqa: PLC0415 - slow

        gone, names = self._archive.roster.gone, self._archive.names
        left = [player for player in names if player not in gone and player not in players]
        all_players = sorted((*players, *left[-len(players) :]))
        bots = [names[player] for player in all_players]
        results = observed.results_by_seat(bots)
        start = self._parameters
        if start is None or len(start) != len(bots) + 2:
            start = np.zeros(len(bots) + 2)
        points, covariance, self._parameters = ratings.posterior_of_strengths(
            results, observed.results_of_pairs(bots), start
        )
        rows = [all_players.index(player) for player in players]
        points, covariance = points[rows], covariance[np.ix_(rows, rows)]
        strengths = goals.random_strengths(points, covariance, observed.counted)
        return goals.claim(self._goal(players), points, strengths), strengths

    def _may_tell(self, one: str, other: str) -> bool:
        """Return whether the last meeting of two bots told something.

        It has not if its games are void, or repeat others.
        """
        told = self._last_told.get(frozenset((one, other)))
        return told is None or any(told)
