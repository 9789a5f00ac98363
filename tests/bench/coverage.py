"""Coverage of the intervals of a match, and errors of its tests.

Pairs of games yield an interval for a player's share of the points. The referee's interval is
compared with the normal approximation, which most match tools print, for 4 to 4,000 pairs of games.
The stronger player takes 50 % to 99 % of the points. There are five kinds of matches: decisive
games; many draws; openings that favour a colour, so that each player wins one game of a pair;
openings that favour one of the players, so that this player wins both games; openings that favour a
colour, together with draws.

The first two tables show the coverage in the worst of the five kinds, and the mean width in percent
of the points. Nominal coverage is 95 %. The third table has the error rates and the length of the
sequential test. The last one has the verdicts of ``match --until 0.95`` for several true
differences, and how many games they took. A verdict is wrong if it says *better* of a bot that is
not better, or *within 30 Elo* if the difference is at least 30.
"""

import math
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
from _shared import show
from c4_referee.records.stats.array import Floats
from c4_referee.records.stats.bounded import TAIL_PROBABILITY, interval, probability_below
from c4_referee.records.stats.elo import expected_share
from c4_referee.records.stats.roots import root_of
from c4_referee.records.stats.sprt import WITHIN, SequentialTest, Sprt, UntilTest

SHARES = (0.5, 0.75, 0.9, 0.95, 0.99)
SIZES = (4, 10, 40, 400, 4000)
WIDTHS = 10
"""Number of matches of each kind whose width is measured, because it takes long."""
VALUES = np.linspace(0, 1, 5)
Z = 1.959964
KINDS = {
    "decisive": (0.0, 0.0, 0.0),
    "draws": (1.0, 0.0, 0.0),
    "colours": (0.0, 3.0, 0.0),
    "suits": (0.0, 0.0, 3.0),
    "colours, draws": (1.0, 2.0, 0.0),
}
"""Odds of a draw between equal players, and logits that an opening gives to a colour and to a bot.
"""
BOUNDS = ((0, 50), (0, 100), (0, 400), (600, 700))
"""Pairs of Elo differences between which the sequential test decides."""
TRUTHS = (0, 15, 30, 60)
"""True Elo differences of the matches with ``--until``."""


def games(logit: float, draws: float) -> Floats:
    """Return the probabilities of a loss, a draw and a win, for a strength in logits."""
    odds = np.array([math.exp(-logit / 2), draws, math.exp(logit / 2)])
    return odds / odds.sum()


def pair(logit: float, kind: str) -> Floats:
    """Return the probabilities of 0 to 4 half points in a pair.

    They are averaged over openings that favour the one player and openings that favour the other.
    """
    draws, colour, bot = KINDS[kind]
    sides = [
        np.convolve(
            games(logit + side * (bot + colour), draws), games(logit + side * (bot - colour), draws)
        )
        for side in (-1, 1)
    ]
    return np.mean(sides, axis=0)


def pair_of(mean: float, kind: str) -> Floats:
    """Return the probabilities of 0 to 4 half points for a player whose mean share is ``mean``."""
    logit = root_of(lambda logit: float(pair(logit, kind) @ VALUES) - mean, -30, 30, 1e-12)
    return pair(logit, kind)


def normal(counts: Floats) -> tuple[float, float]:
    """Return the normal approximation for pairs."""
    total = counts.sum()
    mean = float(counts @ VALUES / total)
    margin = Z * math.sqrt(float(counts @ (VALUES - mean) ** 2)) / total
    return mean - margin, mean + margin


def referee(counts: Floats) -> tuple[float, float]:
    """Return the interval that the referee uses."""
    return interval([*map(int, counts)], TAIL_PROBABILITY)


def referee_covers(counts: Floats, truth: float) -> bool:
    """Return whether the interval of ``referee`` contains the truth, without finding its ends."""
    first, last = np.eye(5)[0], np.eye(5)[-1]
    return (
        probability_below(counts + first, truth) >= TAIL_PROBABILITY
        and probability_below(counts + last, truth) <= 1 - TAIL_PROBABILITY
    )


METHODS: dict[str, tuple[Callable[..., tuple[float, float]], Callable[..., bool]]] = {
    "the referee's interval": (referee, referee_covers),
    "normal approximation": (
        normal,
        lambda counts, truth: normal(counts)[0] <= truth <= normal(counts)[1],
    ),
}


