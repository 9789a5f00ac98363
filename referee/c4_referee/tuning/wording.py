"""Settings and results of runs in words and table cells, for the terminal and for pages."""

from collections.abc import Iterator, Sequence

from c4_referee.records.stats.ratio import Ratio, RatioVerdict
from c4_referee.report.texts import counted, results_text
from c4_referee.tuning.evolution import RunHistory, RunSettings, StoppingRule
from c4_referee.tuning.experiment import (
    PAPER_RATIOS,
    RATIO_TOLERANCE,
    ExperimentRow,
    PaperRow,
    paper_row,
)
from c4_referee.tuning.optimizers import Weights
from c4_referee.tuning.training import CurvePoint, TrainSettings

WEIGHT_NAMES = ("1-seq", "2-seq", "3-seq")
RATIO_NAMES = ("2-seq/1-seq", "3-seq/1-seq")
SHORT_RATIO_NAMES = ("2/1", "3/1")
WEIGHT_HEADINGS = ("", "rounds", "runs", *WEIGHT_NAMES, *SHORT_RATIO_NAMES)
"""Headings of ``weight_cells``. The last two are ratios of weights."""
DEVIATION_HEADINGS = ("rounds", "runs", *WEIGHT_NAMES)
RATIO_HEADINGS = ("rounds", "runs", "2/1 (95%)", "is it 3?", "3/1 (95%)", "is it 6?")
TRAINING_HEADINGS = ("games", "loss", "solved", "right", "against zugzwang", "seconds")
"""Headings of ``training_cells``. ``solved`` is the loss in solved positions."""


def training_cells(curve: Sequence[CurvePoint]) -> list[tuple[str, ...]]:
    """Return a row of a table for each point of a learning curve."""
    return [
        (
            f"{point.games:,}",
            f"{point.loss:.3f}",
            "-" if point.solved_loss is None else f"{point.solved_loss:.3f}",
            "-" if point.right is None else f"{point.right:.1%}",
            results_text(point.wins, point.draws, point.losses),
            f"{point.seconds:.0f}",
        )
        for point in curve
    ]


def training_in_words(settings: TrainSettings) -> Iterator[tuple[str, str]]:
    """Generate the name and the meaning of each setting of a training."""
    yield "Game", f"{settings.variant}."
    yield "Search", f"Both sides look {_plies_in_words(settings.depth)} ahead."
    yield "Solver", f"Positions with at most {settings.solved} free cells are solved."
    yield "Seed", f"{settings.seed}, which determines all random choices."


def _plies_in_words(depth: int) -> str:
    return "1 ply" if depth == 1 else f"{depth} plies"


def weights_text(weights: Weights) -> str:
    """Return weights as text, in the form that ``--weights`` takes."""
    return ",".join(map(str, weights))


def ratio_text(weights: Sequence[float], gene: int) -> str:
    """Return a weight divided by the first weight as text, or ``-`` if the first weight is 0."""
    return f"{weights[gene] / weights[0]:.1f}" if weights[0] else "-"


def play_command(settings: RunSettings, weights: Weights) -> str:
    """Return the command line of ``c4-bot`` that plays with weights as in a run."""
    depth = f"--depth {settings.depth} " if settings.depth != 3 else ""
    faithful = "--set faithful=true " if settings.faithful else ""
    return f"c4-bot --plays sequences {depth}{faithful}--weights {weights_text(weights)}"


def winner_cells(history: RunHistory) -> list[tuple[str, str, str, str]]:
    """Return weights, score and ratios of each winner of a run."""
    last = history.rounds[-1]
    scores = dict(zip(last.population, last.scores, strict=True))
    return [
        (
            weights_text(winner),
            str(scores.get(winner, "-")),
            ratio_text(winner, 1),
            ratio_text(winner, 2),
        )
        for winner in last.winners
    ]


def settings_in_words(settings: RunSettings) -> Iterator[tuple[str, str]]:
    """Generate the name and the meaning of each setting except the seed."""
    yield "Search", f"Players look {_plies_in_words(settings.depth)} ahead."
    yield (
        "Wins",
        "Early and late wins have the same value, as in the paper."
        if settings.faithful
        else "An early win is worth more than a late one.",
    )
    yield (
        "Population",
        f"{settings.population} players in each round; the best {settings.elite} stay.",
    )
    yield (
        "Method",
        "Genetic algorithm: mutation and crossover of the winners."
        if settings.method == "genetic"
        else "SPSA: steps along an estimated gradient.",
    )
    yield (
        "Openings",
        f"Each round is played from {counted(settings.openings, 'new random opening')} of "
        f"{counted(settings.plies, 'move')}."
        if settings.openings
        else "All games begin on the empty board.",
    )
    if settings.sparring:
        yield "Other players", f"All players also play against {', '.join(settings.sparring)}."


