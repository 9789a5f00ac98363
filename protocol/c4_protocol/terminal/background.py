"""A function that runs in a process of its own, so that the screen can go on meanwhile.

The process is a fork of this one: it needs no start, and knows all that was read by then. If this
process is killed, it ends when it has answered.
"""

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals with which a terminal or a user ends a program. None of them disturbs a fork."""


class Background:
    """A process that answers questions one after the other with ``function``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        fork = get_context("fork")
        self._connection, other = fork.Pipe()
        self._process = fork.Process(
            target=_answer_all, args=(self._connection, other, function), daemon=True
        )
        earlier = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, earlier)
        other.close()

    def fileno(self) -> int:
        """Return a descriptor that can be read when something has arrived."""
        return self._connection.fileno()

    def ask(self, *question: Any) -> None:  # noqa: ANN401 - any arguments
        """Ask for an answer. Earlier questions are answered first."""
        with suppress(BrokenPipeError):  # ``read`` notices it
            self._connection.send(question)

    def read(self) -> tuple[tuple[Any, ...], Any]:
        """Return the next question whose answer arrives, with its answer.

        Raises ``OSError`` if the process has ended.
        """
        try:
            question, answer = self._connection.recv()
        except EOFError:
            raise OSError("a process of the game has ended: begin again") from None
        return question, answer

    def end(self) -> None:
        """Kill the process."""
        self._connection.close()
        self._process.kill()
        self._process.join()


def _answer_all(
    others_end: "Connection[Any, Any]",
    connection: "Connection[Any, Any]",
    function: Callable[..., Any],
) -> None:
    """Answer questions until the other process closes its end of the connection."""
    others_end.close()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # programs that it starts do not inherit this
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    for stream in filter(os.isatty, (1, 2)):  # nothing else is written on the screen
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    with suppress(EOFError, OSError):
        while True:
            question = connection.recv()
            connection.send((question, function(*question)))
