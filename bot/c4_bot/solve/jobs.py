"""Several processes that answer lines at the same time, in the order of the lines.

Threads would not do: an easy line takes as long in Python as in the core. Each process is a
``c4-solve`` of its own, so it has a table of its own. A thread of this process hands it the next
lines and waits for its replies. When this process ends for any reason, so do the others: the system
closes the pipes that they read.
"""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING, NoReturn, cast

if TYPE_CHECKING:
    from c4_bot.solve.replies import Replier

Reply = tuple[bytes, bytes, str]
"""A line of input, its answer, and a complaint for people. See ``Replier.reply``."""
PROGRAM = Path(__file__).parents[1] / "c4_solve.py"


def replies(
    arguments: Sequence[str],
    lines: Iterable[bytes],
    jobs: int,
    block: int,
    *,
    program: Path = PROGRAM,
) -> Iterator[Reply]:
    """Yield the reply to each line, in the order of the lines, as soon as it is known.

    ``jobs`` is the number of processes. Each runs ``program`` with these arguments, which calls
    ``answer_blocks``, and takes ``block`` lines at a time. If lines come one by one, and each must
    be answered when it comes, this must be 1. Raises ``OSError`` if a process ends too early.
    """
    started: list[_Job] = []
    try:
        started += (_Job([sys.executable, str(program), *arguments]) for _ in range(jobs))
        yield from _in_order(started, iter(lines), block)
    finally:
        for job in started:
            job.close()


class _Job:
    """A process that replies to blocks of lines."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)  # closed by close()
        self._questions, self._answers = (
            cast("IO[bytes]", end) for end in (self._process.stdin, self._process.stdout)
        )

    def close(self) -> None:
        """Close the input of the process, which then ends."""
        with suppress(OSError):
            self._questions.close()
        self._process.wait()
        self._answers.close()

    def reply(self, lines: list[bytes]) -> list[Reply]:
        """Return the replies to lines; raise ``OSError`` if the process has ended."""
        import orjson  # noqa: PLC0415 - a slow import

        with suppress(OSError):
            _send(self._questions, b"\n".join(lines))
        data = _received(self._answers)
        if data is None:
            raise OSError("a job has ended too early; is there enough memory?")
        both = orjson.loads(data)
        return [(line, text.encode(), why) for line, (text, why) in zip(lines, both, strict=True)]


def answer_blocks(replier: "Replier") -> NoReturn:
    """Reply to the blocks of lines in standard input. End the process with the input."""
    import orjson  # noqa: PLC0415 - a slow import

    blocks = SimpleQueue[bytes]()
    Thread(target=_read_blocks, args=(blocks,), daemon=True).start()
    with open(1, "wb", closefd=False) as answers:
        while True:
            replied = map(replier.reply, blocks.get().split(b"\n"))
            block = [(text.decode(), complaint) for text, complaint in replied]
            _send(answers, orjson.dumps(block))


def _read_blocks(blocks: SimpleQueue[bytes]) -> None:
    with open(0, "rb", closefd=False) as questions:
        while (data := _received(questions)) is not None:
            blocks.put(data)
    os._exit(0)


def _send(stream: IO[bytes], data: bytes) -> None:
    stream.write(b"%d\n%b" % (len(data), data))
    stream.flush()


def _received(stream: IO[bytes]) -> bytes | None:
    """Return what was sent, or ``None`` if the other process has ended."""
    size = stream.readline()
    return stream.read(int(size)) if size else None


def _in_order(jobs: list[_Job], lines: Iterator[bytes], block: int) -> Iterator[Reply]:
    """Let a thread hand the next lines to each job; yield the replies in order."""
    turn, started = Lock(), SimpleQueue[Future[list[Reply]]]()

    def work(job: _Job) -> None:
        future: Future[list[Reply]] = Future()
        try:
            while True:
                future = Future()
                with turn:
                    started.put(future)
                    some = list(islice(lines, block))
                future.set_result(job.reply(some) if some else [])
                if not some:
                    return
        except BaseException as error:
            future.set_exception(error)

    for job in jobs:
        Thread(target=work, args=(job,), daemon=True).start()
    while some := started.get().result():  # the first empty list follows the last line
        yield from some
