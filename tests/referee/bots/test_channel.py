"""A channel sends and receives lines, with a deadline for each."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread
from types import SimpleNamespace

import pytest
from c4_protocol.codec import LineBuffer
from c4_protocol.errors import LineTooLong
from c4_referee.bots import channel as channels
from c4_referee.bots.channel import (
    LINE_LIMIT,
    STDERR_KEPT,
    Channel,
    DeadlinePassed,
    Excerpt,
    HungUp,
    InputClosed,
    LimitExceeded,
    OutputEnded,
    StderrFlood,
)
from c4_referee.bots.process import BotProcess
from hypothesis import given
from hypothesis import strategies as st

MORE_THAN_A_PIPE_HOLDS = b"x" * (1 << 20) + b"\n"


def in_time() -> float:
    """Return a deadline that nothing in these tests misses."""
    return time.monotonic() + 60


def too_late() -> float:
    """Return a deadline that has passed."""
    return time.monotonic() - 1


def soon() -> float:
    """Return a deadline that passes while a test waits."""
    return time.monotonic() + 0.05


class FakeProcess:
    """Three pipes of which a test holds the other ends, an exit code and an excess."""

    def __init__(self) -> None:
        self.questions, self.stdin = os.pipe()
        self.stdout, self.answers = os.pipe()
        self.stderr, self.errors = os.pipe()
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.code: int | None = None
        self.reason: str | None = None
        self._threads: list[Thread] = []

    def wait(self, seconds: float) -> int | None:
        """Return the exit code."""
        return self.code

    def excess(self) -> str | None:
        """Return the reason that a test has set."""
        return self.reason

    def do_meanwhile(self, action: Callable[[], object]) -> None:
        """Run a function in a thread; it ends with the test."""

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
        """Close the channel's ends first, so that no thread waits in a pipe; then the others."""
        self.close(self.stdin, self.stdout, self.stderr)
        for thread in self._threads:
            thread.join()
        self.close(self.questions, self.answers, self.errors)


@pytest.fixture
def process() -> Iterator[FakeProcess]:
    """Return a process that does nothing by itself."""
    fake = FakeProcess()
    yield fake
    fake.end()


@pytest.fixture
def channel(process) -> Channel:
    """Return a channel to the fake process."""
    return Channel(process)


@pytest.fixture
def listener() -> Iterator[tuple[int, int]]:
    """Return both ends of a pipe whose writing end a listener would hold."""
    ends = os.pipe()
    yield ends
    for end in ends:
        with suppress(OSError):
            os.close(end)


def test_bot_is_sent_a_line_and_answers():
    """With a real child process: what is sent arrives, and its answer comes back."""
    with BotProcess(["sh", "-c", 'read line; echo "$line!"']) as child:
        channel = Channel(child)
        channel.send(b"hello\n", in_time())
        assert channel.receive(in_time()) == b"hello!"


def test_lines_that_arrive_together_are_received_one_by_one(process, channel):
    """In their order, without blanks around them; blank lines are skipped."""
    os.write(process.answers, b"\n1\n \r\n  2 \n3\n\n")
    assert [channel.receive(in_time()) for _ in range(3)] == [b"1", b"2", b"3"]
    with pytest.raises(DeadlinePassed):
        channel.receive(too_late())


def test_line_may_arrive_in_parts(process, channel):
    """A part is kept until the rest arrives."""
    os.write(process.answers, b"12")
    with pytest.raises(DeadlinePassed):
        channel.receive(too_late())
    os.write(process.answers, b"34\n")
    assert channel.receive(in_time()) == b"1234"


def test_line_that_has_arrived_counts_after_the_deadline(process, channel):
    """Half a line that has arrived does not."""
    os.write(process.answers, b"early\nhal")
    assert channel.receive(too_late()) == b"early"
    with pytest.raises(DeadlinePassed):
        channel.receive(too_late())
    assert channel.pending_output() == b"hal"


def test_deadline_passes_while_nothing_arrives(channel):
    """Nothing has to happen for that."""
    with pytest.raises(DeadlinePassed):
        channel.receive(soon())


