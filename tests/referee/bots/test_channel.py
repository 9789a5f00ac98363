"""A channel sends and receives lines, with a deadline for each."""

import os
import time
from collections.abc import Iterator

import pytest
from c4_protocol.codec import LineBuffer
from c4_protocol.errors import LineTooLong
from c4_referee.bots.channel import (
    STDERR_KEPT,
    Channel,
    DeadlinePassed,
    Excerpt,
    HungUp,
    InputClosed,
    OutputEnded,
)
from c4_referee.bots.process import BotProcess
from hypothesis import given
from hypothesis import strategies as st

SECONDS = 20.0
"""Seconds that no program of these tests needs."""


def in_time() -> float:
    """Return a deadline that no program of these tests misses."""
    return time.monotonic() + SECONDS


@pytest.fixture
def started() -> Iterator:
    """Start a shell script as a bot."""
    processes: list[BotProcess] = []

    def start(script: str) -> BotProcess:
        processes.append(BotProcess(["sh", "-c", script]))
        return processes[-1]

    yield start
    for process in processes:
        process.stop()


def test_lines_are_sent_and_received(started):
    """A line comes back without blanks around it; blank lines are passed over."""
    channel = Channel(started('read line; echo; echo "  $line  "'))
    channel.send(b"hello\n", in_time())
    assert channel.receive(in_time()) == b"hello"


def test_line_that_has_arrived_counts_after_the_deadline(started):
    """A deadline that has passed loses no line that is there."""
    process = started("echo early; sleep 60")
    channel = Channel(process)
    while not channel.pending_output():
        time.sleep(0.01)
    assert channel.receive(time.monotonic() - 1) == b"early"
    with pytest.raises(DeadlinePassed):
        channel.receive(time.monotonic() - 1)


def test_bytes_do_not_extend_a_deadline(started):
    """A bot that writes without end, but no line, misses its deadline."""
    channel = Channel(started("while :; do printf x; sleep 0.01; done"))
    with pytest.raises(DeadlinePassed):
        channel.receive(time.monotonic() + 0.3)
    assert channel.pending_output()


def test_end_of_output_and_of_input_are_different(started):
    """All lines are received before the end of the output is raised."""
    channel = Channel(started("exec 0<&-; echo last; exec 1>&-; sleep 60"))
    assert channel.receive(in_time()) == b"last"
    with pytest.raises(OutputEnded):
        channel.receive(in_time())
    with pytest.raises(InputClosed):
        channel.send(b"?\n", in_time())


def test_bot_that_does_not_read_misses_the_deadline(started):
    """Sending more than a pipe holds ends at the deadline."""
    channel = Channel(started("sleep 60"))
    with pytest.raises(DeadlinePassed):
        channel.send(b"x" * (1 << 20), time.monotonic() + 0.1)


def test_wait_ends_when_the_listener_hangs_up(started):
    """Neither the bot nor the deadline is waited for."""
    listener, end = os.pipe()
    channel = Channel(started("sleep 60"), listener)
    os.close(end)
    with pytest.raises(HungUp):
        channel.receive(in_time())
    os.close(listener)


def test_standard_error_is_read_while_waiting(started):
    """A bot that fills its standard error is not blocked, and the two ends of it are kept."""
    script = "head -c 300000 /dev/zero | tr '\\0' e >&2; echo done"
    channel = Channel(started(script))
    assert channel.receive(in_time()) == b"done"
    text = channel.take_stderr()
    assert text.count("e") >= 2 * STDERR_KEPT
    assert "bytes ...]" in text
    assert channel.take_stderr() == ""


def test_deaf_channel_leaves_standard_error_in_the_pipe(started):
    """Nothing is read of it but on demand."""
    channel = Channel(started("echo why >&2; echo done; sleep 60"), deaf=True)
    assert channel.receive(in_time()) == b"done"
    assert channel.take_stderr() == ""
    channel.read_stderr()
    channel.read_stderr()  # nothing more is there
    assert channel.stderr_text() == "why\n"


def test_output_goes_into_the_buffer_that_is_given(started):
    """Its limit is the limit of a line."""
    channel = Channel(started("echo 123456789; echo 12"), buffer=LineBuffer(5))
    with pytest.raises(LineTooLong):
        channel.receive(in_time())
    assert channel.receive(in_time()) == b"12"


@given(st.lists(st.binary(max_size=3000), max_size=8))
def test_excerpt_keeps_both_ends(portions):
    """Short texts are kept whole, and of longer ones the beginning and the end."""
    excerpt, whole = Excerpt(), b"".join(portions)
    for portion in portions:
        excerpt.add(portion.replace(b"\\", b"x"))
    whole = whole.replace(b"\\", b"x")
    assert excerpt.total == len(whole)
    text = excerpt.text()
    assert all(sign.isprintable() or sign in "\n\t" for sign in text)
    if len(whole) <= 2 * STDERR_KEPT:
        assert "bytes ...]" not in text or b"bytes ...]" in whole
    else:
        assert f"[... {len(whole) - 2 * STDERR_KEPT} bytes ...]" in text
