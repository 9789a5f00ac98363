"""``c4-referee retry`` with real bots, in the positions of a small contest."""

import json
import sys
from collections import Counter

import pytest
from bots import LIGHT
from c4_referee import play_match

BOT = """
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    free = [x for x, column in enumerate(grid) if column[0] == 0]
    print(json.dumps({"move": %s}), flush=True)
"""


def leftmost(board):
    """Return the first free column."""
    return board.legal_moves[0]


def rightmost(board):
    """Return the last free column."""
    return board.legal_moves[-1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a contest ``out`` of two functions. What is solved is stored there."""
    folder = tmp_path_factory.mktemp("retry")
    play_match(leftmost, rightmost, 8, variant="4x4", openings="random:4", out=folder / "out")
    return folder


@pytest.fixture
def retry(c4_referee, folder):
    """Return a function that asks a bot whose move is an expression, with ``--json``."""

    def run(move: str) -> tuple[int, dict, str]:
        (folder / "new.py").write_text(BOT % move, encoding="utf-8")
        new = f"{sys.executable} -S -E new.py"
        done = c4_referee("retry", "out", "left", new, "--json", cwd=folder)
        return done.returncode, json.loads(done.stdout or "{}"), done.stderr.decode()

    return run


def test_same_bot_is_wrong_and_right_where_it_was(retry):
    """A program that plays like the bot of the contest mends nothing and loses nothing."""
    code, report, _ = retry("free[0]")
    counts, positions = report["counts"], report["positions"]
    assert (report["bot"], report["new"], code) == ("leftmost", "new.py", 1)
    assert counts["still wrong"] >= counts["still right"] > 0
    assert counts["better"] == counts["newly wrong"] == 0
    assert all(each["played"] == each["answer"] for each in positions)
    assert Counter(each["verdict"] for each in positions) == {k: n for k, n in counts.items() if n}
    assert all(each["reason"] for each in positions if each["verdict"] == "still wrong")


def test_forfeits_are_wrong_answers(retry):
    """A fault in some positions is a line for people. A bot that fails at once is asked no more."""
    code, report, errors = retry("free[0] if free[0] == 0 else 9")
    faults = [each for each in report["positions"] if each["answer"] is None]
    assert code == 1
    assert 0 < len(faults) < len(report["positions"])
    assert {each["verdict"] for each in faults} <= {"still wrong", "newly wrong"}
    assert errors.startswith(f"c4-referee: new.py forfeits {len(faults)} of ")
    code, report, errors = retry("9")
    assert (code, report) == (1, {})
    assert errors.startswith("c4-referee: new.py forfeits 1 of 1 positions, first game ")
    assert errors.count("\n") == 1


def test_better_bot_is_a_success(c4_referee, folder):
    """A bot that gives nothing away has exit code 0, and so has a bot with nothing to mend."""
    done = c4_referee("retry", "out", "leftmost", "c4-bot --depth 16", cwd=folder)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0].startswith("c4-bot --depth 16 mends ")
    assert [line.split()[0] for line in lines[1:4:2]] == ["0", "0"]
    play_match(leftmost, rightmost, 1, variant="3x2", out=folder / "flat")
    done = c4_referee("retry", "flat", "leftmost", "c4-bot", cwd=folder)
    assert done.returncode == 0
    assert done.stdout.startswith(b"leftmost gave away no win and no draw")


def test_report_of_a_match_leads_to_it(c4_referee, tmp_path):
    """The next commands of a match have one for each bot with a mistake that is not ours."""
    done = c4_referee("match", LIGHT, "c4-bot --plays random", "--out", "out", cwd=tmp_path)
    commands = [line for line in done.stdout.decode().splitlines() if "referee retry" in line]
    assert [line.split()[2:5] for line in commands] == [["out", "light.py", "NEW"]]
