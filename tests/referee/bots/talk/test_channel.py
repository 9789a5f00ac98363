"""A channel sends and receives lines, with a deadline for each."""

import os
import select
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from threading import Thread
from types import SimpleNamespace

import pytest
from c4_protocol.program.errors import LineTooLong
from c4_protocol.records.codec import LineBuffer
from c4_referee.bots import clock as clocks
from c4_referee.bots.contain.excerpt import MAX_KEPT_BYTES
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.talk import channel as channels
from c4_referee.bots.talk.channel import (
    MAX_LINE_BYTES,
    OUTPUT_CHUNK,
    Channel,
    DeadlinePassed,
    HungUp,
    InputClosed,
    LimitExceeded,
    OutputEnded,
)
from waiting import wait_for

MORE_THAN_A_PIPE_HOLDS = b"x" * (1 << 20) + b"\n"


def in_time() -> float:
    """Return a deadline that no test misses."""
    return time.monotonic() + 60


def too_late() -> float:
    """Return a deadline that has passed."""
    return time.monotonic() - 1


def soon() -> float:
    """Return a deadline that passes while a test waits."""
    return time.monotonic() + 0.05


class Clock:
    """A clock that moves only when a channel waits in vain, or when a test moves it."""

    def __init__(self) -> None:
        self.now, self.used = 100.0, 0.0
        """Seconds of ``time.monotonic()``, and of ``time.process_time()``."""

    def monotonic(self) -> float:
        """Return the time."""
        return self.now

    def process_time(self) -> float:
        """Return the processor time."""
        return self.used

    def channel(self, process: "FakeProcess", **settings: Callable[[], object]) -> Channel:
        """Return a channel that waits by this clock."""
        channel = Channel(process, **settings)
        channel._output, channel._room = map(self._waiting, (channel._output, channel._room))
        return channel

    def _waiting(self, poll: select.poll) -> SimpleNamespace:
        def wait(milliseconds: float) -> list[tuple[int, int]]:
            ready = poll.poll(0)
            self.now += 0 if ready else milliseconds / 1000
            return ready

        return SimpleNamespace(poll=wait)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """Replace the clock of the channel, which begins at 100 seconds."""
    clock = Clock()
    for module in (channels, clocks):
        monkeypatch.setattr(module, "time", clock)
    return clock


class FakeProcess:
    """A fake process: pipes whose other ends the test holds, an exit code and an excess."""

    def __init__(self) -> None:
        self.questions, self.stdin = os.pipe()
        self.stdout, self.answers = os.pipe()
        self.stderr, self.errors = os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.code: int | None = None
        self.reason: tuple[Fault, str] | None = None
        self._threads: list[Thread] = []

    def wait(self, seconds: float) -> int | None:
        """Return the exit code."""
        return self.code

    def excess(self) -> tuple[Fault, str] | None:
        """Return the fault and the reason that a test has set."""
        return self.reason

    def do_meanwhile(self, action: Callable[[], object]) -> None:
        """Run a function in a thread, which ends with the test."""

        def act() -> None:
            with suppress(OSError):  # the test has ended and closed the pipes
                action()

        self._threads.append(Thread(target=act))
        self._threads[-1].start()

    def close(self, *descriptors: int) -> None:
        """Close some of the six descriptors, by default all that are open."""
        pipes = (self.stdin, self.stdout, self.stderr, self.questions, self.answers, self.errors)
        for descriptor in descriptors or pipes:
            with suppress(OSError):
                os.close(descriptor)

    def end(self) -> None:
        """Close the channel's ends, wait for the threads, and close the other ends.

        This order prevents a thread from waiting in a pipe for ever.
        """
        self.close(self.stdin, self.stdout, self.stderr)
        for thread in self._threads:
            thread.join()
        self.close(self.questions, self.answers, self.errors)


@pytest.fixture
def process() -> Iterator[FakeProcess]:
    """Yield a process that does nothing by itself."""
    fake = FakeProcess()
    yield fake
    fake.end()


@pytest.fixture
def channel(process) -> Channel:
    """Return a channel to the fake process."""
    return Channel(process)


