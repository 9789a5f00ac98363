"""Output of runs on a terminal: a progress bar while they are played, and then tables."""

import sys
from collections.abc import Sequence
from math import isfinite

from rich import box
from rich.console import Console
from rich.progress import TextColumn, TimeRemainingColumn
from rich.table import Table

from c4_referee.report.bar import Bar, games_of
from c4_referee.stats.ratio import Ratio
from c4_referee.tuning.comparison import Agreement, Comparison
from c4_referee.tuning.evolution import RunSettings, StoppingRule, TuningRound
from c4_referee.tuning.experiment import PAPER_ROWS, ExperimentRow
from c4_referee.tuning.genetic import Weights, spread
from c4_referee.tuning.runs import RunHistory


class RoundProgress(Bar):
    """A progress bar of rounds, with the best weights and the spread of the latest round."""

    def __init__(self, rounds: int) -> None:
        note = TextColumn("{task.fields[note]}")
        super().__init__("tuning", note, TimeRemainingColumn(), total=rounds)
        self._rounds = 0

    def __call__(self, one: TuningRound) -> None:
        """Advance the bar by a round."""
        self._rounds += 1
        best, apart = weights_text(one.winners[0]), weights_text(spread(one.winners))
        self.move(self._rounds, note=f"best {best}, spread {apart}")


def print_stored_rounds(stored: int, stopping: StoppingRule) -> None:
    """Print on standard error the number of rounds that were played before, if any."""
    if stored:
        known = min(stored, stopping.rounds)
        rounds = games_of(known, stopping.rounds, "at most" if stopping.threshold else "")
        nothing = ": there is nothing to play" if known == stopping.rounds else ""
        sys.stderr.write(f"{rounds} rounds were played before{nothing}\n")


def weights_text(weights: Weights) -> str:
    """Return weights as text, in the form that ``--weights`` takes."""
    return ",".join(map(str, weights))


def print_run(console: Console, history: RunHistory) -> None:
    """Print the winners of a run, and the numbers of rounds, games and seconds."""
    outcome, last = history.outcome, history.rounds[-1]
    scores = dict(zip(last.population, last.scores, strict=True))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("winner", "score", "2-seq/1-seq", "3-seq/1-seq"):
        table.add_column(title, justify="left" if title == "winner" else "right")
    for one in outcome.winners:
        score = str(scores.get(one, "-"))
        table.add_row(
            f"--weights {weights_text(one)}", score, ratio_text(one, 1), ratio_text(one, 2)
        )
    console.print(table)
    console.print(
        f"{outcome.rounds} rounds, stopped by --{outcome.stopped_by}; "
        f"spread of the winners {weights_text(spread(outcome.winners))}\n"
        f"{outcome.games} games, {outcome.distinct_games} distinct, {outcome.played} played, "
        f"in {outcome.seconds:.1f} s{_pace(history)}\n"
        f"Play the best: c4-bot --plays sequences {bot_flags(history.settings)}"
        f"--weights {weights_text(outcome.winners[0])}",
        soft_wrap=True,
    )


def bot_flags(settings: RunSettings) -> str:
    """Return the options with which ``c4-bot`` plays as in a run, without its weights."""
    depth = f"--depth {settings.depth} " if settings.depth != 3 else ""
    return depth + ("--set faithful=true " if settings.faithful else "")


def _pace(history: RunHistory) -> str:
    outcome = history.outcome
    if not outcome.positions or not outcome.seconds:
        return ""
    return f", {outcome.positions / outcome.seconds / 1e6:.1f} million positions a second"


def ratio_text(weights: Sequence[float], gene: int) -> str:
    """Return a weight divided by the first weight as text, or ``-`` if the first weight is 0."""
    return f"{weights[gene] / weights[0]:.1f}" if weights[0] else "-"


EXPERIMENT_HEADINGS = ("rounds", "runs", "1-seq", "2-seq", "3-seq", "2/1", "3/1")
"""Headings of the tables of an experiment. The last two are ratios of weights."""
INTERVALS_TITLE = (
    "deviations within/between runs, 95% intervals of the ratios (..), is 1-3-6 inside?"
)


