"""Plays a tournament's games in worker processes of this machine, one for each game slot."""

import os
import selectors
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import cycle, islice
from typing import IO, cast

import orjson
from c4_protocol.codec import LineBuffer

from c4_referee.bots.strays import marked_environment
from c4_referee.play.jobs import Job, Settings
from c4_referee.play.ledger import Books

CHUNK = 1 << 16
ENDING_SECONDS = 5.0
"""How long a worker may take to stop its bots."""


class Slot:
    """A worker process and the game it has been given; with ``cpu``, both kept on that one."""

    def __init__(self, settings: Settings, cpu: int | None = None) -> None:
        self.game: int | None = None
        self.cpu = cpu
        self._preface = settings.to_line()
        """What the worker is told with its first game."""
        self._buffer = LineBuffer()
        # -P: the worker is the one of this installation, whatever folder we stand in.
        self._worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "c4_referee.play.worker"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=marked_environment(),
            process_group=0,  # Ctrl-C is for the referee, which ends its workers
            preexec_fn=partial(os.sched_setaffinity, 0, {cpu}) if cpu is not None else None,  # noqa: PLW1509
        )
        self._input = cast(IO[bytes], self._worker.stdin)
        self.output = cast(IO[bytes], self._worker.stdout)

    def give(self, job: Job) -> None:
        """Sends a game to play; a worker that is gone is noticed at its output."""
        self.game = job.game
        lines, self._preface = self._preface + job.to_line(), b""
        with suppress(BrokenPipeError):
            self._input.write(lines)

    def read(self) -> list[bytes] | None:
        """The events that have arrived, as lines; ``None`` if the worker is gone."""
        data = os.read(self.output.fileno(), CHUNK)
        if not data:
            return None
        self._buffer.feed(data)
        lines = []
        while (line := self._buffer.next_line()) is not None:
            lines.append(line)
        return lines

    def read_game(self) -> list[bytes] | None:
        """All events of the game that it has been given; ``None`` if the worker is gone first."""
        lines: list[bytes] = []
        while (arrived := self.read()) is not None:
            lines += arrived
            if lines and orjson.loads(lines[-1])["event"] == "game_ended":
                return lines
        return None

    def hang_up(self) -> None:
        """The worker will end, and its bots with it, at once."""
        self._input.close()

    def end(self) -> None:
        """Waits for the worker to end, and makes it."""
        self.hang_up()
        try:
            self._worker.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()
        self.output.close()


class Runner:
    """Keeps ``slots`` games going at once until the books have no more to issue.

    With ``cpus``, each slot and the bots of its games are kept on one of these.
    """

    def __init__(
        self,
        books: Books,
        settings: Settings,
        slots: int,
        cpus: Sequence[int] = (),
    ) -> None:
        self._books = books
        self._settings = settings
        self._free = list(islice(cycle(cpus or [None]), slots))
        """The processors of slots that are not open."""
        self._idle: list[Slot] = []

    def run(self) -> None:
        """Plays all games, giving every event to the books as it comes.

        Games of workers that die are rolled back. Whatever ends this, no worker is left.
        """
        with selectors.DefaultSelector() as selector:
            try:
                self._give_out(selector)
                while len(selector.get_map()) > len(self._idle):
                    for key, _ in selector.select():
                        self._serve(selector, key.data)
                    self._give_out(selector)
            finally:
                _end_all([key.data for key in selector.get_map().values()])

    def _give_out(self, selector: selectors.BaseSelector) -> None:
        """Gives games to slots as long as there are both."""
        while (self._idle or self._free) and (job := self._books.issue()):
            (self._idle.pop() if self._idle else self._open(selector)).give(job)

    def _open(self, selector: selectors.BaseSelector) -> Slot:
        slot = Slot(self._settings, self._free.pop(0))
        selector.register(slot.output, selectors.EVENT_READ, slot)
        return slot

    def _serve(self, selector: selectors.BaseSelector, slot: Slot) -> None:
        lines = slot.read()
        if lines is None:
            self._lost(selector, slot)
            return
        for line in lines:
            event = orjson.loads(line)
            self._books.take(event, line)
            if event["event"] == "game_ended":
                slot.game = None
                self._idle.append(slot)

    def _lost(self, selector: selectors.BaseSelector, slot: Slot) -> None:
        """A worker has ended."""
        selector.unregister(slot.output)
        slot.end()
        self._free.append(slot.cpu)
        if slot.game is None:
            self._idle.remove(slot)
        else:
            self._books.roll_back(slot.game)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Make a second Ctrl-C wait until the workers that the first one stopped have ended.

    Only the main thread may change how a signal is handled, and only it is interrupted by one. A
    handler that was not installed from Python (``None``) could not be put back.
    """
    on_interrupt = signal.getsignal(signal.SIGINT)
    if on_interrupt is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, on_interrupt)


def _end_all(slots: Sequence[Slot]) -> None:
    """Ends workers at the same time."""
    with uninterrupted():
        for slot in slots:
            slot.hang_up()
        for slot in slots:
            slot.end()
