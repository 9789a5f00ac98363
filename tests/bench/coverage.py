"""Coverage of the intervals for a match, and errors of the SPRT.

Pairs of games yield an interval for a player's share of the points. Eleven methods with a nominal
coverage of 95 % are compared, for 4 to 4,000 pairs of games. The stronger player takes 50 % to 99
% of the points. There are five kinds of matches: decisive games; many draws; openings that favour
a colour, so that each player wins one game of a pair; openings that favour one of the players, so
that this player wins both games; openings that favour a colour, together with draws.

The first three tables have one row for each method. They show the lowest coverage in any kind of
match at any strength; the percentage of matches in which the interval is empty or leaves the range
0 to 1, so that one end has no Elo difference; and the mean width, in percent of the points. The
next tables show the referee's interval and the normal interval by strength. Each cell is the
lowest coverage of the five kinds. The last table has the error rates and the length of the
sequential test.

If methods are named, only these are compared, each by strength, without the sequential test.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import numpy as np
from _shared import show
from c4_referee.stats.array import Floats
from c4_referee.stats.bounded import TAIL, interval, probability_below, quantile
from c4_referee.stats.elo import expected_share
from c4_referee.stats.sprt import SequentialTest, Sprt, likelihood
from scipy.optimize import brentq
from scipy.special import betaincinv
from scipy.stats import chi2

Interval = tuple[float, float]
Found = dict[tuple[str, int], Floats]
"""Maps a method and a number of pairs to its coverage, mean width and undefined share."""
SHARES = (0.5, 0.75, 0.9, 0.95, 0.99)
SIZES = (4, 10, 40, 400, 4000)
WIDTHS = 10
"""Number of matches of each kind whose width is measured. Some intervals are slow to compute."""
VALUES = np.linspace(0, 1, 5)
TINY = 1e-12
Z = 1.959964
CONFIDENT = chi2.ppf(1 - 2 * TAIL, 1) / 2
KINDS = {
    "decisive": (0.0, 0.0, 0.0),
    "draws": (1.0, 0.0, 0.0),
    "colours": (0.0, 3.0, 0.0),
    "suits": (0.0, 0.0, 3.0),
    "colours, draws": (1.0, 2.0, 0.0),
}
"""Odds of a draw between equal players, and logits that an opening gives to a colour and to a bot.
"""


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
    logit = brentq(lambda logit: float(pair(logit, kind) @ VALUES) - mean, -30, 30)
    return pair(logit, kind)


def moments(counts: Floats, values: Floats) -> tuple[float, float, float]:
    """Return the number of observations, their mean and their standard deviation."""
    total = counts.sum()
    mean = float(counts @ values / total)
    return total, mean, math.sqrt(float(counts @ (values - mean) ** 2) / total)


def single_normal(counts: Floats) -> Interval:
    """Return the normal approximation that treats games as independent.

    Most match tools print this interval. Half points count as half a win and half a loss, because
    the score of a pair does not show its draws.
    """
    total, mean, _ = moments(counts, VALUES)
    margin = Z * math.sqrt(mean * (1 - mean) / (2 * total))
    return mean - margin, mean + margin


def normal(counts: Floats) -> Interval:
    """Return the normal approximation for pairs. The better match tools print this interval."""
    total, mean, deviation = moments(counts, VALUES)
    margin = Z * deviation / math.sqrt(total)
    return mean - margin, mean + margin


def wilson(counts: Floats) -> Interval:
    """Return the interval of Wilson (1927). A pair counts as partly won and partly lost."""
    total, mean, _ = moments(counts, VALUES)
    centre = (mean + Z**2 / (2 * total)) / (1 + Z**2 / total)
    margin = Z * math.sqrt(mean * (1 - mean) / total + Z**2 / (4 * total**2)) / (1 + Z**2 / total)
    return centre - margin, centre + margin


def exact(counts: Floats, observations: int = 1) -> Interval:
    """Return the interval of Clopper and Pearson (1934). Pairs or games count as partly won."""
    total, mean, _ = moments(counts, VALUES)
    won, lost = observations * total * mean, observations * total * (1 - mean)
    low = float(betaincinv(won, lost + 1, TAIL)) if won else 0.0
    return low, float(betaincinv(won + 1, lost, 1 - TAIL)) if lost else 1.0


def jeffreys(counts: Floats) -> Interval:
    """Return the interval from the posterior of Jeffreys' prior. Pairs count as partly won."""
    total, mean, _ = moments(counts, VALUES)
    shapes = (total * mean + 0.5, total * (1 - mean) + 0.5)
    return float(betaincinv(*shapes, TAIL)), float(betaincinv(*shapes, 1 - TAIL))