def test_bot_has_the_time_until_the_deadline(process, monkeypatch):
    """Half a second is left here, by a clock that stands still."""
    monkeypatch.setattr(channels, "time", SimpleNamespace(monotonic=lambda: 100.0))
    answering = Channel(process, on_idle=lambda: os.write(process.answers, b"4\n"))
    assert answering.receive(100.5) == b"4"
    with pytest.raises(DeadlinePassed):
        Channel(process).receive(100.0)


def test_bot_may_read_until_the_deadline(process, channel, monkeypatch):
    """Half a second is left here, too."""
    monkeypatch.setattr(channels, "time", SimpleNamespace(monotonic=lambda: 100.0))

    def read_all() -> None:
        for _ in range(len(MORE_THAN_A_PIPE_HOLDS)):
            os.read(process.questions, 1 << 16)

    process.do_meanwhile(read_all)
    channel.send(MORE_THAN_A_PIPE_HOLDS, 100.5)


def test_bytes_do_not_extend_a_deadline(process, channel):
    """One byte after the other arrives; the line that they make is too late."""

    def drip() -> None:
        for _ in range(3000):
            os.write(process.answers, b"x")
            time.sleep(0.001)
        os.write(process.answers, b"\n")

    process.do_meanwhile(drip)
    with pytest.raises(DeadlinePassed):
        channel.receive(soon())


def test_lines_are_received_before_the_end_of_the_output(process, channel):
    """Also a last line that has no end of line; then ``OutputEnded`` is raised each time."""
    os.write(process.answers, b"1\nlast")
    process.close(process.answers)
    assert [channel.receive(in_time()) for _ in range(2)] == [b"1", b"last"]
    for _ in range(2):
        with pytest.raises(OutputEnded):
            channel.receive(in_time())
    assert channel.pending_output() == b""


def test_line_may_be_as_long_as_the_limit(process, channel):
    """A line of 65,536 bytes arrives, and one that is a byte longer is an error."""
    assert LINE_LIMIT == 65_536
    process.do_meanwhile(lambda: os.write(process.answers, b"a" * LINE_LIMIT + b"\n"))
    assert channel.receive(in_time()) == b"a" * LINE_LIMIT
    process.do_meanwhile(lambda: os.write(process.answers, b"a" * (LINE_LIMIT + 1) + b"\n4\n"))
    with pytest.raises(LineTooLong):
        channel.receive(in_time())
    assert channel.receive(in_time()) == b"4"


def test_output_goes_into_the_buffer_that_is_given(process):
    """Its limit is the limit of a line."""
    channel = Channel(process, buffer=LineBuffer(5))
    os.write(process.answers, b"123456789\n12\n")
    with pytest.raises(LineTooLong):
        channel.receive(in_time())
    assert channel.receive(in_time()) == b"12"


def test_sending_waits_until_the_bot_reads(process, channel):
    """More than a pipe holds arrives whole, if the bot reads it."""
    received = bytearray()

    def read_all() -> None:
        while len(received) < len(MORE_THAN_A_PIPE_HOLDS):
            received.extend(os.read(process.questions, 1 << 16))

    process.do_meanwhile(read_all)
    channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())
    while len(received) < len(MORE_THAN_A_PIPE_HOLDS):
        time.sleep(0.001)
    assert received == MORE_THAN_A_PIPE_HOLDS


@pytest.mark.parametrize("deadline", [soon, too_late])
def test_bot_that_does_not_read_misses_the_deadline(channel, deadline):
    """Sending more than a pipe holds ends at the deadline."""
    with pytest.raises(DeadlinePassed):
        channel.send(MORE_THAN_A_PIPE_HOLDS, deadline())


def test_line_that_fits_is_sent_after_the_deadline(process, channel):
    """Only waiting has a deadline."""
    channel.send(b"?\n", too_late())
    assert os.read(process.questions, 10) == b"?\n"


def test_nothing_can_be_sent_to_a_closed_input(process, channel):
    """Its answers are received all the same."""
    process.close(process.questions)
    os.write(process.answers, b"4\n")
    with pytest.raises(InputClosed):
        channel.send(b"?\n", in_time())
    assert channel.receive(in_time()) == b"4"


