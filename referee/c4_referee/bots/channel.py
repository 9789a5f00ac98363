"""Exchange of lines with a child process, with one absolute deadline for each answer.

In: questions as bytes (``send``), and everything that the bot writes on its standard output and
standard error. Out: the bot's answers as lines (``receive``), or one of the exceptions below.

Guarantees:

- A deadline is a fixed point in time. A bot that writes one byte at a time does not extend it.
- A whole line that has arrived when the deadline is checked counts. If this process did not run
  for a while, the deadline is later by this time, and ``take_absence`` returns it.
- Standard error is read while the channel waits, because a full pipe would block the bot. Only the
  beginning and the end of its text are stored.
- Memory is bounded: a line has a maximum length, and only a part of standard error is stored.
- A wait for the bot ends when the listener, which is the process that wants the answer, hangs up.
- While nothing arrives, ``receive`` checks the bot's limits every ``WATCH_SECONDS``.

The channel uses ``poll`` and no event loop, because a worker process waits for one bot at a time.
With ``poll``, there are two and a half times as many round trips per second as with asyncio and
timeouts. ``tests/bench/round_trips.py`` compares the channel with bare system calls.
"""

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress

from c4_protocol.codec import LineBuffer

from c4_referee.bots.excerpt import Excerpt
from c4_referee.bots.faults import Fault
from c4_referee.bots.last_words import last_words
from c4_referee.bots.process import BotProcess

STDERR_CHUNK = 1 << 16
"""Maximum number of bytes of standard error to read at a time. This is the capacity of a pipe, so
one read returns everything that an ended bot has left in it."""
OUTPUT_CHUNK = 1 << 12
"""Maximum number of bytes of output to read at a time. Most answers are short, and allocating more
memory takes time."""
LINE_LIMIT = 1 << 16
"""Maximum length of an answer, in bytes. ``receive`` raises ``LineTooLong`` for a longer line. A
move with its principal variation is much shorter."""
STDERR_LIMIT = 1 << 24
"""Maximum number of bytes that a bot may write on standard error in a game: 16 MiB. The channel
raises ``StderrFlood`` for a bot that writes more."""
ABSENCE_SECONDS = 0.2
"""Time beyond the end of a wait after which this process counts as absent: it was stopped, or the
machine had no processor for it. A bot is not charged for this time."""
WATCH_SECONDS = 0.1
"""Seconds between two checks of a bot's limits while the referee waits for it."""


class DeadlinePassed(Exception):
    """Error for a deadline that passed before a whole line had arrived or had been sent."""


class OutputEnded(Exception):
    """Error for a child that has closed its output, after everything that it wrote was read."""


class InputClosed(Exception):
    """Error for a child that has closed its input, so that no line can be sent to it."""


class StderrFlood(Exception):
    """Error for a child that wrote more than ``STDERR_LIMIT`` bytes on standard error."""


class LimitExceeded(Exception):
    """Error for a child that uses more than it may. The arguments are its fault and a text."""

    def __init__(self, fault: Fault, text: str) -> None:
        super().__init__(text)
        self.fault = fault


class HungUp(Exception):
    """Error for a listener that hung up and therefore does not need the answer any more."""


