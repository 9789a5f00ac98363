"""Output of runs on a terminal: a progress bar while they are played, and then tables."""

import sys
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.progress import TextColumn, TimeRemainingColumn
from rich.table import Table

from c4_referee.report.bar import Bar
from c4_referee.report.earlier import games_of
from c4_referee.tuning.comparison import Agreement, Comparison
from c4_referee.tuning.evolution import RunHistory, StoppingRule, TuningRound
from c4_referee.tuning.experiment import ExperimentRow
from c4_referee.tuning.genetic import spread
from c4_referee.tuning.training import CurvePoint, TrainedNetwork, rounded_up
from c4_referee.tuning.wording import (
    DEVIATION_HEADINGS,
    RATIO_HEADINGS,
    RATIO_NAMES,
    TRAINING_HEADINGS,
    WEIGHT_HEADINGS,
    deviation_cells,
    play_command,
    ratio_cells,
    ratio_statements,
    ratio_text,
    training_cells,
    weight_cells,
    weights_text,
)


class RoundProgress(Bar):
    """A progress bar of rounds, with the best weights and the spread of the latest round."""

    def __init__(self, rounds: int) -> None:
        note = TextColumn("{task.fields[note]}")
        super().__init__("tuning", note, TimeRemainingColumn(), total=rounds)
        self._rounds = 0

    def __call__(self, tuning_round: TuningRound) -> None:
        """Advance the bar by a round."""
        self._rounds += 1
        best, apart = (
            weights_text(tuning_round.winners[0]),
            weights_text(spread(tuning_round.winners)),
        )
        self.move(self._rounds, note=f"best {best}, spread {apart}")


def print_stored_rounds(stored: int, stopping: StoppingRule) -> None:
    """Print on standard error the number of rounds that were played before, if any."""
    if stored:
        stored_rounds = min(stored, stopping.rounds)
        rounds = games_of(stored_rounds, stopping.rounds, "at most" if stopping.threshold else "")
        nothing = ": there is nothing to play" if stored_rounds == stopping.rounds else ""
        sys.stderr.write(f"{rounds} rounds were played before{nothing}\n")


def print_run(console: Console, history: RunHistory) -> None:
    """Print the winners of a run, and the numbers of rounds, games and seconds."""
    outcome, last = history.outcome, history.rounds[-1]
    scores = dict(zip(last.population, last.scores, strict=True))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("winner", "score", *RATIO_NAMES):
        table.add_column(title, justify="left" if title == "winner" else "right")
    for winner in outcome.winners:
        score = str(scores.get(winner, "-"))
        table.add_row(
            f"--weights {weights_text(winner)}", score, ratio_text(winner, 1), ratio_text(winner, 2)
        )
    console.print(table)
    console.print(
        f"{outcome.rounds} rounds, stopped by --{outcome.stopped_by}; "
        f"spread of the winners {weights_text(spread(outcome.winners))}\n"
        f"{outcome.games} games, {outcome.distinct_games} distinct, {outcome.played} played, "
        f"in {outcome.seconds:.1f} s{_pace(history)}\n"
        f"Play the best: {play_command(history.settings, outcome.winners[0])}",
        soft_wrap=True,
    )


def _pace(history: RunHistory) -> str:
    outcome = history.outcome
    if not outcome.positions or not outcome.seconds:
        return ""
    return f", {outcome.positions / outcome.seconds / 1e6:.1f} million positions a second"


class TrainingProgress(Bar):
    """A progress bar of the games of a training, with the latest result of the network."""

    def __init__(self, games: int) -> None:
        note = TextColumn("{task.fields[note]}")
        self._games = rounded_up(games)
        super().__init__("training", note, TimeRemainingColumn(), total=self._games)

    def __call__(self, point: CurvePoint) -> None:
        """Advance the bar to a point of the learning curve."""
        note = f"loss {point.loss:.3f}, {point.score:.0%} against zugzwang"
        self.move(point.games, self._games, note=note)


def print_training(console: Console, network: TrainedNetwork) -> None:
    """Print the learning curve of a training, and the path of the weights."""
    console.print(_table("", TRAINING_HEADINGS, training_cells(network.curve)))
    console.print(f"Weights: {network.weights}", soft_wrap=True)


def print_experiment(
    console: Console, rows: Sequence[ExperimentRow], histories: Sequence[RunHistory]
) -> None:
    """Print the tables of an experiment, and the numbers of games and seconds."""
    console.print(_table("the winners' weights", WEIGHT_HEADINGS, weight_cells(rows)))
    title = "their standard deviations, within runs/between runs"
    console.print(_table(title, DEVIATION_HEADINGS, deviation_cells(rows)))
    console.print(_table("ratios, compared with 1-3-6", RATIO_HEADINGS, ratio_cells(rows)))
    console.print("All runs together:", *ratio_statements(rows[-1]), sep="\n", soft_wrap=True)
    if "undecided" in rows[-1].verdicts:
        console.print("More runs (--runs) make intervals narrower.")
    console.print()
    outcomes = [history.outcome for history in histories]
    seconds = sum(outcome.seconds for outcome in outcomes)
    positions = sum(outcome.positions for outcome in outcomes)
    console.print(
        f"{len(outcomes)} runs, {sum(outcome.games for outcome in outcomes)} games, "
        f"{sum(outcome.distinct_games for outcome in outcomes)} distinct within their runs, "
        f"{sum(outcome.played for outcome in outcomes)} played, in {seconds:.1f} s, "
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


def print_comparison(console: Console, comparison: Comparison) -> None:
    """Print the result of the games, of the test, and of the comparison with the solver."""
    champion, other, match = (
        weights_text(comparison.champion),
        weights_text(comparison.other),
        comparison.match,
    )
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
    for name, agreement in (
        (champion, comparison.champion_agrees),
        (other, comparison.other_agrees),
    ):
        if agreement:
            console.print(f"{name} {_agreement(agreement)}", soft_wrap=True)


def _agreement(agreement: Agreement) -> str:
    positions = agreement.positions
    return (
        f"keeps the best outcome in {agreement.keeping / positions:.1%} of {positions} positions "
        f"in which moves differ, and plays a best move in {agreement.best / positions:.1%}"
    )
