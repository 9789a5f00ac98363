"""The explanation of the numbers of a report."""

import io

from c4_referee.report.accuracy import TITLES
from c4_referee.report.explanation import EXPLANATIONS, print_explanation
from rich.console import Console


def test_every_column_of_the_accuracy_is_explained() -> None:
    """Each column has its explanation, which is printed."""
    console = Console(width=80, file=io.StringIO())
    print_explanation(console)
    printed = " ".join(console.file.getvalue().split())
    for title in TITLES:
        meaning = EXPLANATIONS[" ".join(title.split())]
        assert meaning.split(".")[0][:20] in printed