def hoeffding(counts: Floats) -> Interval:
    """Return the interval of Hoeffding (1963)."""
    total, mean, _ = moments(counts, VALUES)
    margin = math.sqrt(math.log(1 / TAIL) / (2 * total))
    return max(mean - margin, 0), min(mean + margin, 1)


def bernstein(counts: Floats) -> Interval:
    """Return the interval from the empirical Bernstein bounds of Maurer and Pontil (2009)."""
    total, mean, deviation = moments(counts, VALUES)
    logarithm = math.log(2 / TAIL)
    margin = deviation * math.sqrt(2 * logarithm / (total - 1)) + 7 * logarithm / (3 * (total - 1))
    return max(mean - margin, 0), min(mean + margin, 1)


def dirichlet(counts: Floats) -> Interval:
    """Return the interval from the posterior of Jeffreys' prior for five outcomes."""
    return quantile(counts + 0.5, TAIL), quantile(counts + 0.5, 1 - TAIL)


def empirical(counts: Floats) -> Interval:
    """Return the interval of empirical likelihood (Owen 1988)."""
    mean = min(max(moments(counts, VALUES)[1], TINY), 1 - TINY)
    beyond = lambda share: -likelihood(counts, VALUES - share) - CONFIDENT  # noqa: E731
    low = brentq(beyond, TINY / 2, mean) if mean > TINY else 0.0
    return low, brentq(beyond, mean, 1 - TINY / 2) if mean < 1 - TINY else 1.0


def gaffke(counts: Floats) -> Interval:
    """Return the interval that the referee uses, by the method of Gaffke."""
    return interval([*map(int, counts)], TAIL)


METHODS: dict[str, Callable[[Floats], Interval]] = {
    "games, normal": single_normal,
    "games, Clopper-Pearson": lambda counts: exact(counts, 2),
    "pairs, normal": normal,
    "pairs, Wilson": wilson,
    "pairs, Jeffreys": jeffreys,
    "pairs, Clopper-Pearson": exact,
    "pairs, Hoeffding": hoeffding,
    "pairs, Bernstein": bernstein,
    "pairs, likelihood": empirical,
    "pairs, Dirichlet": dirichlet,
    "pairs, Gaffke": gaffke,
}


def covers_dirichlet(counts: Floats, truth: float) -> bool:
    """Return whether the interval of ``dirichlet`` contains the truth, without finding its ends."""
    return TAIL <= probability_below(counts + 0.5, truth) <= 1 - TAIL


def covers_gaffke(counts: Floats, truth: float) -> bool:
    """Return whether the interval of ``gaffke`` contains the truth, without finding its ends."""
    first, last = np.eye(5)[0], np.eye(5)[-1]
    return (
        probability_below(counts + first, truth) >= TAIL
        and probability_below(counts + last, truth) <= 1 - TAIL
    )


def covers_empirical(counts: Floats, truth: float) -> bool:
    """Return whether the interval of ``empirical`` contains the truth, without finding its ends."""
    return -likelihood(counts, VALUES - truth) <= CONFIDENT


COVERS = {
    "pairs, Gaffke": covers_gaffke,
    "pairs, Dirichlet": covers_dirichlet,
    "pairs, likelihood": covers_empirical,
}


def covered(name: str, counts: Floats, truth: float) -> bool:
    """Return whether a method's interval contains the truth."""
    if name in COVERS:
        return COVERS[name](counts, truth)
    low, high = METHODS[name](counts)
    return low <= truth <= high


def undefined(bounds: Interval) -> bool:
    """Return whether an interval is empty or one of its ends has no Elo difference."""
    return not 0 <= bounds[0] < bounds[1] <= 1


def coverage(name: str, matches: Floats, times: Floats, truth: float) -> float:
    """Return the share of matches whose interval contains the truth.

    ``times[i]`` is how often ``matches[i]`` was drawn.
    """
    hits = [covered(name, counts, truth) for counts in matches]
    return float(times @ np.array(hits) / times.sum())


