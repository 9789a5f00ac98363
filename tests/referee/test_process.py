"""No child outlives its game, however it behaves."""

import time
from pathlib import Path

import pytest

from protocol.variant import STANDARD
from referee.clock import TimeControl
from referee.contestant import Contestant
from referee.game import play
from referee.process import BotProcess

CONTROL = TimeControl(2000)


def is_running(pid: int) -> bool:
    """Whether a process is there and not merely waiting to be reaped by its parent."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def open_files() -> int:
    """How many files this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def gone(pid: int, seconds: float = 5) -> bool:
    """Whether a process ends within that time."""
    until = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_running(pid)


def test_bot_that_ignores_the_end_is_killed(bot):
    """Neither the end of its input nor SIGTERM ends it, so SIGKILL does."""
    process = BotProcess(bot("ignores_the_end").command)
    time.sleep(0.3)  # until it ignores SIGTERM
    process.stop()
    assert process.wait(0) == -9


def test_well_behaved_bot_ends_by_itself(bot):
    """The end of its input is enough for a bot that listens to it."""
    process = BotProcess(bot("good").command)
    process.stop()
    assert process.wait(0) == 0


def test_stopping_twice_is_harmless(bot):
    """A context manager that was stopped by hand stops again without a word."""
    with BotProcess(bot("good").command) as process:
        process.stop()
    assert process.wait(0) == 0


def test_children_of_a_bot_end_with_it(bot, tmp_path):
    """A bot's own child in its process group is gone after the game."""
    pids = tmp_path / "pids"
    with (
        Contestant(bot("has_children", env={"PIDS": str(pids)})) as one,
        Contestant(bot("good")) as two,
    ):
        list(play(1, STANDARD, (one, two), (CONTROL, CONTROL)))
    assert all(gone(int(pid)) for pid in pids.read_text().split())


@pytest.mark.parametrize("kind", ["good", "silent", "killed", "endless_line", "ignores_the_end"])
def test_no_handle_is_left_open(bot, kind, monkeypatch):
    """After a game, as many files are open as before it."""
    monkeypatch.setattr("referee.contestant.STARTUP_MS", 500)
    before = open_files()
    with Contestant(bot(kind)) as one, Contestant(bot("good")) as two:
        list(play(1, STANDARD, (one, two), (TimeControl(200), CONTROL)))
    assert open_files() == before
