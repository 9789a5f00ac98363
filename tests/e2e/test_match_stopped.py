"""``c4-referee match`` when it is stopped, killed, or out of resources.

No process is left behind, and no game is lost.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from bots import LIGHT
from c4_referee.bots.contain.process_tree import children_of, descendants_of
from commands import SCRIPTS
from effort import sampled
from users import python_of_ordinary_user, python_of_present_user
from views import needs_sandbox

pytestmark = pytest.mark.linux  # needs /proc


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_match_leaves_nobody_behind(number, misbehaving, wait_until):
    """A signal such as Ctrl-C ends a match early, with a report, exit code 1, and no child left."""
    slow = misbehaving("silent")
    command = [SCRIPTS / "c4-referee", "match", slow, slow, "--time-ms", "600000", "--json",
               "--concurrency", "2"]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as referee:
        assert wait_until(lambda: len(descendants_of(referee.pid)) == 6)  # two workers, four bots
        children = descendants_of(referee.pid)
        referee.send_signal(number)
        out, err = referee.communicate(timeout=300)
    assert referee.returncode == 1
    assert json.loads(out)["complete"] is False
    assert err == b""
    assert wait_until(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


@pytest.mark.parametrize("delay", sampled([0, 0.1, 0.2, 0.4, 0.6, 0.8], [0, 0.4]))
def test_interrupt_at_any_moment_is_quiet(delay, mark, misbehaving, wait_until):
    """An interrupt at any moment, even during the start, leaves no traceback and no process."""

    def has_begun():  # before that, Python itself starts
        return "orjson" in Path(f"/proc/{referee.pid}/maps").read_text(encoding="utf-8")

    stubborn = misbehaving("ignores_the_end")
    command = [SCRIPTS / "c4-referee", "match", stubborn, stubborn, "--games", "50"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                          env=mark.environment) as referee:  # fmt: skip
        assert wait_until(has_begun)
        time.sleep(delay)
        referee.send_signal(signal.SIGINT)
        _, err = referee.communicate(timeout=300)
    assert b"Traceback" not in err
    assert wait_until(lambda: not mark.bearers())


def test_sigterm_ends_a_match_that_a_shell_put_in_the_background(misbehaving):
    """SIGTERM ends a match in the background, although the shell lets it ignore Ctrl-C."""
    slow = misbehaving("silent")
    referee = f"{SCRIPTS / 'c4-referee'} match '{slow}' '{slow}' --time-ms 600000 --json"
    until_it_has_workers = "until grep -q . /proc/$P/task/$P/children; do :; done"
    done = subprocess.run(
        ["sh", "-c", f"{referee} & P=$!; {until_it_has_workers}; kill $P; wait $P; echo $?"],
        capture_output=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == b"1"


def test_match_under_nohup_outlives_its_terminal(misbehaving):
    """A match under nohup continues after SIGHUP and is played to its end."""
    good = misbehaving("good")
    command = ["nohup", SCRIPTS / "c4-referee", "match", good, good, "--games", "4",
               "--concurrency", "1", "--no-accuracy", "--events", "-"]  # fmt: skip
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as referee:
        referee.stdout.readline()
        referee.send_signal(signal.SIGHUP)
        out, _ = referee.communicate(timeout=300)
    assert referee.returncode == 0
    assert json.loads(out.splitlines()[-1])["report"]["games"] == 4


def test_killed_referee_leaves_nobody_behind(mark, misbehaving, wait_until):
    """Kill -9 of the referee makes workers end, together with bots that ignore SIGTERM."""
    slow = misbehaving("silent")
    command = [SCRIPTS / "c4-referee", "match", slow, misbehaving("ignores_the_end"),
               "--time-ms", "600000"]  # fmt: skip
    with subprocess.Popen(command, env=mark.environment) as referee:
        assert wait_until(lambda: len(descendants_of(referee.pid)) == 6)
        referee.kill()
    assert wait_until(lambda: not mark.bearers())


def test_machine_without_room_leaves_games_unplayed(misbehaving):
    """If too few files can be opened, no bot loses: the games are tried again, then left out.

    ``--events`` has only games with a result.
    """
    good = misbehaving("good")
    referee = f"{SCRIPTS / 'c4-referee'} match '{good}' '{good}' --concurrency 1 --events -"
    done = subprocess.run(
        ["sh", "-c", f"ulimit -n 11; exec {referee}"], capture_output=True, check=False
    )
    assert done.returncode == 1
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert {event["event"] for event in events} == {"match_ended"}
    report = events[-1]["report"]
    assert (report["complete"], report["games"], report["forfeits"]) == (False, 0, {})


APART = f"""
import sys
from c4_referee.bots.contain import strays
strays._pid_namespace = lambda: "tests {os.getpid()}"
from c4_referee.cli import main
"""
"""Start of a program whose strays no referee outside of this test process ends."""


@contextmanager
def match_with_daemons(mark, misbehaving, wait_until) -> Iterator[subprocess.Popen[bytes]]:
    """Yield the referee of a match in which a bot has started two daemons and is still asked."""
    bots = (misbehaving("leaves_daemons"), misbehaving("silent"))
    command = ["match", *bots, "--time-ms", "600000", "--concurrency", "1"]
    program = [sys.executable, "-c", f"{APART}sys.exit(main())", *command]
    with subprocess.Popen(program, env=mark.environment) as referee:
        try:
            assert wait_until(lambda: len(daemons(mark)) == 2)
            yield referee
        finally:
            referee.kill()


def daemons(mark) -> set[int]:
    """Return the processes with the mark that bots have started and that lead a session."""
    found = set()
    for pid in mark.bearers():
        with suppress(FileNotFoundError, ProcessLookupError):  # it may have ended
            program = Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"os.setsid" in program and os.getsid(pid) == pid:
                found.add(pid)
    return found


def kill_at_once(pids: Iterable[int]) -> None:
    """Kill processes before one of them can react to the end of another."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            os.kill(pid, number)


