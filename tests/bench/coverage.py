"""Intervals for the share of the points, from pairs of games: how often they hold the truth.

    python tests/bench/coverage.py [samples] [most pairs] [interval ...]

Eleven ways to a nominal 95 %, for 4 to 4,000 pairs, from even players to one that takes 99 % of the
points, in five kinds of match: decisive games; many draws; openings that decide for a colour, so
that the games of a pair go against each other; openings that suit one of the players, so that they
go together; biased openings and draws. Each sample is a match. The first table has the worst
coverage in any kind of match at any strength, and in how many of all matches the interval is empty
or leaves the range, so that no Elo difference belongs to its end; the second the mean width, in
percent of the points. Then come the referee's interval and the normal one by strength, the worst of
the five kinds in each cell; at last the error rates of the sequential test, and how long it takes.
With names of intervals, only these are tried, each of them by strength, and no test.
"""

import math
import sys
from collections.abc import Callable, Sequence
from itertools import product

import numpy as np
from c4_referee.stats.array import Floats
from c4_referee.stats.bounded import TAIL, interval, probability_below, quantile
from c4_referee.stats.elo import expected_share
from c4_referee.stats.sprt import SequentialTest, Sprt, likelihood
from rich.console import Console
from rich.table import Table
from scipy.optimize import brentq
from scipy.special import betaincinv
from scipy.stats import chi2

Interval = tuple[float, float]
Found = dict[tuple[str, int], Floats]
"""By interval and size: coverage, mean width, and share of matches in which it is undefined."""
SHARES = (0.5, 0.75, 0.9, 0.95, 0.99)
SIZES = (4, 10, 40, 400, 4000)
WIDTHS = 10
"""Of how many matches of each sort the width is taken: some are slow to find."""
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
"""Odds of a draw to a win between equals; logits that an opening gives to a colour; to a bot."""


def games(logit: float, draws: float) -> Floats:
    """Probabilities of a loss, a draw and a win."""
    odds = np.array([math.exp(-logit / 2), draws, math.exp(logit / 2)])
    return odds / odds.sum()


def pair(logit: float, kind: str) -> Floats:
    """Probabilities of 0 to 4 half points of a pair, openings being for either side alike."""
    draws, colour, bot = KINDS[kind]
    sides = [
        np.convolve(
            games(logit + side * (bot + colour), draws), games(logit + side * (bot - colour), draws)
        )
        for side in (-1, 1)
    ]
    return np.mean(sides, axis=0)


def pair_of(mean: float, kind: str) -> Floats:
    """The same, for a player who is to have a share ``mean`` of the points."""
    logit = brentq(lambda logit: float(pair(logit, kind) @ VALUES) - mean, -30, 30)
    return pair(logit, kind)


def moments(counts: Floats, values: Floats) -> tuple[float, float, float]:
    """How many, their mean and their standard deviation."""
    total = counts.sum()
    mean = float(counts @ values / total)
    return total, mean, math.sqrt(float(counts @ (values - mean) ** 2) / total)


def single_normal(counts: Floats) -> Interval:
    """Games as if independent, the normal approximation; half points shared out as wins and losses.

    What most match tools print, but that draws are lost in the pair's score.
    """
    total, mean, _ = moments(counts, VALUES)
    margin = Z * math.sqrt(mean * (1 - mean) / (2 * total))
    return mean - margin, mean + margin


def normal(counts: Floats) -> Interval:
    """Pairs, the normal approximation: what the better match tools print."""
    total, mean, deviation = moments(counts, VALUES)
    margin = Z * deviation / math.sqrt(total)
    return mean - margin, mean + margin


def wilson(counts: Floats) -> Interval:
    """Wilson 1927, each pair being won or lost in part."""
    total, mean, _ = moments(counts, VALUES)
    centre = (mean + Z**2 / (2 * total)) / (1 + Z**2 / total)
    margin = Z * math.sqrt(mean * (1 - mean) / total + Z**2 / (4 * total**2)) / (1 + Z**2 / total)
    return centre - margin, centre + margin


def exact(counts: Floats, observations: int = 1) -> Interval:
    """Clopper and Pearson 1934, pairs (or games) being won or lost in part."""
    total, mean, _ = moments(counts, VALUES)
    won, lost = observations * total * mean, observations * total * (1 - mean)
    low = float(betaincinv(won, lost + 1, TAIL)) if won else 0.0
    return low, float(betaincinv(won + 1, lost, 1 - TAIL)) if lost else 1.0


def jeffreys(counts: Floats) -> Interval:
    """The posterior of Jeffreys' prior, pairs being won or lost in part."""
    total, mean, _ = moments(counts, VALUES)
    shapes = (total * mean + 0.5, total * (1 - mean) + 0.5)
    return float(betaincinv(*shapes, TAIL)), float(betaincinv(*shapes, 1 - TAIL))


def hoeffding(counts: Floats) -> Interval:
    """Hoeffding 1963."""
    total, mean, _ = moments(counts, VALUES)
    margin = math.sqrt(math.log(1 / TAIL) / (2 * total))
    return max(mean - margin, 0), min(mean + margin, 1)


def bernstein(counts: Floats) -> Interval:
    """Maurer and Pontil 2009, an empirical Bernstein bound."""
    total, mean, deviation = moments(counts, VALUES)
    logarithm = math.log(2 / TAIL)
    margin = deviation * math.sqrt(2 * logarithm / (total - 1)) + 7 * logarithm / (3 * (total - 1))
    return max(mean - margin, 0), min(mean + margin, 1)


def dirichlet(counts: Floats) -> Interval:
    """The posterior of Jeffreys' prior for five outcomes."""
    return quantile(counts + 0.5, TAIL), quantile(counts + 0.5, 1 - TAIL)