def test_wait_ends_when_the_listener_hangs_up(process, listener):
    """Neither the bot nor the deadline is waited for, while receiving and while sending."""
    reading, writing = listener
    channel = Channel(process, reading)
    os.close(writing)
    with pytest.raises(HungUp):
        channel.receive(in_time())
    with pytest.raises(HungUp):
        channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())


def test_listener_that_listens_changes_nothing(process, listener):
    """Lines are sent and received, and deadlines pass."""
    channel = Channel(process, listener[0])
    os.write(process.answers, b"4\n")
    assert channel.receive(in_time()) == b"4"
    with pytest.raises(DeadlinePassed):
        channel.receive(too_late())
    with pytest.raises(DeadlinePassed):
        channel.send(MORE_THAN_A_PIPE_HOLDS, soon())


def test_something_is_done_while_the_channel_waits(process, monkeypatch):
    """``on_idle`` is called when nothing arrives, again and again; here it answers in the end."""
    monkeypatch.setattr(channels, "WATCH_SECONDS", 0.001)
    calls = []

    def answer_at_the_third_call() -> None:
        calls.append(None)
        if len(calls) == 3:
            os.write(process.answers, b"4\n")

    assert Channel(process, on_idle=answer_at_the_third_call).receive(in_time()) == b"4"
    assert len(calls) == 3


def test_bot_that_exceeds_a_limit_is_noticed_while_the_channel_waits(process, channel):
    """The exception says which limit; an answer that is there is received before."""
    process.reason = "it has too many processes"
    os.write(process.answers, b"4\n")
    assert channel.receive(in_time()) == b"4"
    for wait in (channel.check_limits, lambda: channel.receive(in_time())):
        with pytest.raises(LimitExceeded, match="it has too many processes"):
            wait()


def test_standard_error_is_read_while_receiving(process, channel):
    """A bot that fills that pipe can still answer."""

    def complain_and_answer() -> None:
        os.write(process.errors, b"e" * 300_000)
        os.write(process.answers, b"4\n")

    process.do_meanwhile(complain_and_answer)
    assert channel.receive(in_time()) == b"4"
    assert f"[... {300_000 - 2 * STDERR_KEPT} bytes ...]" in channel.take_stderr()


def test_standard_error_is_read_while_sending(process, channel):
    """A bot that fills that pipe can still read its question."""
    received = bytearray()

    def complain_and_read() -> None:
        os.write(process.errors, b"e" * 300_000)
        while len(received) < len(MORE_THAN_A_PIPE_HOLDS):
            received.extend(os.read(process.questions, 1 << 16))

    process.do_meanwhile(complain_and_read)
    channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())
    assert channel.take_stderr().count("e") >= 2 * STDERR_KEPT


def test_standard_error_may_be_closed(process):
    """The channel then waits for the output alone, and still notices that nothing arrives."""
    process.close(process.errors)
    channel = Channel(process, on_idle=lambda: os.write(process.answers, b"4\n"))
    assert channel.receive(in_time()) == b"4"


def test_flood_on_standard_error_is_noticed_while_receiving(process, monkeypatch):
    """As many bytes as the limit are no flood; one more is."""
    monkeypatch.setattr(channels, "STDERR_LIMIT", 10)
    channel = Channel(process, on_idle=lambda: os.write(process.answers, b"4\n"))
    os.write(process.errors, b"e" * 10)
    assert channel.receive(in_time()) == b"4"
    os.write(process.errors, b"e")
    with pytest.raises(StderrFlood):
        channel.receive(in_time())


def test_flood_on_standard_error_is_noticed_while_sending(process, channel, monkeypatch):
    """As many bytes as the limit are no flood; one more is."""
    monkeypatch.setattr(channels, "STDERR_LIMIT", 10)
    os.write(process.errors, b"e" * 10)
    with pytest.raises(DeadlinePassed):
        channel.send(MORE_THAN_A_PIPE_HOLDS, soon())
    os.write(process.errors, b"e")
    with pytest.raises(StderrFlood):
        channel.send(MORE_THAN_A_PIPE_HOLDS, in_time())


