"""Exchange of lines with a child process, with one absolute deadline for each answer.

In: questions as bytes (``send``), and everything that the bot writes on its standard output and
standard error. Out: the bot's answers as lines (``receive``), or one of the exceptions below.

Guarantees:

- A deadline is a fixed point in time. A bot that writes one byte at a time does not extend it.
- Of what the bot writes, only what has arrived at the deadline counts. If this process did not run
  for a while, the deadline is later by this time, up to ``patience``.
- Standard error is read while the channel waits, because a full pipe would block the bot. Only the
  beginning and the end of its text are stored.
- Memory is bounded: a line has a maximum length, and only a part of standard error is stored.
- A wait for the bot ends when the listener, which is the process that wants the answer, hangs up.
- While it waits, the channel checks the bot's limits every ``LIMIT_CHECK_SECONDS``, even if output
  of the bot ends each wait early.

The channel uses ``poll`` and no event loop, because a worker process waits for one bot at a time.
With ``poll``, there are two and a half times as many round trips per second as with asyncio and
timeouts.
"""

import fcntl
import math
import os
import select
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress

from c4_protocol.records.codec import LineBuffer

from c4_referee.bots.clock import PATIENCE_MS, CheckInterval
from c4_referee.bots.contain.excerpt import TextExcerpt
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.last_words import last_words
from c4_referee.bots.contain.process import BotProcess

STDERR_CHUNK = 1 << 16
"""Maximum number of bytes of standard error to read at a time. This is the capacity of a pipe, so
one read returns everything that an ended bot has left in it."""
OUTPUT_CHUNK = 1 << 12
"""Maximum number of bytes of output to read at a time. Most answers are short, and allocating more
memory takes time."""
MAX_LINE_BYTES = 1 << 16
"""Maximum length of an answer, in bytes. ``receive`` raises ``LineTooLong`` for a longer line. A
move with its principal variation is much shorter."""
MAX_STDERR_BYTES = 1 << 24
"""Maximum number of bytes that a bot may write on standard error in a game: 16 MiB. The channel
raises ``LimitExceeded`` for a bot that writes more."""
FLOOD_FAULT = Fault.STDERR_FLOOD, "it wrote more than 16 MiB there"
MIN_ABSENCE_SECONDS = 0.2
"""Time beyond the end of a wait after which this process counts as absent: it was stopped, or the
machine had no processor for it. A bot is not charged for this time."""
LIMIT_CHECK_SECONDS = 0.1
"""Seconds between two checks of the limits of the bots in a game."""


class ChannelError(Exception):
    """Base class of the errors for what a child did."""


class DeadlinePassed(ChannelError):
    """Error for a deadline that passed before a whole line had arrived or had been sent."""


class InputFull(DeadlinePassed):
    """Error for a child that did not read until the deadline, so that no line could be sent."""


class OutputEnded(ChannelError):
    """Error for a child that has closed its output, after everything that it wrote was read."""


class InputClosed(ChannelError):
    """Error for a child that has closed its input, so that no line can be sent to it."""


