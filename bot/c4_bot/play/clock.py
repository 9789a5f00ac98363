"""The time at which an answer has to be ready, from the limits of the referee and the user.

A process does not always run when it could: other processes also get their turns. A bot that is
late for this reason loses as if it had searched too long. So a ``Reserve`` measures the delays of
its own process, and keeps as much of every budget as these delays need.
"""

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from c4_protocol.records.messages import Precept
from c4_protocol.rules.position import Position

RESERVED_MS = 2.0
RESERVED_SHARE = 0.05
"""Parts of every budget that are always kept: ``RESERVED_MS`` milliseconds to read the question and
to write the answer, and the fraction ``RESERVED_SHARE`` of the budget for delays that were never
seen."""
CELLS_PER_MS = 250
"""Number of cells of the board for which one more millisecond is kept: on larger boards, a search
looks at the clock less often, and it takes longer to write its answer."""
MIN_SEARCH_MS = 1.0
"""Time of a search if the reserve leaves less, in milliseconds, unless the budget is shorter. A
process that has just begun to run is rarely interrupted in this time."""
DELAY_DECAY = 0.98
"""Factor by which a delay counts less after each answer. A delay is halved in 34 answers."""
BUSY_DELAY_MS = 3.0
"""Delay in milliseconds that shows that other processes want the same processors. It is about the
shortest time for which Linux lets a process run before it runs another one."""
MAX_MOVES_AHEAD = 20
"""Maximum number of moves among which the remaining time of a game clock is divided."""


class Waits(NamedTuple):
    """Time for which a thread was ready to run but did not run, and how often it began to run."""

    seconds: float
    turns: int

    def since(self, earlier: "Waits") -> "Waits":
        """Return the difference to an earlier measurement."""
        return Waits(self.seconds - earlier.seconds, self.turns - earlier.turns)


class Scheduler:
    """Measurement of the waits of the thread that makes this object.

    Linux counts them in ``/proc/thread-self/schedstat``. Elsewhere none are seen.
    """

    def __init__(self) -> None:
        self._file: int | None = None
        if sys.platform == "linux":
            with suppress(OSError):
                self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)

    def __del__(self) -> None:
        if self._file is not None:
            os.close(self._file)

    def __reduce__(self) -> tuple[type["Scheduler"], tuple[()]]:
        """Let a copy open the file itself. Otherwise both would close the same descriptor."""
        return Scheduler, ()

    def waits(self) -> Waits:
        """Return the waits since the thread was started. This takes about a microsecond."""
        if self._file is None:
            return Waits(0.0, 0)
        _, waited, turns = os.pread(self._file, 100, 0).split()
        return Waits(int(waited) / 1e9, int(turns))


@dataclass
class Reserve:
    """The part of a budget that is not used, learned from the delays of one's own answers.

    ``before_read`` is called before a line is read, ``line_arrived`` when it was read, and
    ``answered`` when its answer is ready.

    ``scheduler`` measures the waits of this thread. ``delay_ms`` is the delay that is expected.
    """

    scheduler: Scheduler = field(default_factory=Scheduler)
    delay_ms: float = 0.0

    def __post_init__(self) -> None:
        self._reading: Waits | None = None
        self._last = Waits(0.0, 0)
        self.answered(None)  # the start of the process is the first measurement

    @property
    def is_busy(self) -> bool:
        """True if other processes want the same processors."""
        return self.delay_ms > BUSY_DELAY_MS

    def before_read(self) -> None:
        """Remember what was waited for before a line is read."""
        self._reading = self.scheduler.waits()

    def line_arrived(self) -> float:
        """Return the time at which the line arrived that was just read.

        The line had arrived before this thread began to run. The time is in seconds of
        ``time.monotonic()``.
        """
        now = time.monotonic()
        if self._reading is None:
            return now
        waited = self.scheduler.waits().since(self._reading).seconds
        self._reading = None
        return now - waited

    def usable_ms(self, budget: float, cells: int) -> float:
        """Return the milliseconds of a budget that a search may use on a board of ``cells``."""
        left = budget - RESERVED_MS - RESERVED_SHARE * budget - cells / CELLS_PER_MS - self.delay_ms
        return max(left, min(MIN_SEARCH_MS, budget - RESERVED_MS), 0.0)

    def answered(self, deadline: float | None) -> None:
        """Update ``delay_ms`` when an answer is ready. ``deadline`` is when its search had to stop.

        The expected delay is the longest one seen: how late the answer is, or twice the mean wait
        for a turn. The older a delay is, the less it counts.
        """
        waits = self.scheduler.waits()
        new, self._last = waits.since(self._last), waits
        late = 0.0 if deadline is None else time.monotonic() - deadline
        waited = 2 * new.seconds / max(new.turns, 1)
        self.delay_ms = max(DELAY_DECAY * self.delay_ms, 1000 * late, 1000 * waited)

    def deadline(
        self, precept: Precept, position: Position, arrived: float, user_ms: float | None
    ) -> float | None:
        """Return the time at which the search has to stop; ``None`` if there is no limit.

        ``arrived`` is the time at which the precept arrived. Both times are in seconds of
        ``time.monotonic()``. ``user_ms`` is the user's limit for a move, in milliseconds. The
        shortest limit applies.
        """
        budget = budget_ms(precept, position, user_ms)
        if budget is None:
            return None
        return arrived + self.usable_ms(budget, position.variant.cells) / 1000


def budget_ms(precept: Precept, position: Position, user_ms: float | None) -> float | None:
    """Return the time for a move in milliseconds, the shortest limit; ``None`` for no limit."""
    budgets = [user_ms, precept.time_ms]
    if (clock := precept.clock) is not None:
        own_moves = max(1, (position.variant.cells - position.ply + 1) // 2)
        share = clock.remaining_ms / min(own_moves, MAX_MOVES_AHEAD) + clock.increment_ms
        budgets.append(min(share, clock.remaining_ms))
    return min((budget for budget in budgets if budget is not None), default=None)
