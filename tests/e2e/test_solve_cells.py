"""``c4-solve`` for games without gravity: winner, number of stones, and proof."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench" / "run.py"


def test_game_of_cells_is_solved_near_its_end(c4_solve):
    """In line8, moves and best moves are cells such as d4."""
    cells = [(f"{row}{column}", (i // 2 + column) % 2) for i, row in enumerate("abcdefgh")
             for column in range(1, 9)]  # fmt: skip
    first, second = ([name for name, owner in cells if owner == one] for one in (0, 1))
    moves = "".join(a + b for a, b in zip(first[:25], second[:25], strict=True))
    done = c4_solve("--variant", "line8", "--json", stdin=moves.encode())
    answer = json.loads(done.stdout)
    assert answer["moves"] == moves
    assert set(answer["best"]) <= {*first[25:], *second[25:]}
    assert (bool(answer["best"]), done.stderr, done.returncode) == (True, b"", 0)


def test_games_of_cells_are_proven(c4_solve):
    """An answer in line8 shows who wins with how many stones, the proof's size, and a line."""
    done = c4_solve("--variant", "line8", stdin=b"d4d5c4e4 x\nd4d5c4\nd4h1d5h2d6h3\n")
    answers = [line.split(" ") for line in done.stdout.decode().splitlines()]
    assert [(moves, score) for moves, score, *_ in answers] == [
        ("d4d5c4e4", "26"),
        ("d4d5c4", "-26"),
        ("d4h1d5h2d6h3", "29"),
    ]
    assert [answer[4:6] for answer in answers] == [["win", "5"], ["loss", "5"], ["win", "1"]]
    assert all(int(answer[6]) > 0 for answer in answers)
    assert [len(re.findall(r"[a-h][1-8]", answer[7])) for answer in answers] == [9, 10, 1]
    assert (done.stderr, done.returncode) == (b"", 0)


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


def test_what_is_not_proven_is_told(c4_solve):
    """A position that is not proven in time has no score, or only a bound on the stones."""
    # After a1, who wins is proven in a sixth of this time. The number of stones needs much more.
    done = c4_solve("--variant", "line8", "--time-ms", "2000", stdin=b"d4d5c4e4c3c5\na1\n")
    assert done.stderr == (
        b"c4-solve: line 1: who wins is not proven within 2 s\n"
        b"c4-solve: line 2: that it takes no fewer stones is not proven within 2 s\n"
    )
    moves, _, _, _, outcome, stones, *_ = done.stdout.split()
    assert (moves, outcome, stones[:2]) == (b"a1", b"win", b"<=")
    assert done.returncode == 1


def test_other_boards_than_those_of_the_core_are_refused(c4_solve):
    """--proof is refused for games that are not proven, and for a file that cannot be written."""
    done = c4_solve("--proof", "proofs", stdin=b"4")
    assert done.stderr.startswith(b"c4-solve: --proof and --time-ms need the native core")
    assert (done.stdout, done.returncode) == (b"", 2)
    done = c4_solve("--variant", "line8", "--proof", "/", stdin=b"d4")
    assert done.stderr == b"c4-solve: cannot write '/': Is a directory\n"
    assert (done.stdout, done.returncode) == (b"", 2)


def test_cells_may_stand_apart(c4_solve):
    """In line8, cells may be separated by blanks, and text after them is ignored."""
    apart = c4_solve(
        "--variant", "line8", "--weak", stdin=b"d4 d5 c4  e4\nd4 d5 c4 e4 win\nd4 d5 7\n"
    )
    together = c4_solve("--variant", "line8", "--weak", stdin=b"d4d5c4e4\nd4d5c4e4\nd4d5\n")
    asked = [line.split()[:2] for line in apart.stdout.splitlines()]
    assert asked == [line.split()[:2] for line in together.stdout.splitlines()]
    assert len(asked) == 3
    wrong = c4_solve("--variant", "line8", stdin=b"d4 d9\n")
    assert b"line 1: move 2 ('d9')" in wrong.stderr
