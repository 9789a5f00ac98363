"""``c4-solve`` for games without gravity: winner, number of stones, and proof."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench" / "run.py"


@pytest.mark.weekly
def test_empty_board_of_cells_is_proven(c4_solve):
    """The first player wins line8 with seven stones. With --weak, the answer may be eight."""
    done = c4_solve("--variant", "line8", "--json", stdin=b"\n")
    answer = json.loads(done.stdout)
    assert (answer["moves"], answer["score"], answer["outcome"]) == ("", 26, "win")
    assert (answer["stones"], answer["exact"], len(answer["line"])) == (7, True, 13)
    assert answer["line"][0] in answer["best"]
    assert set(answer["best"]) <= {"d4", "d5", "e4", "e5"}
    assert (done.stderr, done.returncode) == (b"", 0)
    weak = c4_solve("--variant", "line8", "--weak", stdin=b"\n").stdout.split()
    assert (weak[0], weak[3]) == (b"1", b"win")
    assert weak[4] in {b"<=8", b"<=7"}


@pytest.mark.weekly
def test_proofs_are_written(c4_solve, tmp_path):
    """--proof writes all proofs with their steps, and an independent checker accepts them."""
    path = tmp_path / "proofs"
    asked = b"\nd4d5c4\nd4d5c4e4\n"
    done = c4_solve("--variant", "line8", "--proof", str(path), stdin=asked)
    sizes = [int(line.split(b" ")[6]) for line in done.stdout.splitlines()]
    command = [sys.executable, str(BENCH), "line_checker", str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [tuple(re.findall(r"[\w()]+", row)) for row in shown.splitlines() if "│" in row]
    assert [row[:4] for row in rows] == [
        ("(none)", "win", "7", str(sizes[0])),
        ("d4d5c4", "loss", "5", str(sizes[1])),
        ("d4d5c4e4", "win", "5", str(sizes[2])),
    ]
