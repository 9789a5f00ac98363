"""Pictures of positions as SVG, for notebooks and for pages.

A cell is one unit wide. The centre of the cell in column x and row y is at (x + 1, y + 1): both
count from 0, rows from the top. A stone is a dot of a thick stroke with round caps (``M1 6h0``), so
that all stones of a player are one short path. The first player's stones are discs, the second
player's have a ring, so that they differ in print and for people who do not see the colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from c4_protocol.rules.notation import COLUMN_NAMES, ROW_NAMES
from c4_protocol.rules.position import Position, marked_cell
from c4_protocol.rules.variant import MAX_SIDE, Variant, cells_of

MAX_LABELLED_COLUMNS = 13
"""Maximum number of columns that all have labels. On a wider board only some have labels, in larger
letters."""
FRAME_WIDTH = 0.15
"""Width of the frame around the cells, on a board that has a label for each column."""
PIXELS_PER_CELL = 40
MAX_WIDTH_IN_PIXELS = 480
"""Width of a cell, and maximum width of a picture, in pixels. A page can change the size."""
ATTRIBUTES_BY_CLASS = {
    "bb": 'fill="#2a5587"',
    "bt": 'fill="#d4e2f1" text-anchor="middle" font-family="system-ui,sans-serif" '
    'font-weight="600"',
    "bh": 'stroke="#14304f" stroke-width=".82" stroke-dasharray="0 1"',
    "b1": 'stroke="#e8641b" stroke-width=".82"',
    "b2": 'stroke="#f4dd4b" stroke-width=".82"',
    "br": 'stroke="#6b5b00" stroke-width=".5"',
    "bi": 'stroke="#f4dd4b" stroke-width=".36"',
    "bl": 'stroke="#14202e" stroke-width=".2"',
    "bs": 'stroke="#14202e" stroke-width=".16"',
    "bw": 'stroke="#fff" stroke-width=".08"',
    "be": 'stroke="#fff" stroke-width=".06"',
}
"""Attributes of the parts of a picture, by the class that they have in a page: board, texts, holes,
stones of both players, ring, inside of the ring, last stone, stroke through a line (edge and
middle), and better move."""


def board_svg(
    position: Position,
    last: int | None = None,
    *,
    better: int | None = None,
    count_from: int = 1,
    styled: bool = True,
    label: str = "",
) -> str:
    """Return a picture of a position as an ``<svg>`` element.

    ``last`` is the last move, which gets a dot. ``better`` is a move to mark with an empty circle.
    Both are cells, or ``STEAL``, which marks the stolen stone. Complete lines are marked by a
    stroke. Columns are labelled as in move strings; if ``count_from`` is 0, they are numbered as in
    messages. ``styled`` is false for a page whose style sheet gives colours to the classes in
    ``ATTRIBUTES_BY_CLASS``. ``label`` describes the picture for people who cannot see it. The
    default says how many stones there are and who moves next.
    """
    canvas = _Canvas(position.variant, styled, count_from)
    first, second = position.stones
    dot = "" if last is None else canvas.path_of_dots(1 << marked_cell(position, last))
    circle = "" if better is None else canvas.path_of_circle(marked_cell(position, better))
    parts = [
        canvas.board_rectangle(),
        canvas.label_texts(),
        canvas.path_element("bh", canvas.path_of_holes()),
        canvas.path_element("b1", canvas.path_of_dots(first)),
        *(canvas.path_element(part, canvas.path_of_dots(second)) for part in ("b2", "br", "bi")),
        *(canvas.path_element(part, canvas.path_of_lines(position)) for part in ("bs", "bw")),
        canvas.path_element("bl", dot),
        canvas.path_element("be", circle),
    ]
    return canvas.svg_element("".join(parts), label or _description_of(position))


def _description_of(position: Position) -> str:
    if position.winner:
        state = f"player {position.winner} has won"
    else:
        state = "the board is full" if position.is_full else f"player {position.player} moves next"
    return f"{position.variant.size} board with {position.ply} stones: {state}"


@dataclass(frozen=True)
class _Canvas:
    """Coordinates of a board, and its parts as elements."""

    variant: Variant
    styled: bool
    count_from: int

    @property
    def label_distance(self) -> int:
        """The number of columns from one column with a label to the next."""
        return -(-self.variant.width // MAX_LABELLED_COLUMNS)

    @property
    def view_box(self) -> tuple[float, float, float, float]:
        """Left edge, top edge, width and height of the picture."""
        margin, frame = 0.5 * self.label_distance, FRAME_WIDTH * self.label_distance
        left = 0.5 - frame - (0 if self.variant.gravity else margin)
        top = 0.5 - margin
        width, height = self.variant.width + 0.5 + frame, self.variant.height + 0.5 + frame
        height += 0 if self.count_from else 0.8 * margin  # for a line of text
        return left, top, width - left, height - top

    def svg_element(self, content: str, label: str) -> str:
        """Return the whole picture."""
        _, _, width, height = self.view_box
        size = ""
        if self.styled:
            pixels = min(PIXELS_PER_CELL, MAX_WIDTH_IN_PIXELS / width)
            size = (
                f' xmlns="http://www.w3.org/2000/svg" width="{width * pixels:.0f}"'
                f' height="{height * pixels:.0f}" fill="none" stroke-linecap="round"'
            )
        box = " ".join(map(_short_number, self.view_box))
        name = escape(label)
        return (
            f'<svg class="bo" viewBox="{box}" role="img" aria-label="{name}"{size}>{content}</svg>'
        )

    def attributes_of(self, part: str) -> str:
        """Return the attributes that give a part its colours."""
        return ATTRIBUTES_BY_CLASS[part] if self.styled else f'class="{part}"'

    def board_rectangle(self) -> str:
        """Return the board without its holes. In a page it is the background of the picture."""
        if not self.styled:
            return ""
        x, y, width, height = map(_short_number, self.view_box)
        colours = ATTRIBUTES_BY_CLASS["bb"]
        return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx=".2" {colours}/>'

    def label_texts(self) -> str:
        """Return the names of the columns, and without gravity those of the rows."""
        variant, distance, count_from = self.variant, self.label_distance, self.count_from
        numbers = [str(number) for number in range(count_from, MAX_SIDE + count_from)]
        columns = COLUMN_NAMES if variant.gravity and count_from else numbers
        top, places = 0.5 - 0.13 * distance, self._labelled_places(variant.width)
        texts = _label_elements([(x, top, columns[x - 1]) for x in places])
        if not variant.gravity:
            rows, left = ROW_NAMES if count_from else numbers, 0.5 - 0.28 * distance
            places = self._labelled_places(variant.height)
            texts += _label_elements([(left, y + 0.12 * distance, rows[y - 1]) for y in places])
        if not count_from:
            middle, bottom = (variant.width + 1) / 2, variant.height + 0.5 + 0.4 * distance
            texts += _text_element([middle], [bottom], "from 0")
        size = _short_number(0.34 * distance)
        return f'<g font-size="{size}" {self.attributes_of("bt")}>{texts}</g>'

    def _labelled_places(self, count: int) -> range:
        """Return the coordinates of the columns or rows that have labels."""
        return range(self.label_distance, count + 1, self.label_distance)

    def path_of_holes(self) -> str:
        """Return one line for each row. Its dashes of length 0 become dots."""
        length = _short_number(self.variant.width - 0.9)
        return "".join(f"M1 {y + 1}h{length}" for y in range(self.variant.height))

    def path_of_dots(self, stones: int) -> str:
        """Return a dot for each stone of a bitboard."""
        return "".join(f"M{self.centre_of(cell)}h0" for cell in cells_of(stones))

    def path_of_lines(self, position: Position) -> str:
        """Return a stroke for each complete line."""
        ends = ([*cells_of(line)] for line in position.complete_lines)
        return "".join(f"M{self.centre_of(cells[0])}L{self.centre_of(cells[-1])}" for cells in ends)

    def path_of_circle(self, cell: int) -> str:
        """Return the circumference of a circle in a cell."""
        return f"M{self.centre_of(cell)}m-.3 0a.3.3 0 1 0 .6 0a.3.3 0 1 0-.6 0"

    def centre_of(self, cell: int) -> str:
        """Return the coordinates of the centre of a cell."""
        variant = self.variant
        return f"{variant.column_of(cell) + 1} {variant.height - variant.row_of(cell)}"

    def path_element(self, part: str, data: str) -> str:
        """Return a part as a path; no text if there is nothing to draw."""
        return f'<path {self.attributes_of(part)} d="{data}"/>' if data else ""


def _label_elements(label_texts: Sequence[tuple[float, float, str]]) -> str:
    """Return texts at their coordinates. Single characters share one element."""
    if label_texts and all(len(text) == 1 for _, _, text in label_texts):
        xs, ys, texts = zip(*label_texts, strict=True)
        return _text_element(xs, ys, "".join(texts))
    return "".join(_text_element([x], [y], text) for x, y, text in label_texts)


def _text_element(xs: Sequence[float], ys: Sequence[float], text: str) -> str:
    """Return a text whose characters have the given coordinates."""
    x, y = (" ".join(map(_short_number, values)) for values in (xs, dict.fromkeys(ys)))
    return f'<text x="{x}" y="{y}">{text}</text>'


def _short_number(value: float) -> str:
    """Return a number with at most two decimals, without zeros that mean nothing."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
