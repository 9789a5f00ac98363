"""The local runner, which plays a tournament's games in worker processes on this machine.

In: jobs from the ledger. Out: every event line of a worker. The ledger receives it when it arrives.

Each slot is one worker process (``play.worker``), which plays one game at a time. The runner waits
for all workers with one selector. While the ledger has a job and a slot is free, the slot gets the
job. Slots are opened only when they are needed. If a worker ends during a game, only this game is
affected. The game is rolled back, and a new slot with a new worker is opened when it is needed.

Guarantee: no worker is left when ``Runner.run`` ends, even by an exception or Ctrl-C.
"""

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
from c4_referee.play.jobs import PIPE_BYTES, Job, WorkerSettings
from c4_referee.play.ledger import Ledger

WORKER_END_SECONDS = 5.0
"""Maximum time that a worker has to stop its bots, in seconds. Then the worker is killed."""


class Slot:
    """Worker process and the number of its game. With ``cpu``, it runs only on that processor."""

    def __init__(self, settings: WorkerSettings, cpu: int | None = None) -> None:
        self.game: int | None = None
        self.cpu = cpu
        self._preface = settings.to_line()
        """The settings, until they have been sent with the first game."""
        self._buffer = LineBuffer()
        # -P: the worker comes from this installation, not from the current folder.
        self._worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "c4_referee.play.worker"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=marked_environment(),
            process_group=0,  # Ctrl-C goes to the referee, which ends its workers
            preexec_fn=partial(os.sched_setaffinity, 0, {cpu}) if cpu is not None else None,  # noqa: PLW1509
        )
        self._input = cast(IO[bytes], self._worker.stdin)
        self.output = cast(IO[bytes], self._worker.stdout)

    def give(self, job: Job) -> None:
        """Send a game to play. A worker that has ended is noticed when its output is read."""
        self.game = job.game
        lines, self._preface = self._preface + job.to_line(), b""
        with suppress(BrokenPipeError):
            self._input.write(lines)

    def read(self) -> list[bytes] | None:
        """Return the event lines that have arrived, or ``None`` if the worker has ended."""
        data = os.read(self.output.fileno(), PIPE_BYTES)
        if not data:
            return None
        self._buffer.feed(data)
        return [*iter(self._buffer.next_line, None)]

    def read_game(self) -> list[bytes] | None:
        """Return all event lines of the game, or ``None`` if the worker ends during the game."""
        lines: list[bytes] = []
        while (arrived := self.read()) is not None:
            lines += arrived
            if lines and orjson.loads(lines[-1])["event"] == "game_ended":
                return lines
        return None

    def hang_up(self) -> None:
        """Close the worker's input, so that the worker immediately stops its bots and ends."""
        self._input.close()

    def end(self) -> None:
        """Hang up and wait until the worker has ended. Kill it if this takes too long."""
        self.hang_up()
        try:
            self._worker.wait(WORKER_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._worker.kill()
            self._worker.wait()
        self.output.close()


class Runner:
    """Runner that plays up to ``slots`` games at the same time until the ledger has no more jobs.

    With ``cpus``, each slot and the bots of its games run on only one of these processors.
    """

    def __init__(
        self, ledger: Ledger, settings: WorkerSettings, slots: int, cpus: Sequence[int] = ()
    ) -> None:
        self._ledger = ledger
        self._settings = settings
        self._free = list(islice(cycle(cpus or [None]), slots))
        """Processors of the slots that are not open. ``None`` is any processor."""
        self._idle: list[Slot] = []

    def run(self) -> None:
        """Play all games. If a worker ends, its game is rolled back. No worker is left behind."""
        with selectors.DefaultSelector() as selector:
            try:
                self._start_games(selector)
                while len(selector.get_map()) > len(self._idle):
                    for key, _ in selector.select():
                        self._read_events(selector, key.data)
                    self._start_games(selector)
            finally:
                _end_all([key.data for key in selector.get_map().values()])

    def _start_games(self, selector: selectors.BaseSelector) -> None:
        """Give jobs to free slots until there are no more jobs or no more free slots."""
        while (self._idle or self._free) and (job := self._ledger.issue()):
            (self._idle.pop() if self._idle else self._open(selector)).give(job)

    def _open(self, selector: selectors.BaseSelector) -> Slot:
        slot = Slot(self._settings, self._free.pop(0))
        selector.register(slot.output, selectors.EVENT_READ, slot)
        return slot

    def _read_events(self, selector: selectors.BaseSelector, slot: Slot) -> None:
        """Give the events of a slot to the ledger."""
        lines = slot.read()
        if lines is None:
            self._remove(selector, slot)
            return
        for line in lines:
            event = orjson.loads(line)
            self._ledger.take(event, line)
            if event["event"] == "game_ended":
                slot.game = None
                self._idle.append(slot)

    def _remove(self, selector: selectors.BaseSelector, slot: Slot) -> None:
        """Remove a slot whose worker has ended, and roll back its game."""
        selector.unregister(slot.output)
        slot.end()
        self._free.append(slot.cpu)
        if slot.game is None:
            self._idle.remove(slot)
        else:
            self._ledger.roll_back(slot.game)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C for a while, so that cleaning up after a first Ctrl-C is not interrupted.

    In other threads than the main thread, this does nothing, because only the main thread can set
    signal handlers and only the main thread is interrupted. A handler that was not installed from
    Python (``None``) is not changed, because it could not be restored.
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
    """End all workers. All of them stop their bots at the same time."""
    with uninterrupted():
        for slot in slots:
            slot.hang_up()
        for slot in slots:
            slot.end()
