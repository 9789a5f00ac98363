"""Lines of CSV, with cells that no spreadsheet takes for formulas.

A spreadsheet calculates a cell that begins with = + - or @, although CSV has only texts. A bot
with the name ``=HYPERLINK("http://...")`` would become a link. Therefore ``safe_cell`` writes an
apostrophe before such a sign, as OWASP recommends ("CSV Injection"), and ``plain_cell`` removes it.
Some spreadsheets also begin a new cell at a semicolon, a tabulator or a vertical line, and remove
quotes there.
"""

import csv
import re
from collections.abc import Iterable
from io import StringIO

INVISIBLE = (
    r"\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    r"\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Ranges of characters without a width: control characters, and those that Unicode lets programs
ignore (Default_Ignorable_Code_Point). Some spreadsheets drop them at the beginning of a cell."""
CELL = re.compile(
    rf"((?:^|[;|\t\r\n])[\s'\"{INVISIBLE}]*+)([=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b]?)"
)
"""Beginning of a cell: what may stand before a formula, and its sign, if there is one. The last
eight signs are = + - and @ of East Asian keyboards, wide and small. Each character is read once."""


def safe_cell(value: object) -> object:
    """Return a value for a cell. A text gets an apostrophe before each sign of a formula."""
    if not isinstance(value, str):
        return value
    return CELL.sub(lambda cell: f"{cell[1]}'{cell[2]}" if cell[2] else cell[1], value)


def plain_cell(text: str) -> str:
    """Return the text for which ``safe_cell`` returned this text."""
    if "'" not in text:
        return text
    return CELL.sub(lambda cell: cell[1].removesuffix("'") + cell[2] if cell[2] else cell[1], text)


def csv_line(values: Iterable[object]) -> str:
    """Return a line of CSV, with its line end, from the values in it. None is a formula."""
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(map(safe_cell, values))
    return line.getvalue()
