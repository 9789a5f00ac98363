"""``c4-referee watch``: a contest in progress, on a terminal and in a pipe."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest
from commands import SCRIPTS

pytestmark = pytest.mark.linux

SLOW = Path(__file__).parents[1] / "bots" / "slow.py"
CUP = f"""name = "Cup"
system = "round-robin"
variant = "4x4"
pairs = 2
accuracy = false
[bots.slow]
command = "{sys.executable} {SLOW} 0.15"
sandbox = false
[bots.also-slow]
command = "{sys.executable} {SLOW} 0.15 2"
sandbox = false
"""


@pytest.fixture
def cup(tmp_path, monkeypatch) -> Iterator[subprocess.Popen[bytes]]:
    """Play a tournament of slow bots in the folder ``cup``."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cup.toml").write_text(CUP)
    command = [SCRIPTS / "c4-referee", "tournament", "cup.toml"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as referee:
        while not (tmp_path / "cup" / "live.jsonl").exists():
            time.sleep(0.02)
        yield referee
        referee.kill()


def test_terminal_shows_the_boards_and_gets_back_what_it_was(cup) -> None:
    """The boards, the table and the results are drawn. ``q`` restores the terminal and prints."""
    command = f"{SCRIPTS / 'c4-referee'} watch cup"
    script = f"stty -a > before; {command}; echo ended $?; stty -a > after; cmp before after"
    with pexpect.spawn("sh", ["-c", script], dimensions=(24, 60), timeout=300) as terminal:
        terminal.expect_exact("\x1b[?1049h")
        terminal.expect(r"Cup.*of 4 games.*1 2 3 4")
        terminal.send("q")
        terminal.expect_exact("\x1b[?1049l")
        terminal.expect(r"Cup.* of 4 games")
        terminal.expect_exact("ended 0")
        terminal.expect(pexpect.EOF)
        assert b"differ" not in terminal.before


@pytest.mark.weekly
def test_pipe_gets_a_line_for_each_result(cup, c4_referee) -> None:
    """Without a terminal, each result is a line, and the standings follow."""
    shown = c4_referee("watch", "cup").stdout.decode().splitlines()
    games = [line for line in shown if line.startswith("game ")]
    assert games
    assert set(games) <= {
        f"game {number}: {bots} (13 moves)"
        for number in range(1, 5)
        for bots in ("slow 1-0 also-slow", "also-slow 1-0 slow")
    }
    assert "Cup  4 of 4 games, complete" in shown
    assert (
        c4_referee("watch", "cup").stdout.decode().splitlines()[0] == "Cup  4 of 4 games, complete"
    )
