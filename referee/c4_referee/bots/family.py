"""The processes of one bot: the child of this process, its descendants, and orphans with its mark.

A process whose parent ends becomes a child of this process (``process_tree.adopt_orphans``). The
mark of its bot says to which bot it belongs. A mark is a pair of resource limits, which every
process inherits. A process may lower such a limit, but only root may raise it. Of the marks of two
bots, each has one limit that is higher than that of the other, so no bot can make a process that
has the mark of another bot. A bot can erase its own mark. Its orphans are then not counted and not
halted, but they are killed after the game (``process_tree.kill_children``).

On systems other than Linux, nothing is known of a bot but its child.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Set
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from c4_referee.bots import process_tree

FILE_LOCKS, REAL_TIME = 10, 15
"""Numbers of the limits RLIMIT_LOCKS and RLIMIT_RTTIME on Linux. The kernel has not used the first
one since Linux 2.4, and the second one is for processes with real-time priority."""
HIGHEST, MARKS = 1 << 40, 1 << 20
"""Highest value of a mark's limits, and number of different marks."""
CPU_CLOCK = 2
"""Low bits of the clock id for a process's processor time. The other bits hold its number."""
CHILDREN_TIMES = slice(16 - 3, 18 - 3)
"""Positions in /proc/PID/stat of the processor time of ended children, after the program's name."""
TICKS = os.sysconf("SC_CLK_TCK")
_numbers = count()


class Mark(NamedTuple):
    """Limits that mark the processes of a bot: RLIMIT_LOCKS and RLIMIT_RTTIME."""

    locks: int
    real_time: int

    @classmethod
    def new(cls) -> "Mark":
        """Return a mark that no other bot of this process has."""
        number = next(_numbers) % MARKS
        return cls(_highest(FILE_LOCKS) - MARKS + number, _highest(REAL_TIME) - number)

    def put_on_this_process(self) -> None:
        """Mark this process and all processes that it starts."""
        if sys.platform == "linux":
            for kind, limit in zip((FILE_LOCKS, REAL_TIME), self, strict=True):
                resource.setrlimit(kind, (limit, limit))

    def is_on(self, pid: int) -> bool:
        """Return whether a process has this mark."""
        if sys.platform != "linux":
            return False
        try:
            found = (resource.prlimit(pid, kind)[1] for kind in (FILE_LOCKS, REAL_TIME))
            return tuple(found) == self
        except OSError:  # it has ended, or belongs to another user
            return False


class Family:
    """Processes of the bot that this process has started as its child ``child``.

    ``mark`` is the mark of the bot, and ``others`` holds the children of this process that are
    other bots. If ``is_guarded``, the child and its child are those of bubblewrap, and the bot is
    the grandchild.
    """

    def __init__(self, child: int, mark: Mark, others: Set[int], *, is_guarded: bool) -> None:
        self._child = child
        self._mark = mark
        self._others = others
        self._is_guarded = is_guarded
        self._bot: int | None = None if is_guarded else child
        self._paused: set[int] = set()
        self._bot_seconds = 0.0
        self._relatives: set[int] = set()  # all except the bot and its guards
        self._relative_seconds = 0.0
        self._last_sum: float | None = None

    def find(self) -> set[int]:
        """Return the child and all its descendants, including those whose parents have ended.

        Orphans are searched last, because a process may become an orphan during the search.
        """
        family = {self._child} | process_tree.descendants_of(self._child)
        strangers = process_tree.children_of(os.getpid()) - self._others - family
        orphans = {pid for pid in strangers if self._mark.is_on(pid)}
        return family.union(orphans, *map(process_tree.descendants_of, orphans))

    def find_bot(self) -> int | None:
        """Return the number of the bot's process, or ``None`` before bubblewrap has started it."""
        if self._bot is None:
            self._bot = _first_grandchild(self._child)
        return self._bot

    def find_guards(self) -> set[int]:
        """Return the processes of bubblewrap: the child, and its child in the sandbox."""
        if not self._is_guarded:
            return set()
        return {self._child} | process_tree.children_of(self._child)

    def pause(self) -> None:
        """Halt all processes of the bot."""
        self._paused = process_tree.freeze(self.find)

    def resume(self) -> None:
        """Let all paused processes continue."""
        for pid in self._paused:
            process_tree.send_signal(pid, signal.SIGCONT)
        self._paused = set()

    def bot_seconds(self) -> float:
        """Return the processor time of the bot's own process in seconds.

        After the end of the bot, this is the last value that was read. It is 0 on systems other
        than Linux.
        """
        bot = self._bot or self.find_bot()
        if bot:
            try:  # noqa: SIM105 - suppress() takes longer than the rest of this method
                self._bot_seconds = time.clock_gettime((~bot << 3) | CPU_CLOCK)
            except OSError:
                pass
        return self._bot_seconds

    def cpu_seconds(self) -> float:
        """Return the processor time of all known processes of the bot in seconds.

        Only differences between two values have a meaning. This is called twice for each move, so
        it does not search for processes. ``look`` does.
        """
        if self._relatives:
            self._add_relatives(self._sum())
        else:
            self._last_sum = None
        return self.bot_seconds() + self._relative_seconds

    def look(self) -> tuple[set[int], float]:
        """Return all processes of the bot, and the value of ``cpu_seconds`` with all of them.

        The time that a process had used before it was found is not counted.
        """
        family, guards = self.find(), self.find_guards()
        relatives = family - guards - {self.find_bot()}
        if self._last_sum is not None:
            new = relatives - self._relatives
            self._last_sum += sum(_own_seconds(pid) + _children_seconds(pid) for pid in new)
        self._relatives = relatives
        self._add_relatives(self._sum(guards))
        return family, self.bot_seconds() + self._relative_seconds

    def _sum(self, guards: Set[int] = frozenset()) -> float:
        """Return the time of all relatives, and that of ended children of all processes.

        When a process ends, its time becomes that of an ended child of its parent.
        """
        parents = {*self._relatives, *(guards or self.find_guards()), self._bot or self._child}
        return sum(map(_own_seconds, self._relatives)) + sum(map(_children_seconds, parents))

    def _add_relatives(self, total: float) -> None:
        """Add what the relatives have used since the last sum."""
        if self._last_sum is not None:
            self._relative_seconds += max(0.0, total - self._last_sum)
        self._last_sum = total


def _highest(kind: int) -> int:
    """Return the highest value to which this process may set one of the limits of a mark."""
    if sys.platform != "linux":
        return HIGHEST
    hard = resource.getrlimit(kind)[1]
    return HIGHEST if hard == resource.RLIM_INFINITY else min(hard, HIGHEST)


def _own_seconds(pid: int) -> float:
    """Return the processor time of a process without its children; 0 if it has ended."""
    with suppress(OSError):
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    return 0.0


def _children_seconds(pid: int) -> float:
    """Return the processor time of the ended children of a process; 0 if it has ended."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - runs often
        times = file.read().rpartition(b")")[2].split()[CHILDREN_TIMES]
        return sum(map(int, times)) / TICKS
    return 0.0


def _first_grandchild(pid: int) -> int | None:
    """Return the lowest process number among the grandchildren of a process, if it has any."""
    grandchildren = set().union(*map(process_tree.children_of, process_tree.children_of(pid)))
    return min(grandchildren, default=None)