@pytest.fixture
def listener() -> Iterator[tuple[int, int]]:
    """Yield both ends of a pipe. A listener holds the writing end."""
    ends = os.pipe()
    yield ends
    for end in ends:
        with suppress(OSError):
            os.close(end)


def test_lines_that_arrive_together_are_received_one_by_one(process, channel):
    """Lines that arrive together are received in order, without blanks and blank lines."""
    os.write(process.answers, b"\n1\n \r\n  2 \n3\n\n")
    assert [channel.receive(in_time()) for _ in range(3)] == [b"1", b"2", b"3"]
    with pytest.raises(DeadlinePassed):
        channel.receive(too_late())


def test_only_what_has_arrived_at_the_deadline_counts(process, channel):
    """Lines that arrive after a deadline are not read for it, however often it is asked."""
    deadline = too_late()
    os.write(process.answers, b"info 1\ninfo 2\n")
    assert channel.receive(deadline) == b"info 1"
    os.write(process.answers, b"move\n")
    assert channel.receive(deadline) == b"info 2"
    with pytest.raises(DeadlinePassed):
        channel.receive(deadline)
    assert channel.receive(in_time()) == b"move"


def test_bot_gains_no_time_by_lines_before_its_answer():
    """A line that a real bot writes after the deadline does not count, even after other lines."""
    with BotProcess(["sh", "-c", "echo info; read line; echo move; read line"]) as child:
        channel = Channel(child)
        assert select.select([child.stdout], [], [], 60)[0]
        deadline = time.monotonic()
        assert channel.receive(deadline) == b"info"
        channel.send(b"\n", in_time())
        assert select.select([child.stdout], [], [], 60)[0]
        with pytest.raises(DeadlinePassed):
            channel.receive(deadline)


@pytest.mark.parametrize("line", [b"early", b"x" * (5 * OUTPUT_CHUNK)])
def test_line_that_has_arrived_counts_after_the_deadline(process, channel, line):
    """A line that has arrived counts, also in several reads. Half a line waits for its end."""
    os.write(process.answers, line + b"\nhal")
    assert channel.receive(too_late()) == line
    with pytest.raises(DeadlinePassed):
        channel.receive(too_late())
    assert channel.pending_output() == b"hal"
    os.write(process.answers, b"f\n")
    assert channel.receive(in_time()) == b"half"


def test_bot_has_the_time_until_the_deadline(process, clock):
    """A bot may answer, and read its question, until the deadline."""
    channel = clock.channel(process, on_idle=lambda: os.write(process.answers, b"4\n"))
    assert channel.receive(100.5) == b"4"
    with pytest.raises(DeadlinePassed):
        clock.channel(process).receive(clock.now)
    room = channel._room.poll
    channel._room = SimpleNamespace(
        poll=lambda ms: (os.read(process.questions, 1 << 16), room(ms))[1]
    )
    channel.send(MORE_THAN_A_PIPE_HOLDS, clock.now + 0.5)


def late_poll(process: FakeProcess, channel: Channel, clock: Clock) -> None:
    """Let the next wait of a channel last 3 seconds too long. Meanwhile a line arrives."""
    poll = channel._output.poll

    def wait(milliseconds: float) -> list[tuple[int, int]]:
        clock.now += milliseconds / 1000 + 3
        os.write(process.answers, b"3\n")
        channel._output = SimpleNamespace(poll=poll)
        return poll(0)

    channel._output = SimpleNamespace(poll=wait)


def test_time_in_which_this_process_did_not_run_is_not_charged(process, clock):
    """A wait that lasts longer than it should makes the deadline later, by the same time."""
    channel = clock.channel(process)
    late_poll(process, channel, clock)
    assert channel.receive(100.05) == b"3"
    assert channel.take_absence() == (pytest.approx(3), 0)
    assert channel.take_absence() == (0, 0)


def test_pause_before_the_first_wait_is_not_charged(process, clock):
    """A process that is stopped when it has sent a question does not charge the bot for it."""
    channel = clock.channel(process, on_idle=lambda: os.write(process.answers, b"3\n"))
    channel.awake_at, clock.now = 100.0, 103.0
    assert channel.receive(101.0) == b"3"
    assert channel.take_absence() == (3, 0)
    clock.now = 200.0  # between two questions, nobody waits
    with pytest.raises(DeadlinePassed):
        channel.receive(199.0)
    assert channel.take_absence() == (0, 0)