def test_standard_error_is_taken_once(process, channel):
    """``take_stderr`` reads what is new; ``stderr_text`` returns what was read before."""
    os.write(process.errors, b"one\n")
    assert channel.stderr_text() == ""
    assert channel.take_stderr() == "one\n"
    os.write(process.errors, b"two\n")
    assert channel.take_stderr() == "two\n"
    assert channel.take_stderr() == ""
    channel.read_stderr()  # nothing is there
    os.write(process.errors, b"three\n")
    channel.read_stderr()
    assert channel.stderr_text() == "three\n"
    assert channel.last_words() == "three"


def test_taking_standard_error_loses_no_answer(process, channel):
    """Output that is read on the way is kept for ``receive``."""
    os.write(process.answers, b"4\n")
    channel.take_stderr()
    assert channel.receive(too_late()) == b"4"


def test_deaf_channel_leaves_standard_error_in_the_pipe(process):
    """Neither receiving nor sending reads it, only ``read_stderr`` does."""
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
    """It can be asked for again and again; ``receive`` still returns it."""
    assert channel.pending_output() == b""
    os.write(process.answers, b"1\n2\n")
    for _ in range(2):
        assert channel.pending_output() == b"1\n2"
    assert channel.receive(in_time()) == b"1"
    assert channel.pending_output() == b"2"


def test_exit_is_waited_for(process, channel):
    """The exit code, or ``None`` if it does not come in time; zero is an exit code."""
    assert channel.wait_for_exit(0) is None
    assert channel.wait_for_exit(0.02) is None
    process.code = 0
    assert channel.wait_for_exit(0) == 0


def test_bot_can_write_until_it_exits(process, channel):
    """Its pipes are read until then, and the end of standard error is kept."""

    def write_and_exit() -> None:
        os.write(process.errors, b"e" * 200_000 + b"end")
        os.write(process.answers, b"a\n" * 100_000)
        process.close(process.answers)
        process.code = 3

    process.do_meanwhile(write_and_exit)
    assert channel.wait_for_exit(60) == 3
    assert channel.stderr_text().endswith("end")


def test_output_is_thrown_away_while_the_exit_is_waited_for(process, channel):
    """A bot that writes without end takes no memory."""
    os.write(process.answers, b"4\n")
    assert channel.wait_for_exit(0.05) is None
    assert channel.pending_output() == b""


def test_last_words_are_read_after_the_exit(process, channel):
    """Standard error that arrives with the exit is not lost."""
    os.write(process.errors, b"last words\n")
    process.code = 1
    assert channel.wait_for_exit(0) == 1
    assert channel.stderr_text() == "last words\n"


@pytest.mark.parametrize(
    ("portions", "text"),
    [
        ([b"abcd", b"efgh"], "abcdefgh"),
        ([b"abcdefghi"], "abcd\n[... 1 bytes ...]\nfghi"),
        ([b"abc", b"def", b"ghi", b"jkl"], "abcd\n[... 4 bytes ...]\nijkl"),
    ],
)
def test_excerpt_leaves_out_the_middle(monkeypatch, portions, text):
    """With four bytes kept of each end, nine are one too many."""
    monkeypatch.setattr(channels, "STDERR_KEPT", 4)
    excerpt = Excerpt()
    for portion in portions:
        excerpt.add(portion)
    assert excerpt.text() == text
    assert excerpt.total == sum(map(len, portions))


@given(st.lists(st.binary(max_size=3000), max_size=8))
def test_excerpt_keeps_both_ends(portions):
    """However the text is divided; its middle is bounded."""
    excerpt, parts = Excerpt(), Excerpt()
    excerpt.add(b"".join(portions))
    for portion in portions:
        parts.add(portion)
    assert parts.text() == excerpt.text()
    assert parts.total == excerpt.total == sum(map(len, portions))


def test_excerpt_escapes_control_characters():
    """Ends of lines and tabs stay, and bytes that are not UTF-8 are shown."""
    excerpt = Excerpt()
    excerpt.add("\x1b[31mä\t\n".encode() + b"\xff")
    assert excerpt.text() == "\\x1b[31mä\t\n\\xff"
