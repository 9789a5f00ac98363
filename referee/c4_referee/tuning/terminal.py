"""Runs on a terminal: a bar while they go on, tables at their end."""

import sys
from collections.abc import Sequence
from math import isfinite

from rich import box
from rich.console import Console
from rich.progress import TextColumn, TimeRemainingColumn
from rich.table import Table

from c4_referee.report.bar import Bar, games_of
from c4_referee.stats.ratio import Ratio
from c4_referee.tuning.evolution import Ending, Round, Settings
from c4_referee.tuning.experiment import DOCUMENT, Row
from c4_referee.tuning.genetic import Weights, spread
from c4_referee.tuning.judge import Agreement, Judgement
from c4_referee.tuning.outcome import History


class RoundProgress(Bar):
    """A bar of rounds, and what the last one was like."""

    def __init__(self, title: str, rounds: int) -> None:
        told = TextColumn("{task.fields[told]}")
        super().__init__(title, told, TimeRemainingColumn(), total=rounds)
        self._rounds = 0

    def __call__(self, one: Round) -> None:
        """Moves the bar on by a round."""
        self._rounds += 1
        best, apart = text_of(one.winners[0]), text_of(spread(one.winners))
        self.move(self._rounds, told=f"best {best}, spread {apart}")


def tell_kept(kept: int, ending: Ending) -> None:
    """Say on standard error how many rounds need not be played, as a run begins."""
    if kept:
        known = min(kept, ending.rounds)
        rounds = games_of(known, ending.rounds, "at most" if ending.threshold else "")
        nothing = ": there is nothing to play" if known == ending.rounds else ""
        sys.stderr.write(f"{rounds} rounds were played before{nothing}\n")


def text_of(weights: Weights) -> str:
    """Weights as ``--weights`` takes them."""
    return ",".join(map(str, weights))


def print_run(console: Console, history: History) -> None:
    """The winners of a run, and what it took."""
    outcome, last = history.outcome, history.rounds[-1]
    scores = dict(zip(last.population, last.scores, strict=True))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("winner", "score", "2-seq/1-seq", "3-seq/1-seq"):
        table.add_column(title, justify="left" if title == "winner" else "right")
    for one in outcome.winners:
        score = str(scores[one]) if one in scores else "-"
        table.add_row(f"--weights {text_of(one)}", score, ratio(one, 1), ratio(one, 2))
    console.print(table)
    console.print(
        f"{outcome.rounds} rounds, stopped by "
        f"{'their number' if outcome.stopped_by == 'rounds' else 'the threshold'}; "
        f"spread of the winners {text_of(spread(outcome.winners))}\n"
        f"{outcome.games} games, {outcome.distinct_games} distinct, {outcome.played} played, "
        f"in {outcome.seconds:.1f} s{_pace(history)}\n"
        f"Play the best: c4-bot --plays sequences {flags(history.settings)}"
        f"--weights {text_of(outcome.winners[0])}",
        soft_wrap=True,
    )


def flags(settings: Settings) -> str:
    """What else than weights ``c4-bot`` has to be told to play on a run's terms."""
    depth = f"--depth {settings.depth} " if settings.depth != 3 else ""
    return depth + ("--set faithful=true " if settings.faithful else "")


def _pace(history: History) -> str:
    outcome = history.outcome
    if not outcome.positions or not outcome.seconds:
        return ""
    return f", {outcome.positions / outcome.seconds / 1e6:.1f} million positions a second"


def ratio(weights: Sequence[float], place: int) -> str:
    """A weight over the first one."""
    return f"{weights[place] / weights[0]:.1f}" if weights[0] else "-"


HEAD = ("rounds", "runs", "1-seq", "2-seq", "3-seq", "2/1", "3/1")
"""Of tables of experiments: the last two are ratios of weights."""


def result_cells(rows: Sequence[Row]) -> list[list[str]]:
    """The document's lines and ours in turn: means and deviations over all winners, ratios."""
    cells = []
    for row in rows:
        cells += [
            ["document", str(one.rounds), str(one.runs), *_pairs(one.means, one.deviations)]
            + [f"{value:g}" for value in one.ratios]
            for one in DOCUMENT
            if one.rounds == row.rounds
        ]
        cells.append(
            ["ours", _rounds(row), str(row.runs), *_pairs(row.means, row.deviations)]
            + [f"{one.value:.1f}" for one in row.ratios]
        )
    return cells


def certainty_cells(rows: Sequence[Row]) -> list[list[str]]:
    """What is behind our lines: deviations within and between runs, intervals, and 1-3-6."""
    return [
        [_rounds(row), str(row.runs), *_slashed(row.within, row.between)]
        + [_interval(one) for one in row.ratios]
        + [_finding(row)]
        for row in rows
    ]


def _finding(row: Row) -> str:
    if not all(isfinite(one.high) for one in row.ratios):
        return "unknown"
    return "inside" if row.holds_finding else "outside"


def _pairs(some: Sequence[float], others: Sequence[float]) -> list[str]:
    return [f"{one:.1f}±{other:.1f}" for one, other in zip(some, others, strict=True)]


def _slashed(some: Sequence[float], others: Sequence[float]) -> list[str]:
    return [f"{_short(one)}/{_short(other)}" for one, other in zip(some, others, strict=True)]


def _short(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{value:.0f}"


def _rounds(row: Row) -> str:
    return str(row.rounds or "all")


def _interval(one: Ratio) -> str:
    return f"{_short(one.low)}..{_short(one.high)}" if isfinite(one.high) else "any"


def print_experiment(console: Console, rows: Sequence[Row], histories: Sequence[History]) -> None:
    """The tables of an experiment, and what it took."""
    console.print(_table("the winners' weights", ("", *HEAD), result_cells(rows)))
    head = (*HEAD, "1-3-6")
    title = "deviations within/between runs, 95% intervals of the ratios (..), is 1-3-6 inside?"
    console.print(_table(title, head, certainty_cells(rows)))
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


def _table(title: str, head: Sequence[str], cells: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    for column in head:
        table.add_column(column, justify="right")
    for row in cells:
        table.add_row(*row)
    return table


def print_judgement(console: Console, found: Judgement) -> None:
    """A match and its test, and how often both players pick the solver's move."""
    champion, other, match = text_of(found.champion), text_of(found.other), found.match
    verdict = {
        "H1": "it is stronger, says the test",
        "H0": "it is not stronger by that much, says the test",
        "undecided": "the test did not come to an end",
    }[match.verdict or "undecided"]
    console.print(
        f"{champion} against {other}: {match.wins} won, {match.draws} drawn, {match.losses} lost\n"
        f"Elo {match.elo:+.0f} (95%: {match.elo_low:+.0f} to {match.elo_high:+.0f}), "
        f"log-likelihood ratio {match.llr or 0:+.2f}: {verdict}",
        soft_wrap=True,
    )
    for name, agrees in ((champion, found.champion_agrees), (other, found.other_agrees)):
        if agrees:
            console.print(f"{name} {_agreement(agrees)}", soft_wrap=True)


def _agreement(agrees: Agreement) -> str:
    return (
        f"keeps the result in {agrees.keeping / agrees.positions:.1%} of {agrees.positions} "
        f"positions in which moves differ, with the solver's best move in "
        f"{agrees.best / agrees.positions:.1%}"
    )
