"""The twelve runs of the paper by Morrow, DeBell and Bogaerts, and its results for comparison.

Source: 000_ccbf42599ea318ee.txt, "Setup" and "Results": four runs each of 50 and 100 rounds, two
runs each of 200 and 300 rounds, all at depth 3. The averages in the paper are multiples of 1/16 for
four runs and of 1/2 for two runs. So an average is the mean of the four winners of all runs of a
length. The ratios in the paper are ratios of averages.

The standard deviations in the paper mix two things that we separate. The winners of one run are
parents, children and copies of each other. The deviation *within* runs shows how similar the
winners of a run have become. The deviation *between* runs is the deviation of the runs' means. It
shows how precisely the weights are known. Intervals of the ratios are computed from one pair of
means for each run.

The runs of all lengths together decide whether the ratios agree with the paper's: a run that is
repeated with another seed ends with other weights, so a few runs decide little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, stdev

from c4_referee.records.stats.ratio import Ratio, RatioVerdict, ratio_of_means
from c4_referee.tuning.arena import Arena
from c4_referee.tuning.evolution import RunHistory, RunSettings, StoppingRule
from c4_referee.tuning.optimizers import NUMBER_OF_WEIGHTS, Weights
from c4_referee.tuning.run_folder import RoundHandler, open_run_folder, play_run

PAPER_WEIGHTS = (1, 3, 6)
"""Weights that the paper recommends."""
PAPER_RATIOS = tuple(weight / PAPER_WEIGHTS[0] for weight in PAPER_WEIGHTS[1:])
"""Ratios of the paper's 2-seq and 3-seq weights to its 1-seq weight."""
RATIO_TOLERANCE = 1.5
"""Factor by which a ratio that agrees with the paper's can be larger or smaller. It is our choice:
the ratios in the rows of the paper differ by more than this factor from each other."""


@dataclass(frozen=True)
class PaperRow:
    """A row of the paper's tables: results of ``runs`` runs of ``rounds`` rounds each.

    ``means`` and ``deviations`` have one entry for each weight. ``ratios`` has the ratio of the
    2-seq weight to the 1-seq weight, and of the 3-seq weight to the 1-seq weight.
    """

    rounds: int
    runs: int
    means: tuple[float, float, float]
    deviations: tuple[float, float, float]
    ratios: tuple[float, float]


PAPER_ROWS = (
    PaperRow(50, 4, (6.7, 30.5, 78.125), (4.53, 22.5, 22.9), (4.5, 11.6)),
    PaperRow(100, 4, (5.125, 24.25, 78.875), (5.7, 11.7, 27.45), (4.7, 15.0)),
    PaperRow(200, 2, (6.0, 18.0, 55.5), (1.0, 1.5, 2.8), (3.0, 9.25)),
    PaperRow(300, 2, (7.0, 19.5, 43.5), (1.54, 1.7, 1.73), (2.8, 6.21)),
)


def paper_row(rounds: int) -> PaperRow | None:
    """Return the paper's results of runs with this number of rounds, if there are any."""
    return next((row for row in PAPER_ROWS if row.rounds == rounds), None)


@dataclass(frozen=True)
class ExperimentRow:
    """Results of several runs of ``rounds`` rounds each, or of different lengths if this is 0.

    ``means`` and ``deviations`` are the means and standard deviations over all winners. ``within``
    is the mean of the deviations within runs, and ``between`` the deviation between the means of
    the runs. All these have one entry for each weight. ``ratios`` has the ratio of the 2-seq weight
    to the 1-seq weight, and of the 3-seq weight to the 1-seq weight. ``verdicts`` says for each of
    them whether it agrees with the ratio of the paper's weights.
    """

    rounds: int
    runs: int
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    within: tuple[float, ...]
    between: tuple[float, ...]
    ratios: tuple[Ratio, ...]
    verdicts: tuple[RatioVerdict, ...]


def experiment_row(rounds: int, winners: Sequence[Sequence[Weights]]) -> ExperimentRow:
    """Return the row of runs of ``rounds`` rounds. ``winners`` has the winners of each run."""
    genes = [
        [[player[gene] for player in run] for run in winners] for gene in range(NUMBER_OF_WEIGHTS)
    ]
    flat = [[weight for run in runs for weight in run] for runs in genes]
    means = [[fmean(run) for run in runs] for runs in genes]
    ratios = [ratio_of_means(above, means[0]) for above in means[1:]]
    return ExperimentRow(
        rounds,
        len(winners),
        tuple(map(fmean, flat)),
        tuple(map(_standard_deviation, flat)),
        tuple(fmean(_standard_deviation(run) for run in runs) for runs in genes),
        tuple(map(_standard_deviation, means)),
        tuple(ratios),
        tuple(
            ratio.compare(own, RATIO_TOLERANCE)
            for ratio, own in zip(ratios, PAPER_RATIOS, strict=True)
        ),
    )


def _standard_deviation(values: Sequence[float]) -> float:
    return stdev(values) if len(values) > 1 else 0.0


def experiment_rows(histories: Sequence[RunHistory]) -> list[ExperimentRow]:
    """Return a row for each number of rounds, and one for all runs together."""
    by_rounds: dict[int, list[list[Weights]]] = {}
    for history in histories:
        by_rounds.setdefault(history.stopping.rounds, []).append(history.outcome.winners)
    rows = [experiment_row(rounds, winners) for rounds, winners in by_rounds.items()]
    return [*rows, experiment_row(0, [history.outcome.winners for history in histories])]


def plan_runs(settings: RunSettings, runs: int | None) -> list[tuple[RunSettings, StoppingRule]]:
    """Return the settings and stopping rules of all runs, each with its own seed.

    There are ``runs`` runs of each length, or as many as in the paper if ``runs`` is ``None``.
    """
    lengths = [row.rounds for row in PAPER_ROWS for _ in range(runs or row.runs)]
    return [
        (replace(settings, seed=settings.seed + number), StoppingRule(rounds))
        for number, rounds in enumerate(lengths)
    ]


def run_folder_name(number: int, stopping: StoppingRule) -> str:
    """Return the name of the folder of a run of an experiment. ``number`` counts from 1."""
    return f"{number:02}-{stopping.rounds}-rounds"


def play_experiment(
    plan: Sequence[tuple[RunSettings, StoppingRule]],
    arena: Arena,
    out: Path | None,
    watch: RoundHandler,
) -> Iterator[RunHistory]:
    """Play the runs of a plan and generate their histories.

    Each run is stored in its own folder in ``out``, if ``out`` is given. Games that one run has
    played are not played again by later runs.
    """
    for number, (settings, stopping) in enumerate(plan, 1):
        path = out / run_folder_name(number, stopping) if out else None
        with open_run_folder(path, settings) as folder:
            yield play_run(settings, stopping, arena, folder, watch)
