"""Elo difference of two players from their results, with an interval that keeps its promise."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from c4_referee.stats.bounded import interval, likelihood_above

POINTS_PER_LOGIT = 400 / math.log(10)
"""Elo's scale: 400 points are odds of ten to one (Elo, The Rating of Chessplayers, 1978)."""
FURTHEST = 2000.0
"""Differences beyond this many points either way are cut here: one game lost in 100,000."""
TAIL = 0.025
"""What a 95% interval leaves out on either side."""


class Elo(NamedTuple):
    """A difference in Elo points with its 95% interval, and the likelihood of superiority."""

    difference: float
    low: float
    high: float
    superiority: float


def elo(counts: Sequence[int]) -> Elo:
    """How much stronger one player is, from independent observations of his score.

    ``counts`` tells how many observations had which share of the points, in equal steps from none
    to all: five numbers for pairs of games with the same opening and both colours (from 0 to 2
    points by halves), three for single games (losses, draws, wins). Nothing is supposed of how the
    shares are distributed: draws, and what an opening does to both games of its pair, are in the
    counts.

    The interval is Gaffke's (``c4_referee.stats.bounded``), which covers the truth at least 95% of
    the time however few and however one-sided the observations are. The difference is that of the
    mean share with half an observation added at either end (Anscombe 1956, Biometrika 43), so that
    it is finite, and the likelihood of superiority is the posterior one with the same addition. It
    is above 97.5% wherever the interval is above 0.
    """
    steps = len(counts) - 1
    mean = (sum(step * count for step, count in enumerate(counts)) / steps + 0.5) / (
        sum(counts) + 1
    )
    low, high = interval(counts, TAIL)
    return Elo(points(mean), points(low), points(high), likelihood_above(counts, 0.5))


def points(share: float) -> float:
    """The Elo difference at which a ``share`` of the points is expected."""
    if not 0 < share < 1:
        return math.copysign(FURTHEST, share - 0.5)
    difference = POINTS_PER_LOGIT * math.log(share / (1 - share))
    return min(max(difference, -FURTHEST), FURTHEST)


def share(difference: float) -> float:
    """The share of the points that is expected at an Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))
