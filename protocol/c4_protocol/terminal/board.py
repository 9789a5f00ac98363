"""A board as text with colours, with the names of its columns as in moves."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from rich.text import Text

from c4_protocol.rules.notation import COLUMN_NAMES, ROW_NAMES
from c4_protocol.rules.position import Position, marked_cell
from c4_protocol.rules.variant import Variant
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.contract import Scores
from c4_protocol.terminal.paragraphs import Paragraph, paragraph

SIGNS = ("X", "O")
"""Characters for the stones of players 1 and 2."""
STYLES = ("bold red", "bold yellow")
"""Styles of the stones and names of players 1 and 2."""
MARKED_ROOM = 3
"""Minimum width of a cell, in characters, in which a stone can have brackets around it."""
SCORE_ROOM = 4
"""Width of a cell, in characters, in which most scores fit."""
EMPTY = "."


def least_room(variant: Variant) -> int:
    """Return the minimum width of a cell in characters: the name of its column and a blank."""
    return 2 if variant.gravity else 1 + len(str(variant.width))


def room_for_scores(all_scores: Sequence[Scores]) -> int:
    """Return the width of a cell in which stones have brackets, and each of the scores fits."""
    shown = (score_text(score) for scores in all_scores for score in scores)
    return max([MARKED_ROOM, *(1 + len(text) for text in shown)])


def board_width(variant: Variant, room: int) -> int:
    """Return the width of a row in characters. Without gravity, a row begins with a letter."""
    return room * variant.width + (not variant.gravity)


def room_for_width(variant: Variant, width: int | None, most: int = SCORE_ROOM) -> int:
    """Return the width of a cell with which a board fits into ``width`` characters.

    The result is 0 if no board fits. A ``width`` of ``None`` has no limit.
    """
    rooms = (most, MARKED_ROOM, least_room(variant))
    fitting = (room for room in rooms if width is None or board_width(variant, room) <= width)
    return next(fitting, 0)


def board_page(
    position: Position,
    room: int,
    last: int | None = None,
    scores: Scores = (),
    cursor: int | None = None,
) -> Iterator[Paragraph]:
    """Yield a board as ``board_text``. Scores that do not fit above the columns follow in words."""
    variant = position.variant
    if not room:
        least = board_width(variant, least_room(variant))
        yield paragraph(f"The board is left out: it is {least} characters wide.")
        return
    fits = room >= room_for_scores([scores])
    yield from map(Paragraph, board_text(position, room, last, scores if fits else (), cursor))
    named = zip(COLUMN_NAMES, map(score_text, scores), strict=False)
    known = ", ".join(f"{name}: {text.strip()}" for name, text in named if text)
    if known and not fits:
        yield paragraph(f"values: {known}")


def board_text(
    position: Position,
    room: int,
    last: int | None = None,
    scores: Scores = (),
    cursor: int | None = None,
) -> list[Text]:
    """Return the rows of a board: ``.``, ``X`` for player 1 and ``O`` for player 2.

    ``room`` is the width of a cell in characters. Columns are labelled as in moves, below the
    board. Without gravity, rows are labelled, too. The stones of a line are emphasized. If ``room``
    is at least ``MARKED_ROOM``, they also have brackets, and parentheses mark the stone of the
    ``last`` move, a cell or ``STEAL``. The free cell ``cursor`` is in angle brackets. ``scores``
    are printed above the columns; ``room_for_scores`` says how wide they are.
    """
    variant = position.variant
    line = reduce(or_, position.complete_lines, 0)
    last = None if last is None else marked_cell(position, last)
    rows = [
        Text.assemble(
            *_margin(variant, height), *_row_cells(position, height, room, (last, cursor), line)
        )
        for height in range(variant.height - 1, -1, -1)
    ]
    above = [_scores_text(variant, room, scores)] if scores else []
    all_rows = [*above, *rows, _column_names(variant, room)]
    for row in all_rows:
        row.rstrip()
    return all_rows


def printed_board(position: Position) -> str:
    """Return a board as it is printed between lines of text, with colours for a terminal."""
    console = SafeConsole(highlight=False)
    if console.legacy_windows:  # it reads no escape sequences
        console = SafeConsole(highlight=False, color_system=None)
    with console.capture() as printed:
        console.print("", *board_text(position, MARKED_ROOM), "", sep="\n", soft_wrap=True)
    return printed.get()


def _margin(variant: Variant, row: int) -> list[tuple[str, str]]:
    return [] if variant.gravity else [(ROW_NAMES[variant.height - 1 - row], "dim")]


def _row_cells(
    position: Position, row: int, room: int, marked: tuple[int | None, int | None], line: int
) -> list[tuple[str, str]]:
    """Return the texts of the cells of a row, with their styles."""
    texts = []
    for column in range(position.variant.width):
        sign, style = _cell_text(position, position.variant.cell(column, row), room, marked, line)
        texts += [(" " * (room - len(sign)), ""), (sign, style)]
    return texts


def _cell_text(
    position: Position, cell: int, room: int, marked: tuple[int | None, int | None], line: int
) -> tuple[str, str]:
    """Return the character of a cell, with its marks if there is room, and its style."""
    last, cursor = marked
    seat = next((seat for seat in (0, 1) if position.stones[seat] >> cell & 1), None)
    sign, style = (EMPTY, "dim") if seat is None else (SIGNS[seat], STYLES[seat])
    is_in_line = bool(line >> cell & 1)
    if room >= MARKED_ROOM:
        around = "()" if cell == last else "[]" if is_in_line else "<>" if cell == cursor else "  "
        sign = f"{around[0]}{sign}{around[1]}"
    if cell == cursor:
        return sign, f"{STYLES[position.player - 1]} reverse"
    emphasis = " reverse" if is_in_line else " underline" if cell == last else ""
    return sign, style + emphasis


def _column_names(variant: Variant, room: int) -> Text:
    """Return the names of the columns, each below the stones of its column."""
    names = COLUMN_NAMES if variant.gravity else [*map(str, range(1, variant.width + 1))]
    after = 2 if room >= MARKED_ROOM else 1
    cells = (f"{names[column]:<{after}}".rjust(room) for column in range(variant.width))
    margin = "" if variant.gravity else " "
    return Text(f"{margin}{''.join(cells)}", style="dim")


def _scores_text(variant: Variant, room: int, scores: Scores) -> Text:
    """Return the scores as a row. The best of them is bold."""
    best = max((score for score in scores if score is not None), default=None)
    return Text.assemble(
        "" if variant.gravity else " ",
        *(
            (f"{score_text(score):<3}".rjust(room), "bold" if score == best else "dim")
            for score in scores
        ),
    )


def score_text(score: int | None) -> str:
    """Return a score with its sign. The first digit is the second character."""
    if score is None:
        return ""
    return f"{score:+d}" if score else " 0"
