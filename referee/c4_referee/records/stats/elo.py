"""Elo difference of two players from their results, with a 95% interval."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from c4_referee.records.stats.bounded import TAIL_PROBABILITY, interval, likelihood_above

POINTS_PER_LOGIT = 400 / math.log(10)
"""Number of Elo points in one logit.

A difference of 400 points means odds of ten to one (Elo, The Rating of Chessplayers, 1978).
"""
MAX_ELO_DIFFERENCE = 2000.0
"""Maximum difference in Elo points. Larger differences are cut to this value.

It corresponds to one lost game in 100,000.
"""


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


def pairs_needed_to_show(counts: Sequence[int], difference: float) -> int:
    """Return the number of observations that would probably show a difference in Elo points.

    ``counts`` are the observations so far (see ``elo``). The variance of a share is estimated from
    them, after one observation for each share has been added. With the number that is returned, the
    95% interval of a normal distribution excludes 0 with a probability of 80%, if the players
    differ by ``difference`` (Cohen, Statistical Power Analysis, 1988: 1.96 and 0.84 standard
    deviations).
    """
    weights = [count + 1 for count in counts]
    shares = [step / (len(counts) - 1) for step in range(len(counts))]
    mean = sum(map(math.prod, zip(weights, shares, strict=True))) / sum(weights)
    squares = [weight * (share - mean) ** 2 for weight, share in zip(weights, shares, strict=True)]
    distance = expected_share(difference) - 0.5
    return math.ceil(sum(squares) / sum(weights) * ((1.96 + 0.84) / distance) ** 2)


def elo_difference(share: float) -> float:
    """Return the Elo difference at which this share of the points is expected."""
    if not 0 < share < 1:
        return math.copysign(MAX_ELO_DIFFERENCE, share - 0.5)
    difference = POINTS_PER_LOGIT * math.log(share / (1 - share))
    return min(max(difference, -MAX_ELO_DIFFERENCE), MAX_ELO_DIFFERENCE)


def expected_share(difference: float) -> float:
    """Return the share of the points that is expected at this Elo difference."""
    return 1 / (1 + 10 ** (-difference / 400))
