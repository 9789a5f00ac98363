"""Ctrl-C while an object is destroyed, and a second Ctrl-C."""

import os
import signal
from queue import SimpleQueue

import pytest
from c4_referee.contest.cluster.cluster_runner import on_interrupt


class Doomed:
    """An object whose destructor sends SIGINT to this process."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # the handler runs at the latest in this loop
            pass


def test_interrupt_in_a_destructor_is_noted():
    """An interrupt in a destructor is noted. Python itself would only print it."""
    notes: SimpleQueue[None] = SimpleQueue()
    with on_interrupt(lambda: notes.put(None)):
        doomed = Doomed()
        del doomed
    assert notes.qsize() == 1


def test_second_interrupt_is_raised():
    """The second Ctrl-C is raised at once. Afterwards the earlier handlers are back."""
    notes: SimpleQueue[None] = SimpleQueue()
    with on_interrupt(lambda: notes.put(None)):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    with on_interrupt(lambda: None):
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert notes.qsize() == 1