def coverage(name: str, drawn: Floats, truth: float) -> float:
    """Return the share of the matches ``drawn`` whose interval contains the truth."""
    matches, times = np.unique(drawn, axis=0, return_counts=True)
    covers = [METHODS[name][1](counts.astype(float), truth) for counts in matches]
    return float(times @ np.array(covers) / times.sum())


def rows_of(
    name: str, samples: int, sizes: list[int], draw: np.random.Generator
) -> Iterator[tuple[object, ...]]:
    """Yield the lowest coverage for each share of the points, and then the mean widths."""
    widths: dict[int, list[float]] = {size: [] for size in sizes}
    for truth in SHARES:
        lowest = dict.fromkeys(sizes, 1.0)
        for size, kind in product(sizes, KINDS):
            drawn = draw.multinomial(size, pair_of(truth, kind), samples)
            lowest[size] = min(lowest[size], coverage(name, drawn, truth))
            ends = (METHODS[name][0](counts.astype(float)) for counts in drawn[:WIDTHS])
            widths[size] += [high - low for low, high in ends]
        yield f"coverage at {truth:.0%}", *(100 * lowest[size] for size in sizes)
    yield "mean width", *(100 * float(np.mean(widths[size])) for size in sizes)


def error_rates(samples: int, draw: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """Yield error rates and mean length of sequential tests in which one hypothesis is true."""
    for bounds, kind in product(BOUNDS, KINDS):
        sprt = Sprt(*bounds)
        wrong, lengths = [], []
        for truth, other in ((sprt.elo0, "H1"), (sprt.elo1, "H0")):
            chances = pair_of(expected_share(truth), kind)
            tests, pairs = [SequentialTest(sprt, "") for _ in range(samples)], 0
            for test in tests:
                while not test.is_decided:
                    pairs += 1
                    test.add(int(draw.choice(len(VALUES), p=chances)))
            wrong.append(100 * float(np.mean([test.verdict == other for test in tests])))
            lengths.append(pairs / samples)
        yield f"{bounds[0]}, {bounds[1]}", kind, *wrong, float(np.mean(lengths))


def until_verdicts(samples: int, draw: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """Yield the shares of verdicts in percent, and the median and 90th percentile of the games."""
    for truth, kind in product(TRUTHS, KINDS):
        chances = pair_of(expected_share(truth), kind)
        found, lengths = [], []
        for _ in range(samples):
            test, pairs = UntilTest(0.95, WITHIN, ("stronger", "weaker")), 0
            while not test.is_decided:
                pairs += 1
                score = int(draw.choice(len(VALUES), p=chances))
                for one in test.tests:
                    one.add(score)
            found.append(test.in_report()["until"].bot or "within")
            lengths.append(2 * pairs)
        better, worse, within = (found.count(what) for what in ("stronger", "weaker", "within"))
        wrong = worse + better * (truth == 0) + within * (truth >= WITHIN)
        shares = (100 * count / samples for count in (wrong, better + worse, within))
        yield truth, kind, *shares, float(np.median(lengths)), float(np.quantile(lengths, 0.9))


def main(samples: int = 2000, most: int = SIZES[-1]) -> None:
    """Draw ``samples`` matches of each kind, with at most ``most`` pairs, and show all tables."""
    draw = np.random.default_rng(1)
    sizes = [size for size in SIZES if size <= most]
    columns = {"share of the points": ""} | {f"{size} pairs": ".1f" for size in sizes}
    for name in METHODS:
        show(f"{name}, %", columns, rows_of(name, samples, sizes, draw))
    columns = {"hypotheses": "", "games": ""}
    columns |= {"H1 where H0, %": ".1f", "H0 where H1, %": ".1f", "pairs": ".0f"}
    show("Sprt", columns, error_rates(max(samples // 4, 1), draw))
    columns = {"difference": "", "games": ""} | {"wrong, %": ".1f", "better, %": ".1f"}
    columns |= {"within, %": ".1f", "median of games": ".0f", "90th percentile": ".0f"}
    show("match --until 0.95", columns, until_verdicts(max(samples // 8, 1), draw))
