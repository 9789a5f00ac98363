"""Elo difference of two players from their results, with a 95% interval."""

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from c4_referee.records.stats.bounded import (
    TAIL_PROBABILITY,
    confidence_above,
    interval,
    likelihood_above,
)

POINTS_PER_LOGIT = 400 / math.log(10)
"""Number of Elo points in one logit.

A difference of 400 points means odds of ten to one (Elo, The Rating of Chessplayers, 1978).
"""
MAX_ELO_DIFFERENCE = 2000.0
"""Maximum difference in Elo points. Larger differences are cut to this value.

It corresponds to one lost game in 100,000.
"""
MAX_PAIRS_TO_SETTLE = 50_000
"""Maximum estimate of ``pairs_to_settle``. The estimates of close results mean nothing."""


class Elo(NamedTuple):
    """A difference in Elo points with its 95% interval, and the likelihood of superiority.

    The difference is from the point of view of one player: positive if this player is stronger than
    its opponent. ``superiority`` is the likelihood, 0 to 1, that it is stronger.
    """

    difference: float
    low: float
    high: float
    superiority: float


def elo(counts: Sequence[int]) -> Elo:
    """Return a player's Elo difference to its opponent, from independent observations of its score.

    ``counts`` has the number of observations for each share of the points, in equal steps from none
    to all. For pairs of games with the same opening and both seats it has five numbers, for 0 to 4
    half points. For single games it has three numbers: losses, draws, wins. No distribution of the
    shares is assumed, so draws and the effect of an opening on both games of its pair are allowed.

    The interval is Gaffke's (``c4_referee.records.stats.bounded``). It contains the true difference
    at least 95% of the time, even if observations are few or one-sided. The difference is computed
    from the mean share after half an observation has been added at each end (Anscombe 1956,
    Biometrika 43), so it is finite. The likelihood of superiority is the posterior probability with
    the same addition. If the whole interval is above 0, this likelihood is above 97.5%.
    """
    steps = len(counts) - 1
    mean = (sum(step * count for step, count in enumerate(counts)) / steps + 0.5) / (
        sum(counts) + 1
    )
    low, high = interval(counts, TAIL_PROBABILITY)
    return Elo(
        elo_difference(mean),
        elo_difference(low),
        elo_difference(high),
        likelihood_above(counts, 0.5),
    )


def pairs_to_settle(counts: Sequence[int]) -> int:
    """Return how many observations in all would lift the 95% interval of the difference above 0.

    ``counts`` are the n observations so far (see ``elo``), in which the player has more than half
    of the points. It is assumed that further ones have the same frequencies, so the same mean share
    m and variance s². The result is the smallest k above n for which ``counts`` times k/n has such
    an interval, at most ``MAX_PAIRS_TO_SETTLE``. For many observations this is about
    (1.96 s / (m - 1/2))². It is an estimate: luck moves the number of a real match up or down, and
    a lead by luck alone does not last.
    """
    number = sum(counts)
    return bisect_left(
        range(MAX_PAIRS_TO_SETTLE),
        1 - TAIL_PROBABILITY,
        number + 1,
        key=lambda pairs: confidence_above([count * pairs / number for count in counts], 0.5),
    )


def elo_difference(share: float) -> float:
    """Return the Elo difference at which this share of the points is expected."""
    if not 0 < share < 1:
        return math.copysign(MAX_ELO_DIFFERENCE, share - 0.5)
    difference = POINTS_PER_LOGIT * math.log(share / (1 - share))
    return min(max(difference, -MAX_ELO_DIFFERENCE), MAX_ELO_DIFFERENCE)


def expected_share(difference: float) -> float:
    """Return the share of the points that is expected at this Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))
