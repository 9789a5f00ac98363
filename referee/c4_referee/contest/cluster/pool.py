"""The slots of one Dask worker process. A slot is added if all others are busy."""

from threading import Condition

from c4_referee.contest.play.jobs import Job, WorkerSettings
from c4_referee.contest.play.local_runner import WORKER_END_SECONDS, WorkerSlot


class SlotPool:
    """Pool of slots that play games with the same settings until the pool is closed.

    Several threads may use the pool. It plays any number of games at the same time. Slots stay open
    for later games, with the bots that need no restart.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._idle: list[WorkerSlot] = []
        self._busy: set[WorkerSlot] = set()
        self.is_closed = False
        """True if no other game can begin."""
        self._change = Condition()

    def play(self, job: Job) -> list[bytes] | None:
        """Play a game, and return its event lines, or ``None`` if the game is lost.

        A game is lost if its worker ended or could not be started, or if the pool is closed.
        """
        try:
            slot = self._start_game(job)
        except OSError:
            return None
        if slot is None:
            return None
        lines = slot.read_game()
        self._free_slot(slot, is_whole=lines is not None)
        return lines

    def close(self) -> None:
        """End all slots with their bots, even during games, and wait until they have ended."""
        with self._change:
            self.is_closed = True
            for slot in (*self._idle, *self._busy):
                slot.hang_up()
            while self._idle:
                self._idle.pop().end()
            self._change.wait_for(lambda: not self._busy, 2 * WORKER_END_SECONDS)

    def _start_game(self, job: Job) -> WorkerSlot | None:
        """Give the game to a slot, and return the slot, or ``None`` if the pool is closed.

        The pool cannot close during this call.
        """
        with self._change:
            if self.is_closed:
                return None
            slot = self._idle.pop() if self._idle else WorkerSlot(self._settings)
            self._busy.add(slot)
            slot.give(job)
            return slot

    def _free_slot(self, slot: WorkerSlot, is_whole: bool) -> None:
        """Free a slot for the next game, or end it if its game failed or the pool is closed."""
        with self._change:
            if is_whole and not self.is_closed:
                self._busy.discard(slot)
                self._idle.append(slot)
                return
        slot.end()
        with self._change:
            self._busy.discard(slot)
            self._change.notify_all()
