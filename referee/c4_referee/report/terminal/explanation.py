"""Explanations of the numbers in a report, for ``--explain``."""

from rich.console import Console
from rich.table import Table

EXPLANATIONS = {
    "distinct": "Games of the same bots with the same moves in the same seats count once.",
    "Elo": "Difference in strength. A bot with 100 points more gets 64% of the points.",
    "95%": "The interval contains the true value in at least 95 of 100 matches. If an interval of "
    "a difference contains 0, the games do not show which bot is better.",
    "rating": "Strength in Elo points. The mean of all bots is 0.",
    "as first": "Results of the games in which the bot moved first: won, drawn, lost.",
    "judged": "Moves whose exact values the judge knows.",
    "kept": "Moves that kept the best outcome, with the 95% interval of their share.",
    "best": "Moves for which there was no better one.",
    "wins thrown": "Won positions that became drawn or lost.",
    "draws thrown": "Drawn positions that became lost.",
    "moves lost": "Number of moves by which wins came later, or losses sooner.",
    "kept by thirds": "Share kept in each third of the moves that fill the board.",
    "column": "Details of forfeits and lines of bots count columns from 0. All else counts moves "
    "and columns from 1.",
}
"""Words of reports and what they mean, for ``--explain``."""


def print_explanation(console: Console) -> None:
    """Print what the numbers of reports of matches and tournaments mean."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for word, meaning in EXPLANATIONS.items():
        table.add_row(word, meaning)
    console.print("\nWhat the numbers mean (docs/statistics.md says how they are computed)", table)
