"""The experiments of seed 000, beside what it says of them.

Source: 000_ccbf42599ea318ee.txt, "Setup" and "Results": 50 and 100 rounds four times each, 200 and
300 twice, all at depth 3. Its averages are multiples of 1/16 where there were four runs and of 1/2
where there were two: they are taken over all four winners of all runs. Its ratios are those of the
averages.

Its standard deviations mix two things, which we tell apart. The winners of one run are parents,
children and copies of each other: how far they differ (*within* runs) says how far that run has
come to rest. How far the means of different runs differ (*between* runs) says how well the weights
are known; intervals of the ratios are made from that, with one pair of means a run.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev

from c4_referee.stats.ratio import Ratio, ratio_of_means
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import Ending, Round, Settings
from c4_referee.tuning.genetic import GENES, Weights
from c4_referee.tuning.outcome import History, open_folder, play_run

FINDING = (1, 3, 6)
"""The document's weights."""


@dataclass(frozen=True)
class Reported:
    """A line of the document's tables: how many runs of so many rounds, and what came of them."""

    rounds: int
    runs: int
    means: tuple[float, float, float]
    deviations: tuple[float, float, float]
    ratios: tuple[float, float]


DOCUMENT = (
    Reported(50, 4, (6.7, 30.5, 78.125), (4.53, 22.5, 22.9), (4.5, 11.6)),
    Reported(100, 4, (5.125, 24.25, 78.875), (5.7, 11.7, 27.45), (4.7, 15.0)),
    Reported(200, 2, (6.0, 18.0, 55.5), (1.0, 1.5, 2.8), (3.0, 9.25)),
    Reported(300, 2, (7.0, 19.5, 43.5), (1.54, 1.7, 1.73), (2.8, 6.21)),
)


@dataclass(frozen=True)
class Row:
    """What came of several runs of so many rounds (0: of any).

    Of each weight the mean and the standard deviation over all winners, the deviation within runs
    and that of the runs' means; ``ratios`` of the 2-seq and 3-seq weights to the 1-seq weight.
    """

    rounds: int
    runs: int
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    within: tuple[float, ...]
    between: tuple[float, ...]
    ratios: tuple[Ratio, ...]

    @property
    def holds_finding(self) -> bool:
        """Whether 1-3-6 lies within the intervals of both ratios."""
        wanted = [weight / FINDING[0] for weight in FINDING[1:]]
        return all(one.holds(value) for one, value in zip(self.ratios, wanted, strict=True))


def summary(rounds: int, winners: Sequence[Sequence[Weights]]) -> Row:
    """The row of some runs, of which these are the winners."""
    genes = [[[player[gene] for player in run] for run in winners] for gene in range(GENES)]
    means = [[fmean(run) for run in runs] for runs in genes]
    return Row(
        rounds,
        len(winners),
        tuple(fmean(_flat(runs)) for runs in genes),
        tuple(_deviation(_flat(runs)) for runs in genes),
        tuple(fmean(_deviation(run) for run in runs) for runs in genes),
        tuple(_deviation(runs) for runs in means),
        tuple(ratio_of_means(means[gene], means[0]) for gene in range(1, GENES)),
    )


def _flat(runs: Sequence[Sequence[int]]) -> list[int]:
    return [weight for run in runs for weight in run]


def _deviation(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0


def rows(histories: Sequence[History]) -> list[Row]:
    """A row for each number of rounds, and one for all runs together."""
    by_rounds: dict[int, list[list[Weights]]] = {}
    for history in histories:
        by_rounds.setdefault(history.ending.rounds, []).append(history.outcome.winners)
    found = [summary(rounds, winners) for rounds, winners in by_rounds.items()]
    return [*found, summary(0, [history.outcome.winners for history in histories])]


def schedule(settings: Settings, runs: int | None) -> list[tuple[Settings, Ending]]:
    """All runs: as many as in the document, or ``runs`` of each length; each has its own seed."""
    lengths = [line.rounds for line in DOCUMENT for _ in range(runs or line.runs)]
    return [
        (replace(settings, seed=settings.seed + number), Ending(rounds))
        for number, rounds in enumerate(lengths)
    ]


def play_experiment(
    programme: Sequence[tuple[Settings, Ending]],
    arena: Arena,
    out: Path | None,
    watch: Callable[[Round], None],
) -> Iterator[History]:
    """The runs of a programme, one after the other, each in a folder of its own in ``out``.

    A game that one run has played, no other one plays.
    """
    for number, (settings, ending) in enumerate(programme, 1):
        path = out / f"{number:02}-{ending.rounds}-rounds" if out else None
        folder = open_folder(path, settings)
        if folder is None:
            yield play_run(settings, ending, arena, watch=watch)
            continue
        with folder:
            yield play_run(settings, ending, arena, folder, watch)
