"""Goals of a contest: what its games are to tell, how sure that is, and which meetings tell most.

A goal is an order of the players, or a part of it, such as who is the best. The order that is
*claimed* is that of the most likely strengths. The claim is true if no player is more than
``within`` Elo points better than a player whom it puts higher. So a claim can be reached although
some players are equal, and nobody has to tell 10 points apart.

The strengths are random: they have the normal posterior of ``ratings``. How sure a claim is, is the
share of random strengths for which it is true. Meetings are chosen by top-two Thompson sampling
(Russo 2020, "Simple Bayesian algorithms for best-arm identification", Operations Research 68): one
random draw of the strengths makes a claim, another one contradicts it, and the two players of the
contradiction meet.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from c4_referee.records.stats.array import Counts, Floats, np

LEVEL = 0.95
"""Minimum likelihood of a claim that is reached."""
RANKING_LEVEL = 0.97
"""The same for a whole ranking. With 0.95, only 90% of 300 claims about 10 bots were true. With
0.97, which was chosen for this, 96.0% of 300 others were (``tests/bench/adaptive.py``)."""
DRAWS = 4000
"""Number of random draws of the strengths."""
DRAWS_PER_MEETING = 25
"""Number of draws of which the first makes a claim, and the others may contradict it."""
MAX_DOUBTS = 3
"""Maximum number of doubts in a claim."""


@dataclass(frozen=True)
class Goal:
    """What a contest is to tell of players, who are indices.

    It is who are the ``first`` ones (1: who is the best), or the places of the ``placed`` ones, or,
    if both are ``None``, the whole ranking. ``within`` is in Elo points.
    """

    within: float = 30.0
    first: int | None = 1
    placed: tuple[int, ...] | None = None

    @property
    def level(self) -> float:
        """The minimum likelihood of a claim that is reached."""
        return LEVEL if self.first or self.placed else RANKING_LEVEL

    def contradiction(self, order: Sequence[int], strengths: Floats) -> tuple[Floats, Counts]:
        """Return by how much strengths contradict an order at most, and where.

        ``order`` has the players, the best first. The shape of ``strengths`` is (draws, players).
        The first result has for each draw the lead of the lower one of two players, in Elo points,
        or 0. The second one has both players, the higher one first; shape (draws, 2).
        """
        ranked, draws = strengths[:, order], np.arange(len(strengths))
        leads, where = np.zeros(len(draws)), np.zeros((len(draws), 2), np.int64)
        if self.placed is not None:
            places = [*map(order.index, self.placed)]
            parts = [(0, place, place + 1) for place in places]
            parts += [(place, place + 1, len(order)) for place in places]
        elif self.first is not None:
            parts = [(0, self.first, len(order))]
        else:
            parts = []
            weakest = np.minimum.accumulate(ranked, axis=1)  # of those who do not stand lower
            leads = (ranked - weakest).max(axis=1)
            lower = (ranked - weakest).argmax(axis=1)
            higher = (ranked == weakest[draws, lower, None]).argmax(axis=1)
            where = np.stack([higher, lower], axis=1)
        for start, middle, end in parts:
            if start < middle < end:
                higher = start + ranked[:, start:middle].argmin(axis=1)
                lower = middle + ranked[:, middle:end].argmax(axis=1)
                lead = ranked[draws, lower] - ranked[draws, higher]
                where[lead > leads] = np.stack([higher, lower], axis=1)[lead > leads]
                leads = np.maximum(lead, leads)
        return leads, np.asarray(order)[where]


class Doubt(NamedTuple):
    """Two players whom a claim may put in the wrong order, and how likely that is."""

    higher: int
    lower: int
    likelihood: float


class Claim(NamedTuple):
    """An order of players, the best first, how likely the goal's part of it is, and its doubts."""

    order: list[int]
    likelihood: float
    doubts: list[Doubt]


def random_strengths(points: Floats, covariance: Floats, seed: int) -> Floats:
    """Return random draws of strengths with a normal distribution; shape (draws, players)."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0))
    noise = np.random.default_rng(seed).standard_normal((DRAWS, len(points)))
    strengths: Floats = points + noise @ root.T
    return strengths


def claim(goal: Goal, points: Floats, strengths: Floats) -> Claim:
    """Return what can be claimed of players with these likely ``points`` and random strengths."""
    order = [*map(int, np.argsort(-points, kind="stable"))]
    excess, where = goal.contradiction(order, strengths)
    wrong = excess > goal.within
    pairs = Counter((int(higher), int(lower)) for higher, lower in where[wrong])
    doubts = [
        Doubt(
            higher, lower, float((strengths[:, lower] - strengths[:, higher] > goal.within).mean())
        )
        for (higher, lower), _ in pairs.most_common(MAX_DOUBTS)
    ]
    return Claim(order, float(1 - wrong.mean()), doubts)


def telling_meetings(
    goal: Goal, strengths: Floats, number: int, may_meet: Callable[[int, int], bool]
) -> list[tuple[int, int]]:
    """Return up to ``number`` meetings, by top-two Thompson sampling.

    Fewer are returned if the players who would have to meet may not.
    """
    found: list[tuple[int, int]] = []
    blocks = iter(np.array_split(strengths, len(strengths) // DRAWS_PER_MEETING))
    for block in blocks:
        order = [*map(int, np.argsort(-block[0], kind="stable"))]
        excess, where = goal.contradiction(order, block)
        for higher, lower in where[excess > goal.within]:
            if may_meet(int(higher), int(lower)):
                found.append((int(higher), int(lower)))
                break
        if len(found) == number:
            break
    return found
