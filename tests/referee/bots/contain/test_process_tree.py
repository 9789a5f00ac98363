"""Processes are found, halted and reaped by their place in the tree of processes."""

import os
import subprocess
import sys

import pytest
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.process_tree import (
    children_of,
    descendants_of,
    find_mark,
    freeze,
    kill_children,
    reap_orphans,
    send_signal,
)
from waiting import wait_for

pytestmark = pytest.mark.linux  # needs /proc

SLEEP = ["/bin/sleep", "60"]
PARENT = "import subprocess; subprocess.Popen(['/bin/sleep', '60']).wait()"


def test_orphans_that_have_ended_are_reaped(adopting):
    """Orphans that have ended are reaped. Running orphans are left alone."""
    orphans = [os.posix_spawn("/bin/sleep", ["sleep", seconds], {}) for seconds in ("0", "60")]
    os.waitid(os.P_PID, orphans[0], os.WEXITED | os.WNOWAIT)
    reap_orphans(keep=BotProcess.running)
    assert descendants_of(os.getpid()) & set(orphans) == {orphans[1]}


def test_orphans_are_ended_and_running_bots_are_not(bot):
    """Orphans are killed and reaped. Running bots are not."""
    orphan = os.posix_spawn("/bin/sleep", ["sleep", "60"], {})
    with BotProcess(bot("good").command) as process:
        kill_children(keep=BotProcess.running)
        assert orphan not in descendants_of(os.getpid())
        assert process.wait(0) is None


def test_descendants_are_children_and_theirs():
    """A grandchild is a descendant but no child, and an ended process has no descendants."""
    with subprocess.Popen([sys.executable, "-S", "-E", "-c", PARENT]) as parent:
        (grandchild,) = wait_for(lambda: children_of(parent.pid))
        assert parent.pid in children_of(os.getpid())
        assert grandchild not in children_of(os.getpid())
        assert {parent.pid, grandchild} <= descendants_of(os.getpid())
        os.kill(grandchild, 9)
    assert children_of(parent.pid) == descendants_of(parent.pid) == set()


def test_mark_is_a_variable_of_the_environment():
    """A process is recognised by the value of a variable in its environment."""
    command, pipe = ["/bin/sh", "-c", "echo; read line"], subprocess.PIPE
    environment = {"MARK": "12", "OTHER": "x"}
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe) as process:
        process.stdout.readline()  # after this line the system surely shows the environment
        assert find_mark(process.pid, "MARK") == "12"
        assert find_mark(process.pid, "MAR") is None
        process.kill()
    assert find_mark(process.pid, "MARK") is None


def test_family_that_grows_is_frozen_whole():
    """A process that is found after others were halted is halted as well."""
    with subprocess.Popen(SLEEP) as one, subprocess.Popen(SLEEP) as two:
        found = iter([{one.pid}, {one.pid, two.pid}, {one.pid, two.pid}])
        assert freeze(lambda: next(found)) == {one.pid, two.pid}
        for process in (one, two):
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status)
            process.kill()


def test_signal_to_an_ended_process_is_ignored():
    """A signal to a process that was reaped raises no error."""
    with subprocess.Popen(["/bin/true"]) as process:
        process.wait()
    send_signal(process.pid, 0)