def empirical(counts: Floats) -> Interval:
    """Empirical likelihood (Owen 1988), the ends of the range being possible."""
    mean = min(max(moments(counts, VALUES)[1], TINY), 1 - TINY)
    beyond = lambda share: -likelihood(counts, VALUES - share) - CONFIDENT  # noqa: E731
    low = brentq(beyond, TINY / 2, mean) if mean > TINY else 0.0
    return low, brentq(beyond, mean, 1 - TINY / 2) if mean < 1 - TINY else 1.0


def gaffke(counts: Floats) -> Interval:
    """The referee's."""
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
    """Whether the interval of ``dirichlet`` does, without its ends."""
    return TAIL <= probability_below(counts + 0.5, truth) <= 1 - TAIL


def covers_gaffke(counts: Floats, truth: float) -> bool:
    """Whether the interval of ``gaffke`` does, without its ends."""
    first, last = np.eye(5)[0], np.eye(5)[-1]
    return (
        probability_below(counts + first, truth) >= TAIL
        and probability_below(counts + last, truth) <= 1 - TAIL
    )


def covers_empirical(counts: Floats, truth: float) -> bool:
    """Whether the interval of ``empirical`` does, without its ends."""
    return -likelihood(counts, VALUES - truth) <= CONFIDENT


COVERS = {
    "pairs, Gaffke": covers_gaffke,
    "pairs, Dirichlet": covers_dirichlet,
    "pairs, likelihood": covers_empirical,
}


def covered(name: str, counts: Floats, truth: float) -> bool:
    """Whether a method's interval holds the truth."""
    if name in COVERS:
        return COVERS[name](counts, truth)
    low, high = METHODS[name](counts)
    return low <= truth <= high


def undefined(bounds: Interval) -> bool:
    """Whether one of the ends, or the interval, is no Elo difference."""
    return not 0 <= bounds[0] < bounds[1] <= 1


def coverage(name: str, matches: Floats, times: Floats, truth: float) -> float:
    """The share of matches whose interval holds the truth; each was seen ``times``."""
    hits = [covered(name, counts, truth) for counts in matches]
    return float(times @ np.array(hits) / times.sum())


def intervals(
    names: Sequence[str], samples: int, sizes: Sequence[int], draw: np.random.Generator
) -> Found:
    """What is seen of each interval for each size, by share and kind: shape (25, 3)."""
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


def compared(names: Sequence[str], sizes: Sequence[int], found: Found) -> tuple[Table, Table]:
    """The tables in which intervals stand beside each other."""
    worst, width = (
        Table("interval", *(f"{size} pairs" for size in sizes), title=title)
        for title in ("worst coverage, %, and matches in which it is undefined, %", "mean width, %")
    )
    for name in names:
        cells = [found[name, size] for size in sizes]
        worst.add_row(
            name, *(f"{100 * c[:, 0].min():.1f}  {100 * c[:, 2].mean():.0f}" for c in cells)
        )
        width.add_row(name, *(f"{100 * c[:, 1].mean():.2f}" for c in cells))
    return worst, width


def by_strength(name: str, sizes: Sequence[int], found: Found) -> Table:
    """The coverage of one interval."""
    title = f"{name}: coverage in the worst kind of match, %"
    table = Table("share of the points, %", *(f"{size} pairs" for size in sizes), title=title)
    covers = [found[name, size][:, 0].reshape(len(SHARES), -1).min(axis=1) for size in sizes]
    for truth, row in zip(SHARES, np.transpose(covers), strict=True):
        table.add_row(f"{100 * truth:g}", *(f"{100 * cover:.1f}" for cover in row))
    return table


def tests(samples: int, draw: np.random.Generator) -> Table:
    """Error rates of sequential tests in which either hypothesis is true."""
    table = Table("test", "games", "H1 where H0, %", "H0 where H1, %", "pairs", title="Sprt")
    for bounds, kind in product(((0, 50), (0, 100), (0, 400), (600, 700)), KINDS):
        sprt = Sprt(*bounds)
        wrong, lengths = [], []
        for truth, other in ((sprt.elo0, "H1"), (sprt.elo1, "H0")):
            ended = [
                one_test(sprt, pair_of(expected_share(truth), kind), draw) for _ in range(samples)
            ]
            wrong.append(np.mean([verdict == other for verdict, _ in ended]))
            lengths.append(np.mean([pairs for _, pairs in ended]))
        rates = (f"{100 * rate:.1f}" for rate in wrong)
        table.add_row(f"{bounds[0]}, {bounds[1]}", kind, *rates, f"{np.mean(lengths):.0f}")
    return table


def one_test(sprt: Sprt, probabilities: Floats, draw: np.random.Generator) -> tuple[str, int]:
    """The verdict of a test, and after how many pairs."""
    test, pairs = SequentialTest(sprt, ""), 0
    while not test.is_decided:
        pairs += 1
        test.add(int(draw.choice(len(VALUES), p=probabilities)))
    return test.verdict, pairs


def main(samples: int = 2000, most: int = SIZES[-1], chosen: Sequence[str] = ()) -> None:
    """Prints the tables."""
    draw = np.random.default_rng(1)
    console = Console()
    names, sizes = chosen or [*METHODS], [size for size in SIZES if size <= most]
    found = intervals(names, samples, sizes, draw)
    for table in compared(names, sizes, found):
        console.print(table)
    for name in chosen or ("pairs, Gaffke", "pairs, normal"):
        console.print(by_strength(name, sizes, found))
    if not chosen:
        console.print(tests(max(samples // 4, 1), draw))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]), chosen=sys.argv[3:])
