"""Sequential test that decides from pairs of games between two differences in strength.

This is the generalised sequential probability ratio test, SPRT (Li, Liu and Ying 2014, *Generalized
sequential probability ratio test for separate families of hypotheses*, Sequential Analysis 33), as
Van den Bergh applies it to engine matches (*A practical introduction to the GSPRT*). A hypothesis
fixes only the mean score of a pair. Many distributions of scores have this mean. The likelihood of
a hypothesis is the likelihood under the one that fits the results best. The test decides between
the hypotheses. It does not measure how much stronger the player is.

Error rate of tests with nominal 5%, measured by ``tests/bench/coverage.py`` with 500 tests of each
of 20 kinds under each hypothesis: 0 to 6.6%, on average 3.7%.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import shown
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import SprtRecord, UntilRecord, UntilVerdict

from c4_referee.records.stats.elo import MAX_ELO_DIFFERENCE, expected_share
from c4_referee.records.stats.observations import NUMBER_OF_PAIR_SCORES, PairFinder, half_points
from c4_referee.records.stats.roots import root_of

SprtVerdict = Literal["H0", "H1", "undecided"]

ROOT_TOLERANCE = 1e-12
"""Maximum error of a Lagrange multiplier in ``max_log_likelihood``."""
WITHIN = 30.0
"""Default Elo difference below which two bots count as equally good."""
MARGIN_AT_BOUNDS = 1e-12
"""Minimum relative distance of a Lagrange multiplier from its bounds."""


@dataclass(frozen=True)
class Sprt:
    """A test of H0, a difference of ``elo0`` Elo points, against H1, a difference of ``elo1``.

    ``alpha`` is the probability of accepting H1 if H0 is true. ``beta`` is the probability of
    accepting H0 if H1 is true. Points are logistic Elo points, as in
    ``c4_referee.records.stats.elo``. They differ from the normalised Elo points of the program
    fishtest, whose size depends on the share of draws. Raises ``ValueError`` for impossible
    numbers.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise ValueError(
                f"elo0 must be less than elo1, but {self.elo0:g} is not less than {self.elo1:g}"
            )
        if self.elo0 < -MAX_ELO_DIFFERENCE or self.elo1 > MAX_ELO_DIFFERENCE:
            raise ValueError(
                f"elo0 and elo1 must be from {-MAX_ELO_DIFFERENCE:g} to {MAX_ELO_DIFFERENCE:g}, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(
                "alpha and beta must be above 0 and below 0.5, "
                f"not {self.alpha:g} and {self.beta:g}"
            )

    @classmethod
    def parse(cls, text: str) -> "Sprt":
        """Return the test of a text ``elo0,elo1[,alpha[,beta]]``; raise ``ValueError`` if wrong."""
        numbers = [float(number) for number in text.split(",")]
        if not 2 <= len(numbers) <= 4:
            raise ValueError(f"expected elo0,elo1[,alpha,beta], not '{text}'")
        return cls(*numbers)

    @property
    def lower(self) -> float:
        """Log-likelihood ratio at or below which H0 is accepted (Wald 1945)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Log-likelihood ratio at or above which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0.

        ``counts`` has the number of pairs with each score, from 0 to 4 half points. The ratio is
        always finite, because a hypothesis may give any probability to a score that did not occur.
        """
        return self._log_likelihood(self.elo1, counts) - self._log_likelihood(self.elo0, counts)

    def verdict(self, llr: float) -> SprtVerdict:
        """Return the decision at a log-likelihood ratio."""
        return "H1" if llr >= self.upper else "H0" if llr <= self.lower else "undecided"

    def _log_likelihood(self, points: float, counts: Sequence[int]) -> float:
        share, last = expected_share(points), len(counts) - 1
        return max_log_likelihood(counts, [step / last - share for step in range(len(counts))])


class SequentialTest:
    """A test of ``bot`` in progress. After the test has decided, its verdict does not change.

    Games must be given in the order of the schedule. If they were given in the order in which they
    end, the first games would be short, and a bot that wins quickly would seem too strong.
    """

    def __init__(self, sprt: Sprt, bot: str) -> None:
        self.sprt = sprt
        self.llr = 0.0
        self.verdict: SprtVerdict = "undecided"
        self._bot = bot
        self._pairs = PairFinder[GameEnded]()
        self._counts = [0] * NUMBER_OF_PAIR_SCORES

    @property
    def is_decided(self) -> bool:
        """True if a hypothesis has been accepted."""
        return self.verdict != "undecided"

    def take_game(self, game: GameEnded) -> bool:
        """Take the next game of the bot, and return whether the test has decided."""
        pair = self._pairs.take(game)
        if pair is not None:
            self.add(sum(half_points(self._bot, game) for game in pair))
        return self.is_decided

    def add(self, score: int) -> bool:
        """Take the half points, 0 to 4, of the next pair; return whether the test has decided."""
        if not self.is_decided:
            self._counts[score] += 1
            self.llr = self.sprt.llr(self._counts)
            self.verdict = self.sprt.verdict(self.llr)
        return self.is_decided

    @property
    def record(self) -> SprtRecord:
        """State of the test in reports."""
        sprt, numbers = self.sprt, (self.llr, self.sprt.lower, self.sprt.upper)
        llr, lower, upper = (round(number, 4) for number in numbers)
        return SprtRecord(llr, lower, upper, self.verdict, sprt.elo0, sprt.elo1)

    def in_report(self) -> dict[str, Any]:
        """Return the field of the report of a match that has the state of the test."""
        return {"sprt": self.record}


