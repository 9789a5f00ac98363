"""Bytes are split into lines. The portions in which they arrive do not matter."""

from collections.abc import Iterable

import pytest
from c4_protocol.program.errors import LineTooLong
from c4_protocol.records.codec import BYTE_ORDER_MARK, LineBuffer
from hypothesis import example, given
from hypothesis import strategies as st

LIMIT = 12
TOO_LONG = "too long"
PIECES = (b"\n", b"\r\n", b"\r", b" ", b"\t", BYTE_ORDER_MARK, b"{}", b"abcdefghij", b"\x00\xff")
STREAMS = st.binary() | st.lists(st.sampled_from(PIECES)).map(b"".join)


def drained(buffer: LineBuffer) -> list[bytes | str]:
    """Return all lines of a buffer, with ``TOO_LONG`` for each refused line."""
    found: list[bytes | str] = []
    while True:
        try:
            line = buffer.next_line()
        except LineTooLong:
            found.append(TOO_LONG)
            continue
        if line is None:
            return found
        found.append(line)


def read(portions: Iterable[bytes], limit: int = LIMIT) -> list[bytes | str]:
    """Return the lines of bytes that arrive in portions and then end."""
    buffer = LineBuffer(limit)
    found = []
    for portion in portions:
        buffer.feed(portion)
        found += drained(buffer)
    buffer.end()
    return found + drained(buffer)


def naive(data: bytes) -> list[bytes | str]:
    """Return the expected lines by splitting all bytes at once."""
    found: list[bytes | str] = []
    for raw in data.split(b"\n"):
        line = raw.removeprefix(BYTE_ORDER_MARK).strip()
        if len(raw) > LIMIT:
            found.append(TOO_LONG)
        elif line:
            found.append(line)
    return found


@given(STREAMS, st.lists(st.integers(0, 30)))
@example(b"\n  \n" + BYTE_ORDER_MARK + b"one\r\n\n\t\n two\n\n" + BYTE_ORDER_MARK + b"three", [3])
def test_portions_make_no_difference(data: bytes, sizes: list[int]) -> None:
    """Bytes in any portions give the lines of a naive splitter."""
    portions, rest = [], data
    for size in sizes:
        portions.append(rest[:size])
        rest = rest[size:]
    expected = naive(data)
    assert read([*portions, rest]) == expected
    assert read(bytes([byte]) for byte in data) == expected
    assert read([data]) == expected


def test_line_waits_for_its_end() -> None:
    """A line without its ending stays pending."""
    buffer = LineBuffer()
    buffer.feed(b'{"move"')
    assert buffer.next_line() is None
    assert buffer.pending == b'{"move"'
    buffer.feed(b":3}\n")
    assert buffer.next_line() == b'{"move":3}'
    assert buffer.pending == b""


@pytest.mark.parametrize("length", [LIMIT + 1, 10 * LIMIT])
def test_long_line_is_refused_once_and_the_next_one_read(length: int) -> None:
    """Each line beyond the limit raises one error, and the next line is read."""
    data = b"x" * length + b"\n" + b"y" * LIMIT + b"\n" + b"z" * length
    assert read([data]) == [TOO_LONG, b"y" * LIMIT, TOO_LONG]
    assert read([data[:20], data[20:25], data[25:]]) == [TOO_LONG, b"y" * LIMIT, TOO_LONG]


def test_long_line_is_refused_before_it_ends() -> None:
    """The first byte beyond the limit raises the error before the line ends."""
    buffer = LineBuffer(LIMIT)
    buffer.feed(b"x" * LIMIT)
    assert buffer.next_line() is None
    buffer.feed(b"x")
    with pytest.raises(LineTooLong, match=f"longer than {LIMIT} bytes"):
        buffer.next_line()


def test_endless_line_takes_no_memory() -> None:
    """An endless line takes no more memory than the limit and one portion."""
    limit, portion = 10_000, b"x" * 50_000
    buffer = LineBuffer(limit)
    errors, most = 0, 0
    for _ in range(1000):
        buffer.feed(portion)
        most = max(most, len(buffer.pending))
        errors += len(drained(buffer))
        assert len(buffer.pending) <= limit
    assert errors == 1
    assert most <= limit + len(portion)


def test_blank_lines_are_kept_if_asked_for() -> None:
    """With ``keep_blank``, blank lines are returned, also those before the first line."""
    buffer = LineBuffer(keep_blank=True)
    for portion in (b"\n", b"\n4\n \n"):
        buffer.feed(portion)
    assert drained(buffer) == [b"", b"", b"4", b""]
    buffer.feed(b"\n")
    assert drained(buffer) == [b""]


def test_bytes_that_were_thrown_away_do_not_count() -> None:
    """Bytes before ``clear`` do not count towards the limit of the next line."""
    buffer = LineBuffer(LIMIT, keep_blank=True)
    buffer.feed(b"x" * LIMIT)
    assert drained(buffer) == []
    buffer.clear()
    buffer.feed(b"\n" + b"y" * LIMIT + b"\n")
    assert drained(buffer) == [b"", b"y" * LIMIT]
