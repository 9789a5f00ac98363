"""``c4-referee analyse``: values of positions, their best lines and reasons."""

import json

import pytest
from c4_protocol.rules.notation import replay
from c4_protocol.rules.variant import STANDARD
from cores import needs_core

PRECEPT = '{"grid":[[0,0,0],[0,0,1],[0,0,2]],"connect":3}'
pytestmark = [pytest.mark.linux, needs_core]


def test_analysis_is_shown_for_people(c4_referee):
    """The page has the result in words, the values, the board, the reason and the best line."""
    done = c4_referee("analyse", "444444")
    assert (done.returncode, done.stderr, b"\x1b" in done.stdout) == (0, b"", False)
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "X is to move and wins in 18 moves."
    assert lines[2] == " -1   0  +1      +1   0  -1"
    assert lines[3] == "  .   .   .  (O)  .   .   ."
    assert lines[11].startswith("Column 3 keeps the win: ")
    assert lines[12].startswith("Best line: 3 2 6 5 ")


def test_best_line_leads_to_the_result_of_the_value(c4_referee):
    """The best line in JSON ends the game as its value says."""
    done = c4_referee("analyse", "4453215346", "--json")
    found = json.loads(done.stdout)
    position, _ = replay(found["moves"] + "".join(map(str, found["line"])), STANDARD)
    assert position.is_over
    sign = {0: 0, 1: 1, 2: -1}[position.winner] * (1 if found["player"] == 1 else -1)
    assert sign == (found["score"] > 0) - (found["score"] < 0)


def test_lines_of_a_file_are_analysed_and_bad_ones_are_counted(c4_referee, tmp_path):
    """A bad line costs one line on standard error, and the others are analysed."""
    (tmp_path / "lines").write_text(f"7777771\nx9\n{PRECEPT}\n1212121\n444444 with a note\n")
    done = c4_referee("analyse", "lines", "--json", cwd=tmp_path)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["moves"] for one in found] == ["7777771", None, "444444"]
    complaints = done.stderr.decode().splitlines()
    assert [line.partition(": ")[2][:7] for line in complaints] == ["line 2:", "line 4:"]
    assert done.returncode == 1
    from_input = c4_referee("analyse", "-", "--json", stdin=PRECEPT.encode())
    assert json.loads(from_input.stdout)["player"] == 1


def test_game_without_gravity_is_analysed(c4_referee):
    """Cells may be written with or without blanks between them."""
    done = c4_referee("analyse", "d4d5e4", "--variant", "line8")
    assert done.stdout.startswith(b"O is to move and loses in 5 moves.\n")
    assert b"Best line: f4 e5 " in done.stdout
