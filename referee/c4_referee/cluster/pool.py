"""The game slots of one Dask worker process: as many as games have been played there at once."""

from threading import Condition

from c4_referee.play.jobs import Job, WorkerSettings
from c4_referee.play.runner import WORKER_END_SECONDS, Slot


class GameLost(Exception):
    """A game came to nothing for a reason that is not the bots'; it may be played again."""


class Pool:
    """Plays games of the same settings, any number of them at once, until it is closed.

    May be used by many threads. Slots, and the bots in them that live on, are kept for later games.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._idle: list[Slot] = []
        self._busy: set[Slot] = set()
        self._is_closed = False
        self._change = Condition()

    def play(self, job: Job) -> list[bytes]:
        """The events of a game, as lines; raises ``GameLost`` or, for want of room, ``OSError``."""
        slot = self._start(job)
        lines = None
        try:
            lines = slot.read_game()
        finally:
            self._put_back(slot, is_whole=lines is not None)
        if lines is None:
            raise GameLost("a worker ended in the midst of a game")
        return lines

    def close(self) -> None:
        """Ends all slots with their bots, in the midst of games too; returns when they are gone."""
        with self._change:
            self._is_closed = True
            for slot in (*self._idle, *self._busy):
                slot.hang_up()
            while self._idle:
                self._idle.pop().end()
            self._change.wait_for(lambda: not self._busy, 2 * WORKER_END_SECONDS)

    def _start(self, job: Job) -> Slot:
        """A slot that has been given the game; under the lock, so that none is closed meanwhile."""
        with self._change:
            if self._is_closed:
                raise GameLost("the referee is gone")
            slot = self._idle.pop() if self._idle else Slot(self._settings)
            self._busy.add(slot)
            slot.give(job)
            return slot

    def _put_back(self, slot: Slot, is_whole: bool) -> None:
        """Keeps a slot for the next game, or ends it."""
        with self._change:
            if is_whole and not self._is_closed:
                self._busy.discard(slot)
                self._idle.append(slot)
                return
        slot.end()
        with self._change:
            self._busy.discard(slot)
            self._change.notify_all()
