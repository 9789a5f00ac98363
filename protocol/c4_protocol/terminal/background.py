"""A function that runs in a process of its own, so that the screen can go on meanwhile.

The process is a fork of this one: it needs no start, and knows all that was read by then. Questions
and answers are lines of JSON. It ends when this process ends, except during a search in C++ that
holds Python's lock.
"""

import json
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals with which a terminal or a user ends a program. None of them disturbs a fork."""


class Background:
    """A process that answers questions one after the other with ``function``."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._socket, other = socket.socketpair()
        earlier = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            self._pid = os.fork()
            if not self._pid:
                self._socket.close()  # otherwise, the end of this process would not be noticed
                _answer_all(other, function)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, earlier)
        other.close()
        self._data = b""
        self._questions: deque[Sequence[Any]] = deque()

    def fileno(self) -> int:
        """Return a descriptor that can be read when something has arrived."""
        return self._socket.fileno()

    def ask(self, *question: Any) -> None:  # noqa: ANN401 - any JSON
        """Ask for an answer. Earlier questions are answered first."""
        self._questions.append(question)
        with suppress(BrokenPipeError):  # ``read`` notices it
            self._socket.sendall(json.dumps(question).encode() + b"\n")

    def read(self) -> list[tuple[Sequence[Any], Any]]:
        """Return the questions whose answers have arrived, with their answers.

        Waits if nothing has arrived. Raises ``OSError`` if the process has ended.
        """
        data = self._socket.recv(1 << 16)
        if not data:
            raise OSError("a process of the game has ended: begin again")
        *lines, self._data = (self._data + data).split(b"\n")
        return [(self._questions.popleft(), json.loads(line)) for line in lines]

    def end(self) -> None:
        """Kill the process."""
        self._socket.close()
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)


def _answer_all(connection: socket.socket, function: Callable[..., Any]) -> NoReturn:
    """Answer questions until the other process closes the connection. Then, end this process."""
    with suppress(BaseException):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: None)  # programs that it starts do not inherit this
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
        for stream in filter(os.isatty, (1, 2)):  # nothing else is written on the screen
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        lines = SimpleQueue[bytes]()
        threading.Thread(target=_read_lines, args=(connection, lines), daemon=True).start()
        while True:
            connection.sendall(json.dumps(function(*json.loads(lines.get()))).encode() + b"\n")
    os._exit(1)


def _read_lines(connection: socket.socket, lines: SimpleQueue[bytes]) -> None:
    for line in connection.makefile("rb"):
        lines.put(line)
    os._exit(0)
