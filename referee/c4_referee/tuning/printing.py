"""Output of runs on a terminal: a progress bar while they are played, and then tables."""

import sys
from collections.abc import Sequence

from c4_protocol.terminal.console import SafeConsole
from rich import box
from rich.progress import TextColumn, TimeRemainingColumn
from rich.table import Table

from c4_referee.report.terminal.bar import Bar
from c4_referee.report.terminal.games_played import games_of
from c4_referee.tuning import wording
from c4_referee.tuning.comparison import Agreement, Comparison
from c4_referee.tuning.evolution import RunHistory, RunOutcome, StoppingRule, TuningRound
from c4_referee.tuning.experiment import ExperimentRow
from c4_referee.tuning.optimizers import spread_of_weights
from c4_referee.tuning.training import CurvePoint, TrainedNetwork, rounded_up
from c4_referee.tuning.wording import weights_text

VERDICT_TEXTS = {
    "H1": "the test accepts that it is stronger",
    "H0": "the test does not accept that it is stronger",
    "undecided": "the test is undecided",
}


class TuningBar(Bar):
    """A progress bar with a note and the time that is left."""

    def __init__(self, title: str, total: int) -> None:
        note = TextColumn("{task.fields[note]}")
        super().__init__(title, note, TimeRemainingColumn(), total=total)


class RoundProgress(TuningBar):
    """A progress bar of rounds, with the best weights and the spread of the latest round."""

    def __init__(self, rounds: int) -> None:
        super().__init__("tuning", rounds)
        self._rounds = 0

    def __call__(self, tuning_round: TuningRound) -> None:
        """Advance the bar by a round."""
        self._rounds += 1
        winners = tuning_round.winners
        note = f"best {weights_text(winners[0])}, spread {weights_text(spread_of_weights(winners))}"
        self.move(self._rounds, note=note)


class TrainingProgress(TuningBar):
    """A progress bar of the games of a training, with the latest result of the network."""

    def __init__(self, games: int) -> None:
        super().__init__("training", rounded_up(games))

    def __call__(self, point: CurvePoint) -> None:
        """Advance the bar to a point of the learning curve."""
        note = f"loss {point.loss:.3f}, {point.score:.0%} against zugzwang"
        self.move(point.games, note=note)


def print_stored_rounds(stored: int, stopping: StoppingRule) -> None:
    """Print on standard error the number of rounds that were played before, if any."""
    if stored:
        stored_rounds = min(stored, stopping.rounds)
        rounds = games_of(stored_rounds, stopping.rounds, "at most" if stopping.threshold else "")
        nothing = ": there is nothing to play" if stored_rounds == stopping.rounds else ""
        sys.stderr.write(f"{rounds} rounds were played before{nothing}\n")


def print_run(history: RunHistory) -> None:
    """Print the winners of a run, and the numbers of rounds, games and seconds."""
    outcome = history.outcome
    headings = ("winner", "score", *wording.RATIO_NAMES)
    rows = [(f"--weights {weights}", *more) for weights, *more in wording.winner_cells(history)]
    _print_table("", headings, rows)
    _print_lines(
        f"{outcome.rounds} rounds, stopped by --{outcome.stopped_by}; "
        f"spread of the winners {weights_text(spread_of_weights(outcome.winners))}",
        _effort_in_words([outcome]),
        f"Play the best: {wording.play_command(history.settings, outcome.winners[0])}",
    )


def _effort_in_words(outcomes: Sequence[RunOutcome]) -> str:
    """Return how many games one or several runs have played, and how fast."""
    seconds = sum(outcome.seconds for outcome in outcomes)
    positions = sum(outcome.positions for outcome in outcomes)
    within_runs = " within their runs" if len(outcomes) > 1 else ""
    text = (
        f"{sum(outcome.games for outcome in outcomes)} games, "
        f"{sum(outcome.distinct_games for outcome in outcomes)} distinct{within_runs}, "
        f"{sum(outcome.played for outcome in outcomes)} played, in {seconds:.1f} s"
    )
    if not positions or not seconds:
        return text
    return f"{text}, {positions / seconds / 1e6:.1f} million positions a second"


def print_training(network: TrainedNetwork) -> None:
    """Print the learning curve of a training, and the path of the weights."""
    _print_table("", wording.TRAINING_HEADINGS, wording.training_cells(network.curve))
    _print_lines(f"Weights: {network.weights}")


def print_experiment(rows: Sequence[ExperimentRow], outcomes: Sequence[RunOutcome]) -> None:
    """Print the tables of an experiment, and the numbers of games and seconds."""
    _print_table("the winners' weights", wording.WEIGHT_HEADINGS, wording.weight_cells(rows))
    title = "their standard deviations, within runs/between runs"
    _print_table(title, wording.DEVIATION_HEADINGS, wording.deviation_cells(rows))
    title = "ratios, compared with 1-3-6"
    _print_table(title, wording.RATIO_HEADINGS, wording.ratio_cells(rows))
    _print_lines("All runs together:", *wording.ratio_statements(rows[-1]))
    if "undecided" in rows[-1].verdicts:
        _print_lines("More runs (--runs) make intervals narrower.")
    _print_lines("", f"{len(outcomes)} runs, {_effort_in_words(outcomes)}")


def print_comparison(comparison: Comparison) -> None:
    """Print the result of the games, of the test, and of the comparison with the solver."""
    champion, other = weights_text(comparison.champion), weights_text(comparison.other)
    match = comparison.match
    _print_lines(
        f"{champion} against {other}: {match.wins} won, {match.draws} drawn, {match.losses} lost",
        f"Elo {match.elo:+.0f} (95%: {match.elo_low:+.0f} to {match.elo_high:+.0f}), "
        f"log-likelihood ratio {match.llr:+.2f}: {VERDICT_TEXTS[match.verdict]}",
    )
    if comparison.champion_agrees and comparison.other_agrees:
        _print_lines(
            f"{champion} {_agreement_in_words(comparison.champion_agrees)}",
            f"{other} {_agreement_in_words(comparison.other_agrees)}",
        )


def _agreement_in_words(agreement: Agreement) -> str:
    positions = agreement.positions
    return (
        f"keeps the best outcome in {agreement.keeping / positions:.1%} of {positions} positions "
        f"in which moves differ, and plays a best move in {agreement.best / positions:.1%}"
    )


def _print_lines(*lines: str) -> None:
    SafeConsole(highlight=False).print(*lines, sep="\n", soft_wrap=True)


def _print_table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "winner" else "right")
    for row in rows:
        table.add_row(*row)
    SafeConsole().print(table)
