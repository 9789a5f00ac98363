"""Several processes that answer lines at the same time, in the order of the lines.

Threads would not do: an easy line takes as long in Python as in the core. Each process is a copy
of this one, so it has the solver, but a table of its own. A thread of this process hands it the
next lines and waits for its replies. When this process ends for any reason, so do its copies: the
system closes the pipe that they watch.
"""

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from itertools import islice
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from c4_bot.solve.replies import Replier

Reply = tuple[bytes, bytes, str]
"""A line of input, its answer, and a complaint for people. See ``Replier.reply``."""


def replies(replier: "Replier", lines: Iterable[bytes], jobs: int, block: int) -> Iterator[Reply]:
    """Yield the reply to each line, in the order of the lines, as soon as it is known.

    ``jobs`` is the number of processes. Each process takes ``block`` lines at a time. If lines come
    one by one, and each must be answered when it comes, this must be 1. Raises ``OSError`` if a
    process ends too early.
    """
    ours, theirs = os.pipe()
    started: list[_Job] = []
    try:
        started += (_Job(replier, ours, theirs) for _ in range(jobs))
        yield from _in_order(started, iter(lines), block)
    finally:
        os.close(theirs)
        for job in started:
            os.waitpid(job.process, 0)
            job.close()
        os.close(ours)


class _Job:
    """A process that replies to blocks of lines. It ends when nobody can write to ``life``."""

    def __init__(self, replier: "Replier", life: int, kept_open: int) -> None:
        questions, answers = os.pipe(), os.pipe()
        self.process = os.fork()
        if self.process == 0:
            try:
                os.close(kept_open)
                Thread(target=_end_with, args=(life,), daemon=True).start()
                _answer_all(replier, os.fdopen(questions[0], "rb"), os.fdopen(answers[1], "wb"))
            finally:
                os._exit(1)
        os.close(questions[0])
        os.close(answers[1])
        self._questions, self._answers = os.fdopen(questions[1], "wb"), os.fdopen(answers[0], "rb")

    def close(self) -> None:
        """Close the pipes to the process, which has ended."""
        self._answers.close()
        with suppress(BrokenPipeError):
            self._questions.close()

    def reply(self, lines: list[bytes]) -> list[Reply]:
        """Return the replies to lines; raise ``OSError`` if the process has ended."""
        import orjson  # noqa: PLC0415 - a slow import

        with suppress(BrokenPipeError):
            _send(self._questions, b"\n".join(lines))
        data = _received(self._answers)
        if data is None:
            raise OSError("a job has ended too early; is there enough memory?")
        both = orjson.loads(data)
        return [(line, text.encode(), why) for line, (text, why) in zip(lines, both, strict=True)]


def _end_with(life: int) -> None:
    os.read(life, 1)
    os._exit(0)


def _answer_all(replier: "Replier", questions: BinaryIO, answers: BinaryIO) -> None:
    import orjson  # noqa: PLC0415 - a slow import

    while (data := _received(questions)) is not None:
        replied = map(replier.reply, data.split(b"\n"))
        _send(answers, orjson.dumps([(text.decode(), complaint) for text, complaint in replied]))


def _send(stream: BinaryIO, data: bytes) -> None:
    stream.write(b"%d\n%b" % (len(data), data))
    stream.flush()


def _received(stream: BinaryIO) -> bytes | None:
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