NEXT_RUNS = {
    "match": "sys.exit(main(['match', {bot!r}, {bot!r}, '--no-accuracy']))",
    "check": "sys.exit(main(['check', {bot!r}]))",
    "play_match": "from c4_referee import play_match; play_match({bot!r}, {bot!r})",
}


@pytest.mark.parametrize("run", sampled(NEXT_RUNS, ["match"]))
def test_next_run_ends_what_a_killed_referee_left(mark, other_mark, misbehaving, wait_until, run):
    """The next run ends daemons whose referee and worker were killed at once, and no others."""
    with (
        match_with_daemons(mark, misbehaving, wait_until) as referee,
        match_with_daemons(other_mark, misbehaving, wait_until),
    ):
        kill_at_once([referee.pid, *children_of(referee.pid)])
        referee.wait()
        assert wait_until(lambda: mark.bearers() == daemons(mark))
        assert len(daemons(mark)) == 2
        program = APART + NEXT_RUNS[run].format(bot=LIGHT)
        subprocess.run([sys.executable, "-c", program], check=True)
        assert wait_until(lambda: not mark.bearers())
        assert len(daemons(other_mark)) == 2
    assert wait_until(lambda: not other_mark.bearers())


LASTING_BWRAP = """#!{python} -SE
import os, sys
number = int(sys.argv[2])
options = os.read(number, 1 << 20).replace(b"--die-with-parent\\0", b"")
file = os.memfd_create("options")
os.write(file, options)
os.lseek(file, 0, os.SEEK_SET)
os.dup2(file, number)
os.execv("{bwrap}", sys.argv)
"""
"""A bubblewrap whose sandboxes survive it, as if bots had changed their first process."""
NEXT_RUN = "from c4_referee.bots.contain.strays import prepare_command; prepare_command()"


@contextmanager
def lasting_bwrap(python: str) -> Iterator[str]:
    """Yield a folder with ``LASTING_BWRAP``, which all users can open."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        bwrap = Path(folder, "bwrap")
        bwrap.write_text(LASTING_BWRAP.format(python=python, bwrap=shutil.which("bwrap")))
        bwrap.chmod(0o755)
        yield folder


def running(processes: list[int]) -> list[int]:
    """Return the descriptors of processes that have not ended."""
    return [process for process in processes if not select.select([process], [], [], 0)[0]]


@needs_sandbox
@pytest.mark.parametrize("user", [python_of_present_user, python_of_ordinary_user])
def test_next_run_ends_a_sandbox_that_survived(wait_until, user):
    """The next run ends sandboxes that outlive referee and worker. Bubblewrap has the mark."""
    python, settings = user()
    options = ["--sandbox", "require", "--time-ms", "600000", "--concurrency", "1"]
    match = [python, "-m", "c4_referee", "match", "sleep 600", "sleep 600", *options]
    with lasting_bwrap(python) as folder, ExitStack() as stack:
        settings = {**settings, "env": {**settings["env"], "PATH": f"{folder}:{os.defpath}"}}
        referee = stack.enter_context(subprocess.Popen(match, **settings))
        stack.callback(referee.kill)
        # a worker, and for each bot two processes of bubblewrap and the bot
        assert wait_until(lambda: len(descendants_of(referee.pid)) == 7 or referee.poll())
        processes = [os.pidfd_open(pid) for pid in descendants_of(referee.pid)]
        kill_at_once([referee.pid, *children_of(referee.pid)])
        try:
            assert wait_until(lambda: len(running(processes)) <= 4)
            subprocess.run([python, "-c", NEXT_RUN], check=True, **settings)
            assert wait_until(lambda: not running(processes))
        finally:
            for process in running(processes):
                signal.pidfd_send_signal(process, signal.SIGKILL)
            for process in processes:
                os.close(process)


def test_killed_worker_costs_no_game(misbehaving):
    """A game whose worker is killed is played again, and each game counts once."""
    bots = (misbehaving("good"), misbehaving("good"))
    command = [SCRIPTS / "c4-referee", "match", *bots, "--games", "24", "--events", "-",
               "--variant", "4x4"]  # fmt: skip
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "bufsize": 0}
    with subprocess.Popen(command, **pipes) as referee:
        lines = []
        for _ in range(3):  # a worker that has ended is replaced after the next game
            lines.append(referee.stdout.readline())
            while b'"game_ended"' not in lines[-1]:
                lines.append(referee.stdout.readline())
            workers = Path(f"/proc/{referee.pid}/task/{referee.pid}/children").read_text().split()
            os.kill(int(workers[0]), signal.SIGKILL)  # the oldest worker
        out, _ = referee.communicate(timeout=300)
    *events, end = [json.loads(line) for line in (*lines, *out.splitlines())]
    ended = [event["game"] for event in events if event["event"] == "game_ended"]
    assert sorted(ended) == list(range(1, 25))
    assert end["report"]["complete"]
    assert end["report"]["games"] == 24