def test_time_in_which_this_process_did_not_run_is_charged_in_the_end(process, clock):
    """More than the patience is charged, even if a line has arrived meanwhile."""
    channel = clock.channel(process)
    channel.patience = 1
    late_poll(process, channel, clock)
    with pytest.raises(DeadlinePassed):
        channel.receive(100.05)


@pytest.mark.parametrize(("used", "taken"), [(0, (0.3, 0)), (0.3, (0, 0.3))])
def test_time_to_check_other_bots_is_not_charged(process, clock, used, taken):
    """A long check makes the deadline later. Without a processor, this process was absent."""
    pauses = iter([0.3])

    def check() -> None:
        if (seconds := next(pauses, None)) is None:
            os.write(process.answers, b"3\n")
        else:
            clock.now += seconds
            clock.used += used

    channel = clock.channel(process, on_idle=check)
    assert channel.receive(100.45) == b"3"
    assert channel.take_absence() == pytest.approx(taken)


def test_no_time_of_this_process_is_counted_twice(process, clock, monkeypatch):
    """The time of a check counts as absence, or as time for other bots."""

    def pause() -> None:
        clock.now += 0.15

    monkeypatch.setattr(process, "excess", pause)
    channel = clock.channel(process, on_idle=pause)
    channel.check_limits()
    assert channel.take_absence() == (0, pytest.approx(0.15))


def drip(end: int, channel: Channel, clock: Clock, byte: bytes) -> None:
    """Let a byte arrive at this end of a pipe after each 10 ms in which a channel waits."""
    poll = channel._output.poll

    def wait(_: float) -> list[tuple[int, int]]:
        clock.now += 0.01
        os.write(end, byte)
        return poll(0)

    channel._output = SimpleNamespace(poll=wait)


def test_bytes_do_not_extend_a_deadline(process, clock):
    """Single bytes do not extend the deadline of their line."""
    channel = clock.channel(process)
    drip(process.answers, channel, clock, b"x")
    with pytest.raises(DeadlinePassed):
        channel.receive(100.5)
    assert clock.now < 101


@pytest.mark.parametrize("end", ["errors", "answers"])
def test_output_does_not_put_off_the_check_of_limits(process, clock, end):
    """Limits are checked although blank lines or standard error end each wait early."""
    process.reason = Fault.OUT_OF_MEMORY, "it uses too much"
    channel = clock.channel(process)
    drip(getattr(process, end), channel, clock, b"\n")
    with pytest.raises(LimitExceeded, match="it uses too much"):
        channel.receive(101)


def test_lines_are_received_before_the_end_of_the_output(process, channel):
    """Lines before the end of the output are received, also a last line without a line end.

    After them, each call raises ``OutputEnded``.
    """
    os.write(process.answers, b"1\nlast")
    process.close(process.answers)
    assert [channel.receive(in_time()) for _ in range(2)] == [b"1", b"last"]
    for _ in range(2):
        with pytest.raises(OutputEnded):
            channel.receive(in_time())
    assert channel.pending_output() == b""


def test_line_may_be_as_long_as_the_limit(process, channel):
    """A line of 65,536 bytes is received. A line that is one byte longer is an error."""
    assert MAX_LINE_BYTES == 65_536
    process.do_meanwhile(lambda: os.write(process.answers, b"a" * MAX_LINE_BYTES + b"\n"))
    assert channel.receive(in_time()) == b"a" * MAX_LINE_BYTES
    process.do_meanwhile(lambda: os.write(process.answers, b"a" * (MAX_LINE_BYTES + 1) + b"\n4\n"))
    with pytest.raises(LineTooLong):
        channel.receive(in_time())
    assert channel.receive(in_time()) == b"4"


def test_output_goes_into_the_buffer_that_is_given(process):
    """A channel uses the given buffer and its limit for a line."""
    channel = Channel(process, buffer=LineBuffer(5))
    os.write(process.answers, b"123456789\n12\n")
    with pytest.raises(LineTooLong):
        channel.receive(in_time())
    assert channel.receive(in_time()) == b"12"


