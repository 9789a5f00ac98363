"""Plays a tournament's games in worker processes of this machine, one for each game slot."""

import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, cast

import orjson

from protocol.codec import LineBuffer
from protocol.records import game_ended
from referee.schedule import Pairing
from referee.tournament import Tournament
from referee.worker import Job

CHUNK = 1 << 16
ENDING_SECONDS = 5.0
"""How long a worker may take to stop its bots."""

EventHandler = Callable[[dict[str, Any], bytes], None]
"""Is given each event as a dictionary and as the line it came in."""


class Slot:
    """A worker process and the game it has been given."""

    def __init__(self) -> None:
        self.game: int | None = None
        self._buffer = LineBuffer()
        # -P: the worker is the one of this installation, whatever folder we stand in.
        self._worker = subprocess.Popen(
            [sys.executable, "-P", "-m", "referee.worker"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,  # Ctrl-C is for the referee, which ends its workers
        )
        self._input = cast(IO[bytes], self._worker.stdin)
        self.output = cast(IO[bytes], self._worker.stdout)

    def give(self, job: Job) -> None:
        """Sends a game to play; a worker that is gone is noticed at its output."""
        self.game = job.game
        with suppress(BrokenPipeError):
            self._input.write(job.to_line())

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
    """Keeps ``slots`` games going at once until the tournament has no more to issue."""

    def __init__(
        self, tournament: Tournament, job_of: Callable[[Pairing], Job], slots: int
    ) -> None:
        self._tournament = tournament
        self._job_of = job_of
        self._slots = min(slots, tournament.scheduled)

    def run(self, handle: EventHandler) -> None:
        """Plays all games, giving every event to ``handle`` as it comes.

        Games of workers that die are rolled back. Whatever ends this, no worker is left.
        """
        with selectors.DefaultSelector() as selector:
            try:
                for _ in range(self._slots):
                    self._open(selector)
                while selector.get_map():
                    for key, _ in selector.select():
                        self._serve(selector, key.data, handle)
            finally:
                _end_all([key.data for key in selector.get_map().values()])

    def _open(self, selector: selectors.BaseSelector) -> None:
        """A new worker for the next game, if there is one."""
        pairing = self._tournament.issue()
        if pairing is not None:
            slot = Slot()
            selector.register(slot.output, selectors.EVENT_READ, slot)
            slot.give(self._job_of(pairing))

    def _serve(self, selector: selectors.BaseSelector, slot: Slot, handle: EventHandler) -> None:
        lines = slot.read()
        if lines is None:
            self._lost(selector, slot)
            return
        for line in lines:
            event = orjson.loads(line)
            handle(event, line)
            if event["event"] == "game_ended":
                self._next_game(slot, event)

    def _next_game(self, slot: Slot, event: dict[str, Any]) -> None:
        self._tournament.fix(game_ended(event))
        slot.game = None
        pairing = self._tournament.issue()
        if pairing is None:
            slot.hang_up()
        else:
            slot.give(self._job_of(pairing))

    def _lost(self, selector: selectors.BaseSelector, slot: Slot) -> None:
        """A worker has ended: as it was asked to, or in the midst of a game."""
        selector.unregister(slot.output)
        slot.end()
        if slot.game is not None:
            self._tournament.roll_back(slot.game)
            self._open(selector)


def _end_all(slots: Sequence[Slot]) -> None:
    """Ends workers at the same time; a second Ctrl-C has to wait."""
    on_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for slot in slots:
            slot.hang_up()
        for slot in slots:
            slot.end()
    finally:
        signal.signal(signal.SIGINT, on_interrupt)
