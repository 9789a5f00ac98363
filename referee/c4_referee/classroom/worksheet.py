"""The grading worksheet that Moodle hands out, in which only the grades are filled in.

Its headings are words of the language of the site, so columns are found by what is in them. The
first column identifies a student by the number at the end, as in ``Participant 1234567``. The
column of the grades is the one before the maximum grade, which is the same number in all rows and
stands before a column of words.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.csv_files import read_csv

NUMBER_AT_END = re.compile(r"\d+$")
NO_GRADE = frozenset({"", "-"})


def filled_worksheet(path: Path, shares: Mapping[str, float | None]) -> str:
    """Return a worksheet with grades: the maximum grade of the worksheet times a student's share.

    ``shares`` are by texts that end with the number of a student. Rows of other students, and of
    those whose share is ``None``, stay as they are. Raises ``UsageError`` if the file cannot be
    read, or if no column has grades.
    """
    rows, delimiter = read_csv(path)
    header = rows[0] if rows else []
    rows = [row for row in rows[1:] if len(row) == len(header)]
    column = next((n for n in range(1, len(header) - 2) if _holds_grades(rows, n)), None)
    if column is None:
        reason = "no column has the maximum grade: download the worksheet again"
        raise UsageError(f"cannot fill {path}: {reason}")
    known = {_number_at_end(name): share for name, share in shares.items()}
    for row in rows:
        share, maximum = known.get(_number_at_end(row[0])), row[column + 1]
        if share is not None:
            grade = f"{round(share * (_number(maximum) or 0.0), 2):g}"
            row[column] = grade.replace(".", ",") if "," in maximum else grade
    written = StringIO()
    csv.writer(written, delimiter=delimiter).writerows([header, *rows])
    return written.getvalue()


def _holds_grades(rows: Sequence[Sequence[str]], column: int) -> bool:
    maxima = {_number(row[column + 1]) for row in rows}
    return (
        all(row[column] in NO_GRADE or _number(row[column]) is not None for row in rows)
        and len(maxima) == 1
        and None not in maxima
        and all(row[column + 2] and _number(row[column + 2]) is None for row in rows)
    )


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _number_at_end(text: str) -> str:
    found = NUMBER_AT_END.search(text)
    return found[0] if found else ""