@pytest.mark.parametrize("deadline", [soon, too_late])
def test_bot_that_does_not_read_misses_the_deadline(channel, deadline):
    """Sending ends at the deadline if the bot does not read and the line does not fit the pipe."""
    with pytest.raises(DeadlinePassed):
        channel.send(MORE_THAN_A_PIPE_HOLDS, deadline())


def test_line_that_fits_is_sent_after_the_deadline(process, channel):
    """A line that fits into the pipe is sent even after the deadline."""
    channel.send(b"?\n", too_late())
    assert os.read(process.questions, 10) == b"?\n"


def test_nothing_can_be_sent_to_a_closed_input(process, channel):
    """Nothing can be sent to a closed input, but answers are still received."""
    process.close(process.questions)
    os.write(process.answers, b"4\n")
    with pytest.raises(InputClosed):
        channel.send(b"?\n", in_time())
    assert channel.receive(in_time()) == b"4"


def test_wait_ends_when_the_listener_hangs_up(process, listener):
    """Receiving and sending end at once when the listener hangs up, and not before."""
    reading, writing = listener
    channel = Channel(process, reading)
    os.write(process.answers, b"4\n")
    assert channel.receive(in_time()) == b"4"
    with pytest.raises(DeadlinePassed):
        channel.send(MORE_THAN_A_PIPE_HOLDS, soon())
    os.close(writing)
    with pytest.raises(HungUp):
        channel.receive(in_time())
    with pytest.raises(HungUp):
        channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())


def test_something_is_done_while_the_channel_waits(process, clock):
    """``on_idle`` is called repeatedly while nothing arrives. Here its third call answers."""
    calls = []

    def answer_at_the_third_call() -> None:
        calls.append(clock.now)
        if len(calls) == 3:
            os.write(process.answers, b"4\n")

    assert clock.channel(process, on_idle=answer_at_the_third_call).receive(110) == b"4"
    assert len(calls) == 3


def test_bot_that_exceeds_a_limit_is_noticed_while_the_channel_waits(process, channel):
    """A bot that exceeds a limit is noticed while the channel waits.

    The exception names the limit. An answer that has already arrived is received before.
    """
    process.reason = Fault.TOO_MANY_PROCESSES, "it has too many processes"
    os.write(process.answers, b"4\n")
    assert channel.receive(in_time()) == b"4"
    for wait in (channel.check_limits, lambda: channel.receive(in_time())):
        with pytest.raises(LimitExceeded, match="it has too many processes"):
            wait()


def test_limits_are_checked_while_the_bot_does_not_read_or_end(process, channel):
    """A bot that exceeds a limit is stopped while it does not read, and after its game."""
    process.reason = Fault.OUT_OF_MEMORY, "it uses too much"
    with pytest.raises(LimitExceeded, match="it uses too much"):
        channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())
    assert channel.wait_for_exit(60) is None


def test_standard_error_is_read_while_receiving(process, channel):
    """Standard error is read while receiving, so that a bot that fills its pipe can answer."""

    def complain_and_answer() -> None:
        os.write(process.errors, b"e" * 300_000)
        os.write(process.answers, b"4\n")

    process.do_meanwhile(complain_and_answer)
    assert channel.receive(in_time()) == b"4"
    assert f"[... {300_000 - 2 * MAX_KEPT_BYTES} bytes ...]" in channel.take_stderr()


def test_standard_error_is_read_while_sending(process, channel):
    """A long line is sent whole, and standard error is read meanwhile, so that the bot can read."""
    received = bytearray()

    def complain_and_read() -> None:
        os.write(process.errors, b"e" * 300_000)
        while len(received) < len(MORE_THAN_A_PIPE_HOLDS):
            received.extend(os.read(process.questions, 1 << 16))

    process.do_meanwhile(complain_and_read)
    channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())
    assert wait_for(lambda: received == MORE_THAN_A_PIPE_HOLDS)
    assert channel.take_stderr().count("e") >= 2 * MAX_KEPT_BYTES