class UntilTest:
    """Test of a match that ends when one of two ``bots`` is better, or both are about equally good.

    Each bot has a test of 0 against ``within`` Elo points. A bot is better if that is accepted of
    it. If it is accepted of neither, the difference is less than ``within``. Each test has half of
    the error probability 1 - ``until``, because either of them can be wrong. Both tests are kept
    from the point of view of the first bot, so that of the second is one of -``within`` against 0,
    in which H0 says that the second bot is better. Raises ``UsageError`` for impossible numbers.

    Wrong verdicts of ``UntilTest(0.95, 30)`` and its games, measured by ``tests/bench/coverage.py``
    with 250 matches of each of five kinds:

    ===============  ==========  =================  ==================
    true difference  wrong       median of games    90th percentile
    ===============  ==========  =================  ==================
    0                3.2 - 6.8%  286 - 2,240        499 - 3,978
    15               0%          373 - 2,550        1,016 - 7,466
    30               1.2 - 3.2%  174 - 1,392        374 - 3,397
    60               0%          94 - 510           152 - 888
    ===============  ==========  =================  ==================
    """

    def __init__(self, until: object, within: object, bots: tuple[str, str]) -> None:
        if not (isinstance(until, int | float) and 0.5 < until < 1):
            raise UsageError(f"--until is a number above 0.5 and below 1, not {shown(until)}")
        if not (isinstance(within, int | float) and 0 < within <= MAX_ELO_DIFFERENCE):
            limits = f"above 0 and at most {MAX_ELO_DIFFERENCE:g}"
            raise UsageError(f"--within is a number of Elo points {limits}, not {shown(within)}")
        self._until, self._within, self._bots, error = until, within, bots, (1 - until) / 2
        sprts = Sprt(0, within, error, error), Sprt(-within, 0, error, error)
        self.tests = [SequentialTest(sprt, bots[0]) for sprt in sprts]

    @property
    def verdict(self) -> UntilVerdict:
        """Decision of both tests."""
        first, second = (test.verdict for test in self.tests)
        if first == "H1" or second == "H0":
            return "better"
        return "within" if first == "H0" and second == "H1" else "undecided"

    @property
    def is_decided(self) -> bool:
        """True if one bot is better, or both are within the difference."""
        return self.verdict != "undecided"

    def take_game(self, game: GameEnded) -> bool:
        """Take the next game, as ``SequentialTest``, and return whether the tests have decided."""
        if not self.is_decided:
            for test in self.tests:
                test.take_game(game)
        return self.is_decided

    def in_report(self) -> dict[str, Any]:
        """Return the field of the report of a match that has the state of the tests."""
        bot = self._bots[self.tests[0].verdict != "H1"] if self.verdict == "better" else None
        first, second = (test.record for test in self.tests)
        record = UntilRecord(self._until, self._within, self.verdict, bot, (first, second))
        return {"until": record}


def match_test(
    bots: tuple[str, str], sprt: Sprt | None, until: object, within: object
) -> SequentialTest | UntilTest | None:
    """Return the test of a match that the user asked for, if any. Raise ``UsageError`` if wrong."""
    if until is None:
        if within is not None:
            raise UsageError("--within goes with --until")
        return None if sprt is None else SequentialTest(sprt, bots[0])
    if sprt is not None:
        raise UsageError("--sprt and --until are different tests: leave out one of them")
    return UntilTest(until, WITHIN if within is None else within, bots)


def max_log_likelihood(counts: Sequence[float], deviations: Sequence[float]) -> float:
    """Return the highest log-likelihood of ``counts`` under distributions with a given mean.

    ``deviations`` are the values minus this mean. At least one must be above 0 and one below. The
    log-likelihood of the observed frequencies is subtracted, so the result is 0 or less. The
    Lagrange multiplier of the maximum lies between two bounds (Owen 2001, *Empirical Likelihood*,
    section 2.9), and is found by a method that always ends. Each bound belongs to the lowest or the
    highest value. If the multiplier is at a bound, that value was not observed, and it gets the
    probability that the other values leave.
    """
    low, high = (1 - MARGIN_AT_BOUNDS) / -max(deviations), (1 - MARGIN_AT_BOUNDS) / -min(deviations)
    terms = [*zip(counts, deviations, strict=True)]

    def slope(multiplier: float) -> float:
        return sum(count * away / (1 + multiplier * away) for count, away in terms)

    if slope(low) <= 0:
        multiplier = low
    elif slope(high) >= 0:
        multiplier = high
    else:
        multiplier = root_of(slope, low, high, ROOT_TOLERANCE)
    return -sum(count * math.log1p(multiplier * away) for count, away in terms)
