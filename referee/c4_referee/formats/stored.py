"""Results from files of whatever format, with complaints about what cannot be read."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO

from c4_protocol.codec import BYTE_ORDER_MARK
from c4_protocol.errors import UsageError

from c4_referee.formats import BadLine, Result, names, reader_for

STANDARD_INPUT = "-"
LONGEST = 1 << 24
"""Bytes of a line: a record of a game may hold much that bots wrote on standard error."""

Complain = Callable[[str, BadLine], None]


def read_results(sources: Sequence[str], complain: Complain) -> Iterator[Result]:
    """The results of files, one after another; what cannot be read is told to ``complain``.

    A source is a path, that of a folder of ``--out``, or ``-`` for standard input. Raises
    ``UsageError`` for a file that cannot be read at all, is of no known format, or is named twice.
    """
    paths = [_file(source) for source in sources]
    _check_differ(paths)
    for path in paths:
        with _opened(path) as stream:
            lines = _lines(stream, partial(complain, path))
            for found in _found(path, lines):
                if isinstance(found, BadLine):
                    complain(path, found)
                else:
                    yield found


def _file(source: str) -> str:
    """The file that holds the games of a folder."""
    return str(Path(source) / "games.jsonl") if Path(source).is_dir() else source


def _check_differ(paths: Sequence[str]) -> None:
    """Else games would count twice."""
    known: dict[str, str] = {}
    for path in paths:
        where = path if path == STANDARD_INPUT else str(Path(path).resolve())
        if where in known:
            raise UsageError(f"{known[where]} and {path} are the same: name it once")
        known[where] = path


@contextmanager
def _opened(path: str) -> Iterator[IO[bytes]]:
    """Raises ``UsageError`` for a file that cannot be opened, or read later."""
    try:
        if path == STANDARD_INPUT:
            yield sys.stdin.buffer
        else:
            with Path(path).open("rb") as stream:
                yield stream
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _found(path: str, lines: Iterator[tuple[int, bytes]]) -> Iterator[Result | BadLine]:
    """What there is in a file, by the format of its first line; nothing in an empty one."""
    for number, line in lines:
        if line.strip():
            read = reader_for(line)
            if read is None:
                raise UsageError(
                    f"{path}, line {number}: no results begin like this; known formats are "
                    f"{', '.join(names())}"
                )
            yield from read(chain([(number, line)], lines))


def _lines(stream: IO[bytes], complain: Callable[[BadLine], None]) -> Iterator[tuple[int, bytes]]:
    """The lines of a stream with their numbers, from 1."""
    number = 0
    while line := stream.readline(LONGEST):
        number += 1
        if line.endswith(b"\n") or len(line) < LONGEST:
            yield number, line.removeprefix(BYTE_ORDER_MARK).rstrip(b"\r\n")
        else:
            complain(BadLine(number, f"the line is longer than {LONGEST} bytes"))
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST)
