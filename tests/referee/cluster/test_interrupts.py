"""Ctrl-C that comes at a bad moment."""

import os
import signal
from queue import SimpleQueue

import pytest
from c4_referee.cluster.interrupts import on_interrupt


class Doomed:
    """Interrupted while it is destroyed."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # whenever the handler runs, it is in here
            pass


def test_interrupt_in_a_destructor_is_noted():
    """Python would print it and go on."""
    notes: SimpleQueue[None] = SimpleQueue()
    with on_interrupt(lambda: notes.put(None)):
        doomed = Doomed()
        del doomed
    assert notes.qsize() == 1


def test_second_interrupt_is_raised():
    """Who is in a hurry is heard at once; and afterwards everything is as before."""
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
