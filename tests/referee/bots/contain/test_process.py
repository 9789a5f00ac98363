"""No child process outlives its game."""

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from c4_protocol.records.events import MoveMade
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain import process as processes
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.process_tree import descendants_of, freeze, kill_children
from c4_referee.bots.talk import contestant
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.play.game import play
from c4_referee.contest.play.jobs import Job
from played import PATIENT, played
from waiting import wait_for

BUSY = (sys.executable, "-S", "-E", "-c", "print(flush=True)\nwhile True: pass")


@pytest.fixture
def patient(monkeypatch) -> None:
    """Let bots have as much time as they need to end after the end of their input."""
    for module in (processes, contestant):
        monkeypatch.setattr(module, "CLOSING_SECONDS", 60)


def state(pid: int) -> str:
    """Return the kernel's letter for the state of a process, or "" if there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return ""


def state_becomes(pid: int, letter: str) -> bool:
    """Return whether a process gets into a state soon."""
    return wait_for(lambda: state(pid) == letter)


def open_files() -> int:
    """Return the number of open files of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def ends_in_time(pid: int) -> bool:
    """Return whether a process ends soon."""
    return wait_for(lambda: state(pid) in {"", "Z"})


def ignores_sigterm(pid: int) -> bool:
    """Return whether a process ignores SIGTERM."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return bool(int(re.search(r"SigIgn:\s*(\w+)", text)[1], 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.linux
def test_bot_that_ignores_the_end_is_killed(bot):
    """A bot that ignores the end of its input and SIGTERM is killed, and stop() returns False."""
    process = BotProcess(bot("ignores_the_end").command)
    assert wait_for(lambda: ignores_sigterm(process._child.pid))
    assert not process.stop()
    assert process.wait(0) == -9


@pytest.mark.linux
def test_paused_bot_uses_no_processor_until_it_is_resumed(bot):
    """A paused bot uses no processor time until it is resumed."""
    with BotProcess(BUSY) as process:
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        process.pause()
        assert state_becomes(process._child.pid, "T")
        before = process.cpu_seconds()
        time.sleep(0.1)
        assert process.cpu_seconds() == before > 0
        process.resume()
        assert state_becomes(process._child.pid, "R")


@pytest.mark.linux  # only on Linux can a process adopt orphans
def test_daemons_of_a_paused_bot_are_halted_with_it(bot, adopting):
    """A daemon of a paused bot is halted, even if it has left the session and lost its parent."""
    with BotProcess(bot("daemon_bomb").command) as process:
        os.write(process.stdin, b'{"grid":[[0]],"player":1}\n')
        os.set_blocking(process.stdout, True)
        os.read(process.stdout, 1)
        daemons = process._family.find_processes() - {process._child.pid}
        assert len(daemons) == 200
        process.pause()
        assert all(state_becomes(pid, "T") for pid in daemons)
        process.resume()
        assert all(state_becomes(pid, "S") for pid in daemons)


def test_paused_bot_can_end_by_itself(bot, patient):
    """stop() resumes a paused bot, so that the bot sees the end of its input."""
    process = BotProcess(bot("good").command)
    process.pause()
    assert process.stop()


def test_processor_time_is_known_after_the_end(bot):
    """The processor time is still known after the end of a bot."""
    process = BotProcess(bot("good").command)
    os.write(process.stdin, b"?\n")
    process.wait(60)
    before = process.cpu_seconds()
    process.stop()
    assert process.cpu_seconds() == before


def test_well_behaved_bot_ends_by_itself(bot, patient):
    """A bot that ends at the end of its input is not killed. It can be stopped twice."""
    with BotProcess(bot("good").command) as process:
        assert process.stop()
        assert process.stop()
    assert process.wait(0) == 0


def test_children_of_a_bot_end_with_it(bot, tmp_path):
    """A child in the bot's process group does not outlive the game."""
    pids = tmp_path / "pids"
    played(bot("has_children", env={"PIDS": str(pids)}), bot("good"))
    assert all(ends_in_time(int(pid)) for pid in pids.read_text().split())


@pytest.mark.linux
def test_fork_bomb_is_ended_whole(bot):
    """All children of a bot are ended, even while it starts more."""
    with BotProcess(bot("fork_bomb").command) as process:
        while len(descendants_of(process._child.pid)) < 50:
            time.sleep(0.001)
        family = freeze(process._family.find_processes)
        process.resume()
    assert len(family) > 50
    assert all(ends_in_time(pid) for pid in family)


@pytest.mark.linux
@pytest.mark.parametrize("kind", ["good", "silent", "killed", "endless_line", "ignores_the_end"])
def test_no_handle_is_left_open(bot, kind):
    """After a game, the number of open files is the same as before it."""
    before = open_files()
    played(bot(kind), bot("good"), TimeControl(200, startup_ms=500))
    assert open_files() == before


def test_last_words_after_the_end_are_kept(bot, patient):
    """Standard error that a bot writes after its input was closed is recorded."""
    end = played(bot("says_goodbye"), bot("good"))
    assert end.notes == []
    assert end.stderr["says_goodbye"].endswith("goodbye\n")


def test_next_start_waits_for_the_end_of_the_last(bot, tmp_path):
    """A bot starts for the next game only after its last process has ended."""
    locked = bot("holds_a_lock", env={"TARGET": str(tmp_path / "lock")})
    with Contestant(locked) as one, Contestant(bot("good")) as two:
        for number in range(3):
            *_, end = play(Job(number, 0, 1, more=True), STANDARD, (one, two), (PATIENT, PATIENT))
            assert end.fault is None


def test_bots_of_the_next_game_are_started_ahead(bot):
    """The bots for the next game start as soon as the last ones have ended."""
    with Contestant(bot("good")) as one, Contestant(bot("good")) as two:
        list(play(Job(1, 0, 1, more=True), STANDARD, (one, two), (PATIENT, PATIENT)))
        ahead = set(BotProcess.running)
        assert len(ahead) == 2
        playing = play(Job(2, 0, 1), STANDARD, (one, two), (PATIENT, PATIENT))
        while not isinstance(next(playing), MoveMade):
            pass
        assert set(BotProcess.running) == ahead
        *_, end = playing
        assert end.fault is None
        assert not BotProcess.running


TRACE = """
import ctypes, sys
libc = ctypes.CDLL(None)
print(libc.ptrace(16, int(sys.argv[1]), 0, 0), flush=True)
sys.stdin.read()
"""


@pytest.mark.linux  # ptrace is that of Linux
def test_bot_that_is_traced_is_stopped_in_time(bot):
    """A bot that another bot traces cannot be reaped, but stopping it does not wait for ever."""
    process = BotProcess(bot("good").command)
    with BotProcess([sys.executable, "-S", "-E", "-c", TRACE, str(process._child.pid)]) as tracer:
        os.set_blocking(tracer.stdout, True)
        if os.read(tracer.stdout, 16) != b"0\n":
            pytest.skip("this system does not let processes trace each other")
        process.stop()

    def is_gone() -> bool:
        kill_children(keep=BotProcess.running)
        return not state(process._child.pid)

    assert wait_for(is_gone)