class LimitExceeded(ChannelError):
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
    ``HungUp``. ``on_idle`` is called with each check of the bot's limits. ``checks`` is the
    interval between two checks; several channels may share it. ``buffer`` collects the bot's
    output. By default, it accepts lines of at most ``MAX_LINE_BYTES`` bytes. If ``deaf`` is true,
    the channel does not read standard error while it waits.
    """

    def __init__(
        self,
        process: BotProcess,
        listener: int | None = None,
        on_idle: Callable[[], None] | None = None,
        *,
        checks: CheckInterval | None = None,
        buffer: LineBuffer | None = None,
        deaf: bool = False,
    ) -> None:
        self.patience = PATIENCE_MS / 1000
        """Maximum number of seconds by which the absence of this process moves a deadline."""
        self.awake_at = math.inf
        """Last time at which this process ran for certain during the present question, in seconds
        of ``time.monotonic()``. It is infinite between questions."""
        self._process = process
        self._checks = CheckInterval(LIMIT_CHECK_SECONDS) if checks is None else checks
        self._listener = listener
        self._on_idle = on_idle
        self._buffer = LineBuffer(MAX_LINE_BYTES) if buffer is None else buffer
        self._ended = False
        self._absent = 0.0
        self._lent = 0.0  # seconds in which this process checked other bots
        self._closed_at = 0.0  # the last deadline that has passed
        self._arrived = 0  # number of bytes that had arrived then and are not read yet
        self._stderr = TextExcerpt()
        stderr = [] if deaf else [(process.stderr, select.POLLIN)]
        self._output = _poll_for_input(listener, (process.stdout, select.POLLIN), *stderr)
        self._answers = _poll_for_input(None, (process.stdout, select.POLLIN))
        self._room = _poll_for_input(listener, (process.stdin, select.POLLOUT), *stderr)

    def send(self, line: bytes, deadline: float) -> None:
        """Send a line.

        Raises ``InputFull`` if the pipe is full at the ``deadline`` because the child does not
        read. Other errors are ``InputClosed``, ``LimitExceeded`` and ``HungUp``.
        """
        while line:
            try:
                line = line[os.write(self._process.stdin, line) :]
            except BlockingIOError:
                self._wait_for_room(self._seconds_until(deadline, time.monotonic()))
            except BrokenPipeError:
                raise InputClosed from None

    def receive(self, deadline: float) -> bytes:
        """Return the next line that is not blank.

        A line that has arrived at the deadline is returned, even if it is read later. Raises
        ``DeadlinePassed``, ``OutputEnded``, ``LineTooLong``, ``LimitExceeded`` and ``HungUp``.
        """
        try:
            while (line := self._buffer.next_line()) is None:
                if self._ended:
                    raise OutputEnded
                if self._stderr.total > MAX_STDERR_BYTES:
                    raise LimitExceeded(*FLOOD_FAULT)
                self._read_more(deadline)
        finally:
            self.awake_at = math.inf
        return line

    def take_absence(self) -> tuple[float, float]:
        """Return for how many seconds this process did not wait for the bot since the last call.

        The first number is the time in which this process did not run. The second is the time in
        which it checked other bots.
        """
        taken = self._absent, self._lent
        self._absent = self._lent = 0.0
        return taken

    def check_if_due(self) -> None:
        """Call ``check_limits`` if the last check was ``LIMIT_CHECK_SECONDS`` ago."""
        if self._checks.is_due(time.monotonic()):
            self.check_limits()

    def rest(self, seconds: float) -> None:
        """Wait while the child is not asked, and check its limits as during a question."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, LIMIT_CHECK_SECONDS))
            self.check_if_due()
        self.take_absence()

    def check_limits(self) -> None:
        """Call ``on_idle``, and raise ``LimitExceeded`` if the child exceeds a limit.

        If this takes long without using a processor, this process was absent. The time of
        ``on_idle`` is not charged to the bot.
        """
        began, used = time.monotonic(), time.process_time()
        if self._on_idle is not None:
            self._on_idle()
            took = time.monotonic() - began
            absent = self._note_waiting(took - (time.process_time() - used))
            self._lent += took - absent
            began, used = time.monotonic(), time.process_time()
        if excess := self._process.excess():
            raise LimitExceeded(*excess)
        self._note_waiting(time.monotonic() - began - (time.process_time() - used))
        self._checks.restart()
        self.awake_at = time.monotonic()

    def _note_waiting(self, seconds: float) -> float:
        """Return the time of absence if this process had no processor for some seconds."""
        if seconds <= MIN_ABSENCE_SECONDS:
            return 0.0
        self._absent += seconds
        return seconds

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
        text, self._stderr = self._stderr.text(), TextExcerpt()
        return text

    def read_stderr(self) -> None:
        """Read once from the pipe of standard error, even if the channel is deaf."""
        data = _read_pipe(self._process.stderr, STDERR_CHUNK)
        if data == b"":  # the child has closed it
            for poll in (self._output, self._room):
                with suppress(KeyError):
                    poll.unregister(self._process.stderr)
        self._stderr.add(data or b"")

    def wait_for_exit(self, seconds: float) -> int | None:
        """Return the child's exit code if it ends within ``seconds``, otherwise ``None``.

        While it waits, it reads the child's pipes, because a full pipe would block the child. It
        discards the output. It does not wait longer for a child that exceeds a limit.
        """
        until = time.monotonic() + seconds
        while (code := self._process.wait(0)) is None and (now := time.monotonic()) < until:
            if self._checks.is_due(now) and self._process.excess():
                break
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
                self.read_stderr()
            elif data := _read_pipe(descriptor, OUTPUT_CHUNK):
                self._buffer.feed(data)
            elif data is not None:  # the child has closed its output
                self._output.unregister(descriptor)
                self._buffer.end()
                self._ended = True

    def _read_more(self, deadline: float) -> None:
        """Wait for output at most until the next check of limits, and read it."""
        asked = time.monotonic()
        if asked - self.awake_at > MIN_ABSENCE_SECONDS:  # it was stopped before it could wait
            absent, self.awake_at = asked - self.awake_at, asked
            self._note_absence(absent, deadline)
        seconds = self._seconds_until(deadline, asked)
        if seconds <= 0:
            self._read_arrived(deadline)
            return
        if self._checks.is_due(asked):
            self.check_limits()
            self._read_outputs(0)  # in any case, however long the check took
            return
        if seconds > LIMIT_CHECK_SECONDS:  # noqa: PLR1730 - min() makes a round trip 2% longer
            seconds = LIMIT_CHECK_SECONDS
        ready = self._output.poll(seconds * 1000)
        self.awake_at = time.monotonic()
        absent = self.awake_at - asked - seconds
        if absent > MIN_ABSENCE_SECONDS:
            self._note_absence(absent, deadline)
        self._read_ready(ready)

    def _seconds_until(self, deadline: float, now: float) -> float:
        """Return the seconds that the bot has left. It is not charged for time of this process."""
        seconds = deadline + self._lent - now
        return seconds + min(self._absent, self.patience) if self._absent else seconds

    def _read_arrived(self, deadline: float) -> None:
        """Read output that had arrived at the deadline, which has passed.

        Raises ``DeadlinePassed`` if there is no more of it. What arrives later is not read.
        """
        if self._closed_at != deadline:
            self._closed_at, self._arrived = deadline, bytes_in(self._process.stdout)
        if self._arrived <= 0:
            raise DeadlinePassed
        data = _read_pipe(self._process.stdout, min(self._arrived, OUTPUT_CHUNK))
        if not data:
            raise DeadlinePassed
        self._arrived -= len(data)
        self._buffer.feed(data)

    def _note_absence(self, seconds: float, deadline: float) -> None:
        """Note that this process did not run. The bot is charged for what exceeds ``patience``."""
        self._absent += seconds
        if self._absent > self.patience and time.monotonic() > deadline + self.patience:
            raise DeadlinePassed

    def _wait_for_room(self, seconds: float) -> None:
        """Wait until the pipe to the child has room, and read standard error while waiting."""
        if seconds <= 0:
            raise InputFull
        if self._stderr.total > MAX_STDERR_BYTES:
            raise LimitExceeded(*FLOOD_FAULT)
        self.check_if_due()
        ready = self._room.poll(min(seconds, LIMIT_CHECK_SECONDS) * 1000)
        self.awake_at = time.monotonic()
        self._read_ready([event for event in ready if event[0] != self._process.stdin])


def bytes_in(pipe: int) -> int:
    """Return the number of bytes that can be read from a pipe without waiting."""
    count = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
    return int.from_bytes(count, sys.byteorder)


def _read_pipe(pipe: int, size: int) -> bytes | None:
    """Read once, or return ``None`` if there is nothing, because a bot took back what it wrote."""
    with suppress(BlockingIOError):
        return os.read(pipe, size)
    return None


def _poll_for_input(listener: int | None, *descriptors: tuple[int, int]) -> select.poll:
    """Return a poll object for these events and for a listener that hangs up."""
    poll = select.poll()
    if listener is not None:
        poll.register(listener, 0)  # poll reports hanging up without being asked to
    for descriptor, events in descriptors:
        poll.register(descriptor, events)
    return poll
