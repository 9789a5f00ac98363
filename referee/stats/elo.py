"""Elo difference of two players from their results, with an interval that keeps its promise."""

import math
from typing import NamedTuple

from scipy.special import betainc, betaincinv

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


def elo(wins: int, draws: int, losses: int) -> Elo:
    """How much stronger the winner of ``wins`` games is, from independent games.

    Draws count half to each side. The interval is the exact binomial one (Clopper and Pearson
    1934, Biometrika 26), which covers the truth at least 95% of the time however few and however
    one-sided the games are, and more often where there are draws. The difference is that of the
    score with half a point added to both sides (Anscombe 1956, Biometrika 43), so that it is
    finite, and the likelihood of superiority is the posterior one under Jeffreys' prior.
    """
    scored, conceded = wins + draws / 2, losses + draws / 2
    low = betaincinv(scored, conceded + 1, TAIL) if scored else 0.0
    high = betaincinv(scored + 1, conceded, 1 - TAIL) if conceded else 1.0
    return Elo(
        points((scored + 0.5) / (scored + conceded + 1)),
        points(low),
        points(high),
        float(betainc(conceded + 0.5, scored + 0.5, 0.5)),
    )


def points(score: float) -> float:
    """The Elo difference at which a share ``score`` of the points is expected."""
    if not 0 < score < 1:
        return math.copysign(FURTHEST, score - 0.5)
    difference = POINTS_PER_LOGIT * math.log(score / (1 - score))
    return min(max(difference, -FURTHEST), FURTHEST)