class Channel:
    """Connection that sends lines to a bot and receives lines from it.

    Deadlines are values of ``time.monotonic()``. ``listener`` is the descriptor of a pipe or
    socket. When the process at its other end closes it, the channel stops waiting and raises
    ``HungUp``. ``on_idle`` is called repeatedly while the channel waits. ``buffer`` collects the
    bot's output. By default, it accepts lines of at most ``LINE_LIMIT`` bytes. If ``deaf`` is true,
    the channel does not read standard error while it waits.
    """

    def __init__(
        self,
        process: BotProcess,
        listener: int | None = None,
        on_idle: Callable[[], None] | None = None,
        *,
        buffer: LineBuffer | None = None,
        deaf: bool = False,
    ) -> None:
        self._process = process
        self._listener = listener
        self._on_idle = on_idle
        self._buffer = LineBuffer(LINE_LIMIT) if buffer is None else buffer
        self._ended = False
        self._absent = 0.0
        self._stderr = Excerpt()
        stderr = [] if deaf else [(process.stderr, select.POLLIN)]
        self._output = _poll(listener, (process.stdout, select.POLLIN), *stderr)
        self._answers = _poll(None, (process.stdout, select.POLLIN))
        self._room = _poll(listener, (process.stdin, select.POLLOUT), *stderr)

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line.

        Raises ``DeadlinePassed`` if the pipe is full at the ``deadline`` because the child does not
        read. Other errors are ``InputClosed``, ``StderrFlood`` and ``HungUp``.
        """
        while line:
            try:
                line = line[os.write(self._process.stdin, line) :]
            except BlockingIOError:
                self._wait_for_room(deadline - time.monotonic())
            except BrokenPipeError:
                raise InputClosed from None

    def receive(self, deadline: float) -> bytes:
        """Return the next line that is not blank.

        A line that has arrived is returned, even if the deadline passed while this process did not
        run. Raises ``DeadlinePassed``, ``OutputEnded``, ``LineTooLong``, ``StderrFlood``,
        ``LimitExceeded`` and ``HungUp``.
        """
        overdue = False
        while (line := self._buffer.next_line()) is None:
            if self._ended:
                raise OutputEnded
            if overdue:
                raise DeadlinePassed
            if self._stderr.total > STDERR_LIMIT:
                raise StderrFlood
            asked = time.monotonic()
            seconds = deadline + self._absent - asked
            overdue = seconds <= 0
            if overdue or seconds > WATCH_SECONDS:  # not min(): a call makes a round trip 2% longer
                seconds = 0 if overdue else WATCH_SECONDS
            ready = self._output.poll(seconds * 1000)
            absent = time.monotonic() - asked - seconds
            if absent > ABSENCE_SECONDS:
                self._absent += absent
                overdue = False
            if ready:
                self._read_ready(ready)
            else:
                before = self._absent
                self.check_limits()
                overdue = overdue and self._absent == before
        return line

    def take_absence(self) -> float:
        """Return for how many seconds this process did not run since the last call."""
        absent, self._absent = self._absent, 0.0
        return absent

    def check_limits(self) -> None:
        """Call ``on_idle``, and raise ``LimitExceeded`` if the child exceeds a limit.

        This needs almost no time. If it takes long without using a processor, this process was
        absent.
        """
        began, used = time.monotonic(), time.process_time()
        if self._on_idle is not None:
            self._on_idle()
        if excess := self._process.excess():
            raise LimitExceeded(*excess)
        absent = time.monotonic() - began - (time.process_time() - used)
        if absent > ABSENCE_SECONDS:
            self._absent += absent

    def pending_output(self) -> bytes:
        """Return the output that ``receive`` has not returned yet, without waiting for more.

        Reads at most ``OUTPUT_CHUNK`` bytes from the pipe.
        """
        if not self._ended and (ready := self._answers.poll(0)):
            self._read_ready(ready)
        return self._buffer.pending

    def stderr_text(self) -> str:
        """Return the text read from standard error. A long text lacks its middle."""
        return self._stderr.text()

    def last_words(self) -> str:
        """Return the line of ``stderr_text`` that says why the bot ended (``last_words.py``)."""
        return last_words(self.stderr_text())

    def take_stderr(self) -> str:
        """Return the text of standard error since the last call. A long text lacks its middle."""
        self._read_outputs(0)
        text, self._stderr = self._stderr.text(), Excerpt()
        return text

    def read_stderr(self) -> None:
        """Read what is in the pipe of standard error, even if the channel is deaf."""
        with suppress(BlockingIOError):
            self._stderr.add(os.read(self._process.stderr, STDERR_CHUNK))

    def wait_for_exit(self, seconds: float) -> int | None:
        """Return the child's exit code if it ends within ``seconds``, otherwise ``None``.

        While it waits, it reads the child's pipes, because a full pipe would block the child. It
        discards the output.
        """
        until = time.monotonic() + seconds
        while (code := self._process.wait(0)) is None and time.monotonic() < until:
            self._read_outputs(0.001 if self._ended else 0.01)
            self._buffer.clear()
        self._read_outputs(0)
        return code

    def _read_outputs(self, seconds: float) -> None:
        """Wait at most ``seconds`` for output, and read once from each pipe that has some."""
        self._read_ready(self._output.poll(seconds * 1000))

    def _read_ready(self, ready: list[tuple[int, int]]) -> None:
        """Read once from each ready descriptor, or raise ``HungUp`` if the listener hung up."""
        for descriptor, _ in ready:
            if descriptor == self._listener:
                raise HungUp
            if descriptor == self._process.stderr:
                self._stderr.add(_read_stderr_chunk(self._output, descriptor))
            elif data := os.read(descriptor, OUTPUT_CHUNK):
                self._buffer.feed(data)
            else:
                self._end_output()

    def _end_output(self) -> None:
        """Note that the child has closed its output."""
        self._output.unregister(self._process.stdout)
        self._buffer.end()
        self._ended = True

    def _wait_for_room(self, seconds: float) -> None:
        """Wait until the pipe to the child has room, and read standard error while waiting."""
        if seconds <= 0:
            raise DeadlinePassed
        if self._stderr.total > STDERR_LIMIT:
            raise StderrFlood
        for descriptor, _ in self._room.poll(seconds * 1000):
            if descriptor == self._listener:
                raise HungUp
            if descriptor == self._process.stderr:
                self._stderr.add(_read_stderr_chunk(self._room, descriptor))


def _read_stderr_chunk(poll: select.poll, descriptor: int) -> bytes:
    """Read once. At the end of the stream, return ``b""`` and remove the stream from ``poll``."""
    data = os.read(descriptor, STDERR_CHUNK)
    if not data:
        poll.unregister(descriptor)
    return data


def _poll(listener: int | None, *descriptors: tuple[int, int]) -> select.poll:
    """Return a poll object for these events and for a listener that hangs up."""
    poll = select.poll()
    if listener is not None:
        poll.register(listener, 0)  # poll reports hanging up without being asked to
    for descriptor, events in descriptors:
        poll.register(descriptor, events)
    return poll
