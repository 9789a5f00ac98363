"""The processes of a bot are found by a mark that no other bot can take."""

import os
import resource
import subprocess
import sys

import pytest
from c4_referee.bots.contain.family import FILE_LOCKS_LIMIT, REAL_TIME_LIMIT, Mark
from c4_referee.bots.contain.process import BotProcess
from users import drop_capabilities

pytestmark = pytest.mark.linux  # marks are limits of Linux

TAKE = """
import resource, sys
for kind, limit in zip((10, 15), map(int, sys.argv[1:])):
    try:
        resource.setrlimit(kind, (limit, limit))
    except (ValueError, OSError):
        pass
print([resource.getrlimit(kind)[1] for kind in (10, 15)])
"""
BUSY_CHILDREN = """
import os, sys, time
for line in sys.stdin:
    for _ in range(3):
        if not os.fork():
            until = time.process_time() + 0.1
            while time.process_time() < until:
                pass
            os._exit(0)
    for _ in range(3):
        os.wait()
    print(flush=True)
"""


@pytest.mark.parametrize("other", [0, 1])
def test_mark_of_another_bot_cannot_be_taken(other):
    """Neither an earlier nor a later bot can set both limits of the other's mark."""
    marks = Mark.new(), Mark.new()
    own, wanted = marks[1 - other], marks[other]

    def prepare() -> None:
        own.put_on_this_process()
        drop_capabilities()  # root may raise limits

    command = [sys.executable, "-S", "-E", "-c", TAKE, *map(str, wanted)]
    found = subprocess.run(command, capture_output=True, check=True, preexec_fn=prepare)
    assert found.stdout.decode().strip() != str([*wanted])


def test_only_processes_of_the_bot_have_its_mark():
    """A bot has its mark, and neither this process nor another bot has it."""
    mark = Mark(*(resource.getrlimit(kind)[1] for kind in (FILE_LOCKS_LIMIT, REAL_TIME_LIMIT)))
    assert mark.is_on(os.getpid())
    with BotProcess(["cat"]) as one, BotProcess(["cat"]) as two:
        marks = [process._family._mark for process in (one, two)]
        pids = [process._child.pid for process in (one, two)]
        assert [mark.is_on(pid) for mark in marks for pid in pids] == [True, False, False, True]
        assert not any(mark.is_on(os.getpid()) for mark in marks)


def test_time_of_short_lived_children_is_counted():
    """Between two checks, the processor time of children that have ended meanwhile is counted."""
    with BotProcess([sys.executable, "-S", "-E", "-c", BUSY_CHILDREN]) as process:
        os.set_blocking(process.stdout, True)
        assert process.excess() is None
        before = process.seconds_at_check
        os.write(process.stdin, b"\n")
        os.read(process.stdout, 1)
        assert process.excess() is None
        assert process.seconds_at_check - before > 0.2


def test_time_between_two_turns_is_not_taken_for_time_outside_of_them():
    """What children used before a check is not counted if a turn has begun since the last one."""
    with BotProcess([sys.executable, "-S", "-E", "-c", BUSY_CHILDREN]) as process:
        os.set_blocking(process.stdout, True)
        process.excess()
        process.cpu_seconds()
        os.write(process.stdin, b"\n")
        os.read(process.stdout, 1)
        before = process.cpu_seconds()
        process.excess()
        assert process.seconds_at_check - before < 0.1
