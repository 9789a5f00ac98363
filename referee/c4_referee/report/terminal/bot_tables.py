"""Tables with one row for each bot and as many columns of numbers as fit on the terminal."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil
from textwrap import fill

from rich import box
from rich.cells import cell_len
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

NAME_WIDTH = 12
"""Minimum width of the column of names, in characters, if there is a name of this length.

On a narrow terminal, columns of numbers are left out so that the names have this width. Longer
names take several lines.
"""
GAP = 2
"""Number of characters between two columns."""
INDENT = "    "
NO_BREAK = "\N{NO-BREAK SPACE}"
NARROW = 80
"""Width in characters below which bots are listed one below the other, if a table does not fit."""


@dataclass(frozen=True)
class NumberColumn:
    """A column of numbers: its title, which may have several lines, and a cell for each bot."""

    title: str
    cells: Sequence[str]

    @property
    def width(self) -> int:
        """Length of the longest line of the column, in characters."""
        lines = (line for text in (self.title, *self.cells) for line in text.split("\n"))
        return max(map(cell_len, lines))


def print_bots(
    console: Console,
    names: Sequence[str],
    columns: Sequence[NumberColumn],
    ranks: NumberColumn | None = None,
    sections: Collection[int] = (),
) -> Sequence[NumberColumn]:
    """Print a table with a row for each bot, and return the columns that it has.

    A table becomes a list, in which each bot has its own lines, if it does not fit on a terminal
    below ``NARROW`` characters, or if a name would break inside a word. Another table has the first
    columns that fit, and long names take several lines. ``sections`` are rows with a line below.
    """
    longest, numbers = max(map(cell_len, ["bot", *names])), [*columns, *([ranks] if ranks else [])]
    is_wide = longest + sum(GAP + column.width for column in numbers) > console.width
    shown = fitting_columns(names, columns, console.width, ranks)
    taken = sum(GAP + column.width for column in (*shown, *([ranks] if ranks else [])))
    if is_wide and (console.width < NARROW or taken + _longest_word(names) > console.width):
        console.print(_bots_list(names, columns, ranks, console.width), "")
        return columns
    console.print(bots_table(names, shown, console.width, ranks, sections), "")
    return shown


def _bots_list(
    names: Sequence[str],
    columns: Sequence[NumberColumn],
    ranks: NumberColumn | None,
    width: int,
) -> Group:
    """Return the bots one below the other, each with its numbers in indented lines."""
    lines: list[Text] = []
    for row, name in enumerate(names):
        rank = f"{ranks.cells[row]}. " if ranks else ""
        # ``fill`` does not break a number with its title.
        numbers = (
            NO_BREAK.join(f"{column.title} {column.cells[row]}".split())
            for column in columns
            if column.cells[row]
        )
        lines.append(Text(f"{rank}{name}", style="bold"))
        text = fill(
            ", ".join(numbers),
            width,
            initial_indent=INDENT,
            subsequent_indent=INDENT,
            break_on_hyphens=False,
        )
        lines.append(Text(text.replace(NO_BREAK, " ")))
    return Group(*lines)


def fitting_columns(
    names: Sequence[str],
    columns: Sequence[NumberColumn],
    width: int,
    ranks: NumberColumn | None = None,
) -> list[NumberColumn]:
    """Return the first columns that fit into ``width`` characters next to the names.

    At least one column is returned.
    """
    longest = max(map(cell_len, ["bot", *names]))
    room = width - min(longest, NAME_WIDTH) - (ranks.width + GAP if ranks else 0)
    shown: list[NumberColumn] = []
    for column in columns:
        room -= GAP + column.width
        if room < 0 and shown:
            break
        shown.append(column)
    return shown


def bots_table(
    names: Sequence[str],
    columns: Sequence[NumberColumn],
    width: int,
    ranks: NumberColumn | None = None,
    sections: Collection[int] = (),
) -> Table:
    """Return a table with a row for each bot, and a line after each row in ``sections``.

    ``columns`` must fit into ``width`` characters, as those of ``fitting_columns`` do.
    """
    numbers = sum(GAP + column.width for column in (*columns, *([ranks] if ranks else [])))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    if ranks is not None:
        table.add_column(ranks.title, justify="right", no_wrap=True, width=ranks.width)
    table.add_column("bot", overflow="fold", width=_name_width(names, width - numbers))
    for column in columns:
        table.add_column(column.title, justify="right", no_wrap=True, width=column.width)
    for row, name in enumerate(names):
        rank = [ranks.cells[row]] if ranks is not None else []
        cells = (column.cells[row] for column in columns)
        table.add_row(*rank, Text(name), *cells, end_section=row in sections)
    return table


def _longest_word(names: Sequence[str]) -> int:
    return max((cell_len(word) for name in names for word in name.split()), default=0)


def _name_width(names: Sequence[str], room: int) -> int:
    """Return the smallest width at which names take no more lines than in ``room`` characters.

    A long name is then folded into lines of similar length, which are easy to read.
    """

    def lines(width: int) -> int:
        return sum(ceil(cell_len(name) / width) for name in names)

    longest = max(map(cell_len, ["bot", *names]))
    most = max(min(longest, room), 1)
    least = max(min(most, max(NAME_WIDTH, _longest_word(names))), 1)
    return next(width for width in range(least, most + 1) if lines(width) == lines(most))
