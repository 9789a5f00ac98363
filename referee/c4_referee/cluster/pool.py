"""The slots of one Dask worker process. A slot is added when all others are busy."""

from threading import Condition

from c4_referee.play.jobs import Job, WorkerSettings
from c4_referee.play.runner import WORKER_END_SECONDS, Slot


class GameLost(Exception):
    """A game failed, but not because of its bots; it may be played again."""


class SlotPool:
    """Plays games with the same settings, any number of them at once, until it is closed.

    Several threads may use it. Slots are kept for later games, with the bots that need no restart.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._idle: list[Slot] = []
        self._busy: set[Slot] = set()
        self._is_closed = False
        self._change = Condition()

    def play(self, job: Job) -> list[bytes]:
        """Return the event lines of a game.

        Raises ``GameLost``, or ``OSError`` if the machine cannot start a worker.
        """
        slot = self._start(job)
        lines = None
        try:
            lines = slot.read_game()
        finally:
            self._put_back(slot, is_whole=lines is not None)
        if lines is None:
            raise GameLost("a worker ended in the middle of a game")
        return lines

    def close(self) -> None:
        """End all slots with their bots, even in the middle of games, and wait for their end."""
        with self._change:
            self._is_closed = True
            for slot in (*self._idle, *self._busy):
                slot.hang_up()
            while self._idle:
                self._idle.pop().end()
            self._change.wait_for(lambda: not self._busy, 2 * WORKER_END_SECONDS)

    def _start(self, job: Job) -> Slot:
        """Give the game to a slot and return the slot; the pool cannot close meanwhile."""
        with self._change:
            if self._is_closed:
                raise GameLost("the referee is gone")
            slot = self._idle.pop() if self._idle else Slot(self._settings)
            self._busy.add(slot)
            slot.give(job)
            return slot

    def _put_back(self, slot: Slot, is_whole: bool) -> None:
        """Keep a slot for the next game, or end it."""
        with self._change:
            if is_whole and not self._is_closed:
                self._busy.discard(slot)
                self._idle.append(slot)
                return
        slot.end()
        with self._change:
            self._busy.discard(slot)
            self._change.notify_all()
