"""SECURITY.md names the tests of each promise, and these tests exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES, REST = PAGE.split("## Not promised")
TABLE = REST.split("## Which tests show it")[1]


def test_every_promise_has_tests():
    """The last table has a row for each promise: rows of the first table, and bold sentences."""
    rows = re.findall(r"^\| (?!What|---)([^|]+) \|", PROMISES, re.MULTILINE)
    sentences = re.findall(r"^- \*\*([^*]+?)\.?\*\*", PROMISES, re.MULTILINE)
    shown = re.findall(r"^\| (?!Promise|---)([^|]+) \| `", TABLE, re.MULTILINE)
    assert shown == [*rows, *sentences]


def test_tests_of_the_promises_exist():
    """Every test that the page names is in one of the files with tests."""
    files = (path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    known = {
        name for text in files for name in re.findall(r"^def (test_\w+)\(", text, re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", TABLE))
    assert len(named) > 40
    assert named <= known