def run_in_words(history: RunHistory) -> Iterator[tuple[str, str]]:
    """Generate the name and the meaning of each setting of a run, and what was played."""
    outcome = history.outcome
    yield from settings_in_words(history.settings)
    yield "Seed", f"{history.settings.seed}, which determines all random choices."
    yield "End", end_in_words(history.stopping, outcome.rounds, outcome.stopped_by)
    yield (
        "Games",
        f"{outcome.games:,} games, {outcome.distinct_games:,} of them distinct; "
        f"{outcome.played:,} had to be played, in {outcome.seconds:.1f} s.",
    )


def end_in_words(stopping: StoppingRule, rounds: int, stopped_by: str) -> str:
    """Return why a run ended."""
    if stopped_by == "rounds":
        return f"After {counted(rounds, 'round')} (--rounds)."
    difference = f"less than {stopping.threshold}" if stopping.threshold else "little"
    return f"In round {rounds}: each weight differs by {difference} between winners (--threshold)."


def weight_cells(rows: Sequence[ExperimentRow]) -> list[list[str]]:
    """Return the cells of the paper's rows and of our rows: means ± deviations, and ratios."""
    cells = []
    for row in rows:
        papers = paper_row(row.rounds)
        if papers:
            cells.append(_weight_row("paper", papers, [f"{ratio:g}" for ratio in papers.ratios]))
        cells.append(_weight_row("ours", row, [f"{ratio.value:.1f}" for ratio in row.ratios]))
    return cells


def _weight_row(name: str, row: ExperimentRow | PaperRow, ratios: Sequence[str]) -> list[str]:
    weights = zip(row.means, row.deviations, strict=True)
    means = [f"{mean:.1f}±{deviation:.1f}" for mean, deviation in weights]
    return [name, rounds_text(row), str(row.runs), *means, *ratios]


def deviation_cells(rows: Sequence[ExperimentRow]) -> list[list[str]]:
    """Return the cells of rows: deviations of each weight within runs / between runs."""
    return [
        [rounds_text(row), str(row.runs)]
        + [
            f"{short_number(within)}/{short_number(between)}"
            for within, between in zip(row.within, row.between, strict=True)
        ]
        for row in rows
    ]


def ratio_cells(rows: Sequence[ExperimentRow]) -> list[list[str]]:
    """Return the cells of rows: each ratio, its interval, and its verdict."""
    return [
        [rounds_text(row), str(row.runs)]
        + [
            cell
            for ratio, verdict in zip(row.ratios, row.verdicts, strict=True)
            for cell in (f"{short_number(ratio.value)} ({interval_text(ratio)})", verdict)
        ]
        for row in rows
    ]


def ratio_statements(row: ExperimentRow) -> Iterator[str]:
    """Generate a sentence on the interval and on the verdict of each ratio."""
    ratios = zip(RATIO_NAMES, row.ratios, PAPER_RATIOS, row.verdicts, strict=True)
    for name, ratio, own, verdict in ratios:
        interval = interval_text(ratio) if ratio.is_bounded else "any ratio is possible"
        value = f"{name} is {short_number(ratio.value)} (95% interval: {interval})."
        yield f"{value} {verdict_sentence(verdict, own)}"


def verdict_sentence(verdict: RatioVerdict, own: float) -> str:
    """Return a verdict on ``own``, the ratio of the paper's weights, as a sentence."""
    lowest, highest = tolerated_range(own)
    allowed = (
        f"{lowest:g} to {highest:g}, a factor of {RATIO_TOLERANCE:g} around the paper's {own:g}"
    )
    return {
        "agrees": f"It agrees with the paper: the interval lies inside {allowed}.",
        "differs": f"It differs from the paper: the interval lies outside {allowed}.",
        "undecided": "Not decided with so few runs: the interval is partly inside and partly "
        f"outside {allowed}.",
    }[verdict]


def tolerated_range(own: float) -> tuple[float, float]:
    """Return the lowest and the highest ratio that agrees with a ratio of the paper's weights."""
    return own / RATIO_TOLERANCE, own * RATIO_TOLERANCE


def interval_text(ratio: Ratio) -> str:
    """Return the interval of a ratio as text."""
    if not ratio.is_bounded:
        return "any"
    return f"{short_number(ratio.low)} to {short_number(ratio.high)}"


def rounds_text(row: ExperimentRow | PaperRow) -> str:
    """Return the number of rounds of the runs of a row, or ``all``."""
    return str(row.rounds or "all")


def short_number(value: float) -> str:
    """Return a number with one decimal place below 10, and without one from 10 on."""
    return f"{value:.1f}" if abs(value) < 9.95 else f"{value:.0f}"
