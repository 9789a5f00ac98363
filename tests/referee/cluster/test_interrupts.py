"""Ctrl-C at a bad moment."""

import os
import signal
from queue import SimpleQueue

import pytest
from c4_referee.cluster.interrupts import on_interrupt


class Doomed:
    """An object that is interrupted while it is destroyed."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):  # the handler runs in this loop at the latest
            pass


def test_interrupt_in_a_destructor_is_noted():
    """Without us, Python would print the interrupt and continue."""
    notes: SimpleQueue[None] = SimpleQueue()
    with on_interrupt(lambda: notes.put(None)):
        doomed = Doomed()
        del doomed
    assert notes.qsize() == 1


def test_second_interrupt_is_raised():
    """The second Ctrl-C raises at once; afterwards the handlers are those of before."""
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