def figures_of(
    names: Sequence[str], samples: int, sizes: Sequence[int], draw: np.random.Generator
) -> Found:
    """Return the figures of each method and size.

    They are an array of shape (25, 3), with a row for each share of the points and kind of match.
    """
    found: dict[tuple[str, int], list[tuple[float, float, float]]] = {}
    for size, truth, kind in product(sizes, SHARES, KINDS):
        drawn = draw.multinomial(size, pair_of(truth, kind), samples)
        matches, times = np.unique(drawn, axis=0, return_counts=True)
        for name in names:
            ends = [METHODS[name](counts.astype(float)) for counts in drawn[:WIDTHS]]
            found.setdefault((name, size), []).append(
                (
                    coverage(name, matches.astype(float), times, truth),
                    float(np.mean([high - low for low, high in ends])),
                    float(np.mean([undefined(bounds) for bounds in ends])),
                )
            )
    return {key: np.array(values) for key, values in found.items()}


def show_compared(names: Sequence[str], sizes: Sequence[int], found: Found) -> None:
    """Show the lowest coverage, the share of undefined intervals, and the mean width by method."""
    columns = {"interval": ""} | {f"{size} pairs": ".1f" for size in sizes}
    figures: dict[str, Callable[[Floats], float]] = {
        "lowest coverage, %": lambda figures: figures[:, 0].min(),
        "undefined, % of the matches": lambda figures: figures[:, 2].mean(),
        "mean width, % of the points": lambda figures: figures[:, 1].mean(),
    }
    for title, figure in figures.items():
        rows = (
            (name, *(100 * float(figure(found[name, size])) for size in sizes)) for name in names
        )
        show(title, columns, rows)


def show_by_strength(name: str, sizes: Sequence[int], found: Found) -> None:
    """Show the coverage of one method for each share of the points."""
    covers = [found[name, size][:, 0].reshape(len(SHARES), -1).min(axis=1) for size in sizes]
    rows = (
        (f"{100 * truth:g}", *(100 * float(cover) for cover in row))
        for truth, row in zip(SHARES, np.transpose(covers), strict=True)
    )
    columns = {"share of the points, %": ""} | {f"{size} pairs": ".1f" for size in sizes}
    show(f"{name}: coverage in the worst kind of match, %", columns, rows)


def error_rates(samples: int, draw: np.random.Generator) -> Iterator[tuple[object, ...]]:
    """Yield error rates and mean length of sequential tests in which one hypothesis is true."""
    for bounds, kind in product(((0, 50), (0, 100), (0, 400), (600, 700)), KINDS):
        sprt = Sprt(*bounds)
        wrong, lengths = [], []
        for truth, other in ((sprt.elo0, "H1"), (sprt.elo1, "H0")):
            ended = [
                one_test(sprt, pair_of(expected_share(truth), kind), draw) for _ in range(samples)
            ]
            wrong.append(100 * float(np.mean([verdict == other for verdict, _ in ended])))
            lengths.append(np.mean([pairs for _, pairs in ended]))
        yield f"{bounds[0]}, {bounds[1]}", kind, *wrong, float(np.mean(lengths))


def one_test(sprt: Sprt, probabilities: Floats, draw: np.random.Generator) -> tuple[str, int]:
    """Return the verdict of one sequential test, and the number of pairs until it was decided."""
    test, pairs = SequentialTest(sprt, ""), 0
    while not test.is_decided:
        pairs += 1
        test.add(int(draw.choice(len(VALUES), p=probabilities)))
    return test.verdict, pairs


def main(samples: int = 2000, most: int = SIZES[-1], *chosen: str) -> None:
    """Draw ``samples`` matches of each kind, with at most ``most`` pairs, and show all tables."""
    draw = np.random.default_rng(1)
    names, sizes = chosen or [*METHODS], [size for size in SIZES if size <= most]
    found = figures_of(names, samples, sizes, draw)
    show_compared(names, sizes, found)
    for name in chosen or ("pairs, Gaffke", "pairs, normal"):
        show_by_strength(name, sizes, found)
    if not chosen:
        columns = {"hypotheses": "", "games": ""}
        columns |= {"H1 where H0, %": ".1f", "H0 where H1, %": ".1f", "pairs": ".0f"}
        show("Sprt", columns, error_rates(max(samples // 4, 1), draw))
