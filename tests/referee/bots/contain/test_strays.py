"""Strays of a referee that has ended are killed. Processes of a live referee are not."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from c4_referee.bots.contain import strays
from c4_referee.bots.contain.strays import (
    MARK_VARIABLE,
    end_former_strays,
    end_strays,
    marked_environment,
)
from users import NOBODY
from waiting import wait_for

pytestmark = pytest.mark.linux  # needs /proc

MARK_OF_CHILD = (
    "from c4_referee.bots.contain.strays import _own_mark; print(_own_mark(), flush=True)"
)


@pytest.fixture
def sleeper():
    """Return a function that starts a process with a mark and settings and returns it."""
    started = []

    def start(mark: str, **settings: Any) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen(["/bin/sleep", "60"], env={MARK_VARIABLE: mark}, **settings)
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def mark_of_ended_referee() -> str:
    """Return the mark of a process that has ended."""
    command = [sys.executable, "-c", MARK_OF_CHILD]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def own_mark() -> str:
    """Return the mark of this process."""
    return marked_environment()[MARK_VARIABLE]


def hidden_from_other_tests() -> dict[str, Any]:
    """Return settings of a process that referees of other tests, which run now, do not kill."""
    return {} if os.geteuid() else NOBODY


def is_running(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a process that may have been killed a moment ago still runs."""
    try:
        process.wait(0.2)
    except subprocess.TimeoutExpired:
        return True
    return False


def test_stray_of_an_ended_referee_is_killed(sleeper):
    """A process is killed if its mark names a referee that has ended, and only then."""
    stray, own, unmarked = (sleeper(mark) for mark in (mark_of_ended_referee(), own_mark(), ""))
    end_former_strays()
    assert stray.wait(60) == -signal.SIGKILL
    assert is_running(own)
    assert is_running(unmarked)


def test_zombie_referee_has_ended(sleeper):
    """A referee that was killed but not reaped has ended."""
    command = [sys.executable, "-c", f"{MARK_OF_CHILD}; import time; time.sleep(60)"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as referee:
        stray = sleeper(referee.stdout.readline().strip())
        end_former_strays()
        assert is_running(stray)
        referee.kill()
        os.waitid(os.P_PID, referee.pid, os.WEXITED | os.WNOWAIT)
        end_former_strays()
        assert stray.wait(60) == -signal.SIGKILL


def test_number_of_a_referee_that_is_used_again_is_no_referee(sleeper):
    """If another process has the number of an ended referee, the start time tells them apart."""
    namespace, pid, start, token = own_mark().split(":")
    stray = sleeper(f"{namespace}:{pid}:{int(start) - 1}:{token}")
    end_former_strays()
    assert stray.wait(60) == -signal.SIGKILL


@pytest.mark.parametrize("mark", ["", ":", "1:2", "x:y:z:t", "{namespace}::1:t", "1:{pid}:1:t"])
def test_mark_that_names_no_referee_of_this_system_is_left_alone(sleeper, mark):
    """A process is left alone if its mark is malformed or of another PID namespace."""
    namespace, pid, *_ = mark_of_ended_referee().split(":")
    process = sleeper(mark.format(namespace=namespace, pid=pid))
    end_former_strays()
    assert is_running(process)


def test_referee_that_cannot_be_examined_is_alive(sleeper, monkeypatch):
    """If this process cannot read the start time of a referee, it kills nothing."""
    process = sleeper(mark_of_ended_referee(), **hidden_from_other_tests())

    def fail(_: int) -> str:
        raise OSError

    monkeypatch.setattr(os, "geteuid", lambda: Path(f"/proc/{process.pid}").stat().st_uid)
    monkeypatch.setattr(strays, "_start_time", fail)
    end_former_strays()
    assert is_running(process)


def test_process_of_another_user_is_left_alone(sleeper, monkeypatch):
    """Strays of other users are left to these users."""
    process = sleeper(mark_of_ended_referee(), **hidden_from_other_tests())
    if not os.geteuid():
        end_former_strays()
        assert is_running(process)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    end_former_strays()
    assert is_running(process)


def test_own_strays_are_processes_that_are_no_descendants(tmp_path):
    """``end_strays`` kills a marked process that lost its parent, and no descendant."""
    number = tmp_path / "number"
    daemon = f"setsid sh -c 'echo $$ > {number}; exec sleep 60' &"
    with subprocess.Popen(["/bin/sleep", "60"], env=marked_environment()) as child:
        subprocess.run(["sh", "-c", daemon], env=marked_environment(), check=True)
        assert wait_for(lambda: number.exists() and number.read_text().endswith("\n"))
        stray = Path(f"/proc/{number.read_text().strip()}")
        is_adopted = f"PPid:\t{os.getpid()}\n" in (stray / "status").read_text()
        end_strays()
        assert is_adopted or wait_for(lambda: has_ended(stray))
        assert is_running(child)
        child.kill()


def has_ended(process: Path) -> bool:
    """Return whether a process is gone or a zombie."""
    return not process.exists() or "\nState:\tZ" in (process / "status").read_text()