def result_cells(rows: Sequence[ExperimentRow]) -> list[list[str]]:
    """Return the cells of the paper's rows and of our rows: means ± deviations, and ratios."""
    cells = []
    for row in rows:
        cells += [
            ["paper", str(one.rounds), str(one.runs), *_with_deviations(one.means, one.deviations)]
            + [f"{value:g}" for value in one.ratios]
            for one in PAPER_ROWS
            if one.rounds == row.rounds
        ]
        cells.append(
            ["ours", _rounds(row), str(row.runs), *_with_deviations(row.means, row.deviations)]
            + [f"{one.value:.1f}" for one in row.ratios]
        )
    return cells


def interval_cells(rows: Sequence[ExperimentRow]) -> list[list[str]]:
    """Return the cells of rows: deviations, intervals of ratios, and if 1-3-6 is inside them."""
    return [
        [_rounds(row), str(row.runs), *_slashed(row.within, row.between)]
        + [_interval(one) for one in row.ratios]
        + [_paper_weights_text(row)]
        for row in rows
    ]


def _paper_weights_text(row: ExperimentRow) -> str:
    if not all(isfinite(one.high) for one in row.ratios):
        return "unknown"
    return "inside" if row.includes_paper_weights else "outside"


def _with_deviations(means: Sequence[float], deviations: Sequence[float]) -> list[str]:
    return [f"{one:.1f}±{other:.1f}" for one, other in zip(means, deviations, strict=True)]


def _slashed(within: Sequence[float], between: Sequence[float]) -> list[str]:
    return [f"{_short(one)}/{_short(other)}" for one, other in zip(within, between, strict=True)]


def _short(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{value:.0f}"


def _rounds(row: ExperimentRow) -> str:
    return str(row.rounds or "all")


def _interval(one: Ratio) -> str:
    return f"{_short(one.low)}..{_short(one.high)}" if isfinite(one.high) else "any"


def print_experiment(
    console: Console, rows: Sequence[ExperimentRow], histories: Sequence[RunHistory]
) -> None:
    """Print the tables of an experiment, and the numbers of games and seconds."""
    console.print(_table("the winners' weights", ("", *EXPERIMENT_HEADINGS), result_cells(rows)))
    console.print(_table(INTERVALS_TITLE, (*EXPERIMENT_HEADINGS, "1-3-6"), interval_cells(rows)))
    outcomes = [history.outcome for history in histories]
    seconds = sum(one.seconds for one in outcomes)
    positions = sum(one.positions for one in outcomes)
    console.print(
        f"{len(outcomes)} runs, {sum(one.games for one in outcomes)} games, "
        f"{sum(one.distinct_games for one in outcomes)} distinct within their runs, "
        f"{sum(one.played for one in outcomes)} played, in {seconds:.1f} s, "
        f"{positions / max(seconds, 1e-9) / 1e6:.1f} million positions a second",
        soft_wrap=True,
    )


def _table(title: str, headings: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="right")
    for row in cells:
        table.add_row(*row)
    return table


def print_comparison(console: Console, found: Comparison) -> None:
    """Print the result of the games, of the test, and of the comparison with the solver."""
    champion, other, match = weights_text(found.champion), weights_text(found.other), found.match
    verdict = {
        "H1": "the test accepts that it is stronger",
        "H0": "the test does not accept that it is stronger",
        "undecided": "the test is undecided",
    }[match.verdict or "undecided"]
    console.print(
        f"{champion} against {other}: {match.wins} won, {match.draws} drawn, {match.losses} lost\n"
        f"Elo {match.elo:+.0f} (95%: {match.elo_low:+.0f} to {match.elo_high:+.0f}), "
        f"log-likelihood ratio {match.llr or 0:+.2f}: {verdict}",
        soft_wrap=True,
    )
    for name, agreement in ((champion, found.champion_agrees), (other, found.other_agrees)):
        if agreement:
            console.print(f"{name} {_agreement(agreement)}", soft_wrap=True)


def _agreement(one: Agreement) -> str:
    return (
        f"keeps the best outcome in {one.keeping / one.positions:.1%} of {one.positions} positions "
        f"in which moves differ, and plays a best move in {one.best / one.positions:.1%}"
    )
