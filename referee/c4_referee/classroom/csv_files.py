"""Files in CSV that an instructor puts into the folder of a class."""

import csv
from io import StringIO
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.system.safe_files import MAX_WRITTEN_BYTES, read_file


def read_csv(path: Path) -> tuple[list[list[str]], str]:
    """Return the rows of a file that are not empty, and its delimiter: that of its first line.

    Raises ``UsageError`` if the file cannot be read.
    """
    try:
        text = read_file(path, MAX_WRITTEN_BYTES).decode("utf-8-sig")
        delimiter = max(",;\t", key=text.partition("\n")[0].count)
        rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
        return [row for row in rows if any(row)], delimiter
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
