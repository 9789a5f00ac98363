"""Lines over a child's pipes, each answer with one absolute deadline.

Built on ``poll`` rather than on an event loop: a worker process has one bot to wait for at a
time, and this makes two and a half times the round trips of asyncio with timeouts. What it costs
over a bare loop, ``tests/bench/round_trips.py`` tells.
"""

import os
import select
import time
from collections.abc import Callable

from c4_protocol.codec import LineBuffer

from c4_referee.bots.last_words import last_words
from c4_referee.bots.process import BotProcess

CHUNK = 1 << 16
"""Bytes to take of standard error at a time: all that a pipe holds, so that no last words stay."""
ANSWER = 1 << 12
"""Bytes to take of the output at a time: most answers are short, and making room takes time."""
LINE_LIMIT = 1 << 16
"""Bytes of an answer at most; generous for a move with its principal variation."""
STDERR_LIMIT = 1 << 24
"""Bytes that a bot may write on standard error in a game. All of them are read, so that it does
not block; 16 MiB is more than a chatty bot says, and little for one that does nothing else."""
STDERR_KEPT = 1 << 12
"""Bytes of it that are kept, from the beginning and from the end."""
WATCH_SECONDS = 0.1
"""How often a bot that is waited for is looked at, whether it keeps to its limits."""


class DeadlinePassed(Exception):
    """No whole line had arrived, or not all had been sent, when the deadline passed."""


class OutputEnded(Exception):
    """The child closed its output, and all that it wrote before has been read."""


class InputClosed(Exception):
    """The child closed its input: nothing can be said to it any more."""


class StderrFlood(Exception):
    """The child wrote more on standard error than anybody could read."""


class Overstepped(Exception):
    """The child went beyond a limit of its process; the text says which."""


class HungUp(Exception):
    """Whoever wanted to know has gone: there is no use in waiting any longer."""