def test_standard_error_may_be_closed(process):
    """A channel still waits for output, and notices idleness, if standard error is closed."""
    process.close(process.errors)
    channel = Channel(process, on_idle=lambda: os.write(process.answers, b"4\n"))
    assert channel.receive(in_time()) == b"4"


def test_flood_on_standard_error_is_noticed(process, clock, monkeypatch):
    """A flood is noticed while receiving and while sending, one byte above the limit."""
    monkeypatch.setattr(channels, "MAX_STDERR_BYTES", 10)
    channel = clock.channel(process)
    for size, error in ((10, DeadlinePassed), (1, LimitExceeded)):
        os.write(process.errors, b"e" * size)
        for wait in (channel.receive, partial(channel.send, MORE_THAN_A_PIPE_HOLDS)):
            with pytest.raises(error):
                wait(clock.now + 1)


def test_standard_error_is_taken_once(process, channel):
    """``take_stderr`` reads new text. ``stderr_text`` returns text that was read before."""
    os.write(process.errors, b"one\n")
    assert channel.stderr_text() == ""
    assert channel.take_stderr() == "one\n"
    os.write(process.errors, b"two\n")
    assert channel.take_stderr() == "two\n"
    assert channel.take_stderr() == ""
    channel.read_stderr()  # nothing new to read
    os.write(process.errors, b"three\n")
    channel.read_stderr()
    assert channel.stderr_text() == "three\n"
    assert channel.last_words() == "three"


def test_deaf_channel_leaves_standard_error_in_the_pipe(process):
    """A deaf channel leaves standard error in the pipe until ``read_stderr``."""
    channel = Channel(process, deaf=True)
    os.write(process.errors, b"why\n")
    os.write(process.answers, b"4\n")
    assert channel.receive(in_time()) == b"4"
    with pytest.raises(DeadlinePassed):
        channel.send(MORE_THAN_A_PIPE_HOLDS, soon())
    assert channel.take_stderr() == ""
    channel.read_stderr()
    assert channel.stderr_text() == "why\n"


def test_pending_output_is_what_was_not_received(process, channel):
    """``pending_output`` returns unread output repeatedly, and ``receive`` still returns it."""
    assert channel.pending_output() == b""
    os.write(process.answers, b"1\n2\n")
    for _ in range(2):
        assert channel.pending_output() == b"1\n2"
    assert channel.receive(in_time()) == b"1"
    assert channel.pending_output() == b"2"


def test_exit_is_waited_for(process, clock):
    """``wait_for_exit`` returns the exit code, also 0, or ``None`` if it does not come in time.

    It discards output, so that this takes no memory.
    """
    channel = clock.channel(process)
    os.write(process.answers, b"4\n")
    assert channel.wait_for_exit(0.05) is None
    assert clock.now == pytest.approx(100.05)
    assert channel.pending_output() == b""
    process.code = 0
    assert channel.wait_for_exit(0) == 0


def test_bot_can_write_until_it_exits(process, channel):
    """The pipes of a bot are read until its exit, and the end of standard error is stored."""

    def write_and_exit() -> None:
        os.write(process.errors, b"e" * 200_000 + b"end")
        os.write(process.answers, b"a\n" * 100_000)
        process.close(process.answers)
        process.code = 3

    process.do_meanwhile(write_and_exit)
    assert channel.wait_for_exit(60) == 3
    assert channel.stderr_text().endswith("end")


def test_bot_may_take_back_what_it_wrote(process, channel):
    """A bot that empties its own pipes again has written nothing."""
    for end in (process.stdout, process.stderr):
        ready = [(end, select.POLLIN)]
        channel._read_ready(ready)
    channel._closed_at, channel._arrived = too_late(), 5
    with pytest.raises(DeadlinePassed):
        channel._read_arrived(channel._closed_at)
    os.write(process.answers, b"4\n")
    assert channel.receive(in_time()) == b"4"


def test_long_checks_do_not_keep_the_channel_from_reading(process, clock):
    """Output is read between two checks, even if each check lasts longer than their interval."""

    def check() -> None:
        clock.now += 1
        clock.used += 1
        os.write(process.answers, b"4\n")

    channel = clock.channel(process, on_idle=check)
    assert channel.receive(101) == b"4"
    assert channel.take_absence() == (0, pytest.approx(1))
