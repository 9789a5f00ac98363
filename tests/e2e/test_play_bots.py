"""``c4-referee play``: a person plays against a bot, with keys and in a pipe."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bots import LIGHT
from screens import Screen

pytestmark = pytest.mark.linux
CRASHING = """\
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    if grid[0][-2]:
        print("these are my last words", file=sys.stderr)
        sys.exit(3)
    column = 0 if grid[3][-1] else 6
    print(json.dumps({"move": column, "info": {"reason": "first free"}}), flush=True)
"""
"""A bot that plays column 1, tells why, and ends when it should play it a third time."""


@pytest.fixture
def crashing(tmp_path):
    """Return the command line of the bot."""
    (tmp_path / "crashing.py").write_text(CRASHING)
    return f"{sys.executable} {tmp_path / 'crashing.py'}"


def test_game_against_a_bot_that_fails_is_saved_and_shown(crashing, c4_referee):
    """In a pipe, the remark, the fault and its standard error are shown; the game is stored."""
    done = c4_referee("play", crashing, "--no-sandbox", stdin=b"4\n4\n4\nsave\nno\n")
    said = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert said.count("first free") == 2
    assert "You win: " in said
    assert "  these are my last words" in said.splitlines()
    assert said.endswith(f'\nNext:\n  c4-referee check "{crashing}" --no-sandbox\n')
    (folder,) = [line for line in said.splitlines() if line.startswith("The game is stored")]
    shown = c4_referee(*folder.partition("c4-referee ")[2].split())
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert b"1-0" in shown.stdout


def test_game_with_keys_against_a_bot(crashing):
    """On a screen, moves are taken back, and the fault of the bot is shown at the end."""
    screen = Screen("c4-referee", "play", crashing, "--no-sandbox")
    screen.press("", "Your move, X")
    screen.press("4", "first free")
    screen.press("v", r"\+4")
    screen.press("u", "Your last move is taken back")
    screen.press("4", "first free")
    screen.press("4", r"plays column 1\. first free")
    screen.press("4", "You win: ")
    screen.child.send("q")
    assert "these are my last words" in screen.end(0)


def test_bot_can_move_first_and_steal_is_a_key(c4_referee):
    """--second gives the bot the first move, which stays; t steals."""
    done = c4_referee("play", LIGHT, "--second", "--no-sandbox", stdin=b"undo\nquit\n")
    assert b"There is no move of yours to take back." in done.stdout
    screen = Screen("c4-referee", "play", LIGHT, "--second", "--variant", "4x4+steal")
    screen.press("", "Key t steals")
    screen.press("t", "Your move, O")
    screen.child.sendintr()
    screen.end(1)


@pytest.mark.weekly
@pytest.mark.skipif(not shutil.which("tmux"), reason="tmux is not installed")
def test_screen_in_tmux(tmp_path):
    """In tmux, a board of 60 columns is aligned, and the terminal has its text again at the end."""

    def tmux(*words):
        command = ["tmux", "-S", str(tmp_path / "socket"), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def wait_for(text):
        for _ in range(100):
            if text in (shown := tmux("capture-pane", "-p")):
                return shown
            time.sleep(0.1)
        raise AssertionError(shown)

    referee = Path(sys.executable).parent / "c4-referee"
    size = ("-x", "100", "-y", "24")
    play = f"echo before; env -u COLUMNS -u LINES {referee} play {LIGHT!r}; cat"
    tmux("new-session", "-d", *size, play)
    try:
        wait_for("Your move, X.")
        tmux("resize-window", "-x", "60", "-y", "24")
        assert "\n    1   2   3   4   5   6   7\n" in wait_for("n new  q quit  ? help")
        tmux("send-keys", "4")
        wait_for("plays column")
        tmux("send-keys", "q")
        assert "before" in wait_for("Moves: 4")
    finally:
        tmux("kill-server")