class Channel:
    """Sends lines to a bot and receives them. Deadlines are moments of ``time.monotonic()``.

    ``listener`` is the reading end of a pipe; when its other end is closed, waiting ends with
    ``HungUp``. ``on_idle`` is called now and then while there is nothing to do but wait.
    """

    def __init__(
        self,
        process: BotProcess,
        listener: int | None = None,
        on_idle: Callable[[], None] | None = None,
    ) -> None:
        self._process = process
        self._listener = listener
        self._on_idle = on_idle
        self._buffer = LineBuffer(LINE_LIMIT)
        self._ended = False
        self._stderr = Excerpt()
        self._output = _poll(
            listener, (process.stdout, select.POLLIN), (process.stderr, select.POLLIN)
        )
        self._answers = _poll(None, (process.stdout, select.POLLIN))
        self._room = _poll(
            listener, (process.stdin, select.POLLOUT), (process.stderr, select.POLLIN)
        )

    def send(self, line: bytes, deadline: float) -> None:
        """Writes a line; raises ``DeadlinePassed`` if the child does not read, ``InputClosed``."""
        while line:
            try:
                line = line[os.write(self._process.stdin, line) :]
            except BlockingIOError:
                self._wait_for_room(deadline - time.monotonic())
            except BrokenPipeError:
                raise InputClosed from None

    def receive(self, deadline: float) -> bytes:
        """The next line that is not blank.

        What has arrived counts, even if the deadline passed while this process was not running.
        Raises ``DeadlinePassed``, ``OutputEnded``, ``LineTooLong``, ``StderrFlood`` and
        ``Overstepped``.
        """
        overdue = False
        while (line := self._buffer.next_line()) is None:
            if self._ended:
                raise OutputEnded
            if overdue:
                raise DeadlinePassed
            if self._stderr.total > STDERR_LIMIT:
                raise StderrFlood
            seconds = deadline - time.monotonic()
            overdue = seconds <= 0
            if overdue or seconds > WATCH_SECONDS:  # not min(): calls make a trip 2% longer
                seconds = 0 if overdue else WATCH_SECONDS
            if ready := self._output.poll(seconds * 1000):
                self._take(ready)
            else:
                self.watch()
        return line

    def watch(self) -> None:
        """Looks after other things, and raises ``Overstepped`` if the child goes beyond a limit."""
        if self._on_idle is not None:
            self._on_idle()
        if reason := self._process.overstepped():
            raise Overstepped(reason)

    def unasked(self) -> bytes:
        """What the bot has written although nobody asked: its first bytes, or none."""
        if not self._ended and (ready := self._answers.poll(0)):
            self._take(ready)
        return self._buffer.pending

    def words(self) -> str:
        """What the bot has written on standard error, or its ends; nothing new is read."""
        return self._stderr.text()

    def last_words(self) -> str:
        """Return one line of that about why the bot ended: see ``last_words.py``."""
        return last_words(self.words())

    def take_stderr(self) -> str:
        """What the bot has written on standard error since this was last asked, or its ends."""
        self._read(0)
        said, self._stderr = self._stderr.text(), Excerpt()
        return said

    def wait_for_exit(self, seconds: float) -> int | None:
        """The child's exit code if it ends within that time.

        It may empty its pipes meanwhile; of its output nothing is kept, however much that is.
        """
        until = time.monotonic() + seconds
        while (code := self._process.wait(0)) is None and time.monotonic() < until:
            self._read(0.001 if self._ended else 0.01)
            self._buffer.clear()
        self._read(0)
        return code

    def _read(self, seconds: float) -> None:
        """Waits so long for output, and takes a portion of what is there, if anything is."""
        self._take(self._output.poll(seconds * 1000))

    def _take(self, ready: list[tuple[int, int]]) -> None:
        """Takes a portion of each output that is ready."""
        for descriptor, _ in ready:
            if descriptor == self._listener:
                raise HungUp
            if descriptor == self._process.stderr:
                self._stderr.add(_portion(self._output, descriptor))
            elif data := os.read(descriptor, ANSWER):
                self._buffer.feed(data)
            else:
                self._end()

    def _end(self) -> None:
        """The child has closed its output."""
        self._output.unregister(self._process.stdout)
        self._buffer.end()
        self._ended = True

    def _wait_for_room(self, seconds: float) -> None:
        """Waits until the child reads, and keeps it from blocking on its standard error."""
        if seconds <= 0:
            raise DeadlinePassed
        if self._stderr.total > STDERR_LIMIT:
            raise StderrFlood
        for descriptor, _ in self._room.poll(seconds * 1000):
            if descriptor == self._listener:
                raise HungUp
            if descriptor == self._process.stderr:
                self._stderr.add(_portion(self._room, descriptor))


class Excerpt:
    """The beginning and the end of a text of any length."""

    def __init__(self) -> None:
        self.total = 0
        """All bytes that were added."""
        self._head = b""
        self._tail = b""

    def add(self, data: bytes) -> None:
        """Takes more of the text."""
        self.total += len(data)
        room = STDERR_KEPT - len(self._head)
        self._head += data[:room]
        self._tail = (self._tail + data[room:])[-STDERR_KEPT:]

    def text(self) -> str:
        """The text, with its middle left out where it was long; nothing in it moves a terminal."""
        left_out = self.total - len(self._head) - len(self._tail)
        middle = b"\n[... %d bytes ...]\n" % left_out if left_out else b""
        text = (self._head + middle + self._tail).decode(errors="backslashreplace")
        return "".join(
            sign if sign.isprintable() or sign in "\n\t" else repr(sign)[1:-1] for sign in text
        )


def _portion(poll: select.poll, descriptor: int) -> bytes:
    """What is there to read; at the end of the stream, nothing, and it is waited for no more."""
    data = os.read(descriptor, CHUNK)
    if not data:
        poll.unregister(descriptor)
    return data


def _poll(listener: int | None, *descriptors: tuple[int, int]) -> select.poll:
    poll = select.poll()
    if listener is not None:
        poll.register(listener, 0)  # hanging up is told without being asked for
    for descriptor, events in descriptors:
        poll.register(descriptor, events)
    return poll
