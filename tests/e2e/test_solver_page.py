"""What docs/solver.md shows of the output of ``c4-solve`` is what it writes."""

import json
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "solver.md").read_text(encoding="utf-8")
TABLES = [
    re.findall(r"^\| ([^|]*)\| ([^|]*)\| [^|]*\|$", table, re.MULTILINE)[2:]
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)
]
"""The first two cells of each row below a heading, of each table."""


def spans(cells: list[str]) -> list[str]:
    """Return the code in some cells of a table."""
    return [span for cell in cells for span in re.findall("`([^`]+)`", cell)]


def test_shown_line_is_the_output(c4_solve):
    """All fields but the time, which the table has in the same order."""
    (shown,) = re.findall(r"prints `([^`]+)`", PAGE)
    fields = spans([first for first, _ in TABLES[0]])
    assert fields == shown.split()
    assert c4_solve(stdin=b"4453").stdout.decode().split()[:3] == fields[:3]


def test_all_keys_are_named(c4_solve):
    """Those of the standard board, and those that a game of cells adds."""
    keys = [spans([second for _, second in table]) for table in TABLES]
    assert list(json.loads(c4_solve("--json", stdin=b"4453").stdout)) == keys[0]
    found = c4_solve("--json", "--weak", "--variant", "line8", stdin=b"d4d5").stdout
    assert set(json.loads(found)) == {*keys[0], *keys[1]}


def test_fields_of_a_game_of_cells(c4_solve):
    """The four that are shown are those of the empty board, and the table has them in order."""
    (shown,) = re.findall(r"four more fields, `([^`]+)`", PAGE)
    done = c4_solve("--variant", "line8", "--time-ms", "200000", stdin=b"\n")
    assert done.stdout.decode().split()[-4:] == shown.split()
    first = spans([first for first, _ in TABLES[1]])
    assert first[:3] == shown.split()[:3]
    assert shown.split()[3].startswith(first[3].removesuffix("..."))


def test_score_of_the_example(c4_solve):
    """The scores in the example of --check are right; 18 is a win with the fourth stone."""
    (shown,) = re.findall(r"^printf '(.*)' \| c4-solve --check$", PAGE, re.MULTILINE)
    done = c4_solve("--check", stdin=shown.replace(r"\n", "\n").encode())
    assert done.returncode == 0
    assert b"6146 18 " in done.stdout
    assert "22 - 4 = 18" in PAGE
