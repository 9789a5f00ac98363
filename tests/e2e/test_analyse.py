"""``c4-referee analyse``: values of positions, their best lines and reasons."""

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
    """The best line ends the game as the first line says."""
    said = c4_referee("analyse", "4453215346").stdout.decode()
    line = said.partition("Best line: ")[2].replace(" ", "").strip()
    position, _ = replay(f"4453215346{line}", STANDARD)
    assert position.is_over
    words = {0: "can hold a draw", 1: "wins", 2: "loses"}[position.winner]
    assert said.startswith(f"X is to move and {words}")


def test_lines_of_a_file_are_analysed_and_bad_ones_are_counted(c4_referee, tmp_path):
    """A bad line costs one line on standard error, and the others are analysed."""
    (tmp_path / "lines").write_text(f"7777771\nx9\n{PRECEPT}\n1212121\n444444\n")
    done = c4_referee("analyse", "lines", cwd=tmp_path)
    assert done.stdout.count(b" is to move and ") == 3
    complaints = done.stderr.decode().splitlines()
    assert [line.partition(": ")[2][:7] for line in complaints] == ["line 2:", "line 4:"]
    assert done.returncode == 1
    from_input = c4_referee("analyse", "-", stdin=PRECEPT.encode())
    assert from_input.stdout.startswith(b"X is to move")


def test_game_without_gravity_is_analysed(c4_referee):
    """The moves of a game without gravity are cells."""
    done = c4_referee("analyse", "d4 d5 e4", "--variant", "line8")
    assert done.stdout.startswith(b"O is to move and loses in 5 moves.\n")
    assert b"Best line: f4 e5 " in done.stdout
