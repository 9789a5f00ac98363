"""Output of ``c4-solve`` in docs/solver.md is what the solver writes."""

import json
import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "solver.md").read_text(encoding="utf-8")
TABLES = [
    re.findall(r"^\| ([^|]*)\| ([^|]*)\| [^|]*\|$", table, re.MULTILINE)[2:]
    for table in re.findall(r"(?:^\|.*\n)+", PAGE, re.MULTILINE)
]
"""Cells of the first two columns, for each row of each table, without headings."""


def spans(cells: list[str]) -> list[str]:
    """Return the code spans in some cells of a table."""
    return [span for cell in cells for span in re.findall("`([^`]+)`", cell)]


def test_shown_line_is_the_output(c4_solve):
    """The shown line has the solver's fields, except the time, in the order of the table."""
    (shown,) = re.findall(r"prints `([^`]+)`", PAGE)
    fields = spans([first for first, _ in TABLES[0]])
    assert fields == shown.split()
    assert c4_solve(stdin=b"4453").stdout.decode().split()[:3] == fields[:3]


def test_all_keys_are_named(c4_solve):
    """The tables name all keys of the JSON output, for columns and for cells."""
    keys = [spans([second for _, second in table]) for table in TABLES]
    assert list(json.loads(c4_solve("--json", stdin=b"4453").stdout)) == keys[0]
    found = c4_solve("--json", "--weak", "--variant", "line8", stdin=b"d4d5").stdout
    assert set(json.loads(found)) == {*keys[0], *keys[1]}


def test_shown_scores_with_the_steal(c4_solve):
    """The scores shown for a position with the steal are those that the solver writes."""
    (shown,) = re.findall(r"second command writes `([^`]+)`", PAGE)
    done = c4_solve("--variant", "7x6+steal", "--all", stdin=b"4")
    assert done.stdout.decode().split()[:-2] == shown.split()


def test_fields_of_a_game_of_cells(c4_solve):
    """The four fields shown for line8 are those of the empty board, in the order of the table."""
    (shown,) = re.findall(r"four more fields, `([^`]+)`", PAGE)
    done = c4_solve("--variant", "line8", "--time-ms", "200000", stdin=b"\n")
    assert done.stdout.decode().split()[-4:] == shown.split()
    first = spans([first for first, _ in TABLES[1]])
    assert first[:3] == shown.split()[:3]
    assert shown.split()[3].startswith(first[3].removesuffix("..."))


def test_score_of_the_example(c4_solve):
    """Scores in the example of --check are right. A win with the fourth stone has score 18."""
    (shown,) = re.findall(r"^printf '(.*)' \| c4-solve --check$", PAGE, re.MULTILINE)
    done = c4_solve("--check", stdin=shown.replace(r"\n", "\n").encode())
    assert done.returncode == 0
    assert b"6146 18 " in done.stdout
    assert "22 - 4 = 18" in PAGE
