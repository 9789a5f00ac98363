"""Shows a grade on a terminal: the points of each line with their reason, and the total."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from c4_referee.classroom.grading.points import Grade


def print_grade(console: Console, grade: Grade) -> None:
    """Print a grade as a table, and its total."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    for line in grade.lines:
        points = Text(f"{line.points:g} of {line.max_points:g}", "green" if line.passed else "red")
        table.add_row(points, Text.assemble((line.name, "bold"), f"\n{line.reason}"))
    console.print(Text(grade.bot), table, f"Total: {grade.points:g} of {grade.max_points:g} points")
