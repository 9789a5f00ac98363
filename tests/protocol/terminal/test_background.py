"""Processes behind a screen end with it."""

import os
import select
import signal

import pytest
from c4_protocol.terminal.background import Background

pytestmark = pytest.mark.linux


def test_processes_end_with_the_process_that_started_them() -> None:
    """After ``kill -9``, the processes end, also one that was started anew for an earlier one."""
    end, started = os.pipe()
    program = os.fork()
    if not program:
        first, second = Background(str), Background(str)
        first.end()
        kept = Background(str), second
        kept[0].ask(1)
        kept[0].read()
        os.kill(os.getpid(), signal.SIGKILL)
    os.close(started)
    assert os.waitpid(program, 0)[1] == signal.SIGKILL
    assert select.select([end], [], [], 20)[0]  # no process holds the other end any more
    os.close(end)
