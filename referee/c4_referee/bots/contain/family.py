"""The processes of one bot: the child of this process, its descendants, and orphans with its mark.

A process whose parent ends becomes a child of this process (``process_tree.adopt_orphans``). The
mark of its bot says to which bot it belongs. A mark is a pair of resource limits, which every
process inherits. A process may lower these limits, but only root may raise them. If two marks are
compared, each has one limit that is higher than in the other mark. So no bot can make a process
that has the mark of another bot. A bot can erase its own mark. Its orphans are then not counted and
not halted, but they are killed after the game (``process_tree.kill_children``).

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

from c4_referee.bots.contain import process_tree
from c4_referee.bots.contain.limits import allowed_limit

MARKING_LIMITS = FILE_LOCKS_LIMIT, REAL_TIME_LIMIT = 10, 15
"""Numbers of the limits RLIMIT_LOCKS and RLIMIT_RTTIME on Linux. The kernel has not used the first
one since Linux 2.4, and the second one is for processes with real-time priority."""
HIGHEST_LIMIT, NUMBER_OF_MARKS = 1 << 40, 1 << 20
"""Highest value of a mark's limits, and maximum number of different marks."""
CPU_CLOCK = 2
"""Low bits of the clock id for a process's processor time. The other bits hold its number."""
TIMES_OF_CHILDREN = slice(16 - 3, 18 - 3)
"""Positions in /proc/PID/stat of the processor time of ended children, after the program's name."""
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
ROUNDING_SECONDS = 2 / TICKS_PER_SECOND
"""Maximum error of the time of ended children. It is the sum of two numbers of clock ticks."""
_mark_numbers = count()


class Mark(NamedTuple):
    """Limits that mark the processes of a bot: RLIMIT_LOCKS and RLIMIT_RTTIME."""

    locks: int
    real_time: int

    @classmethod
    def new(cls) -> "Mark":
        """Return a mark that no other bot of this process has."""
        locks = real_time = HIGHEST_LIMIT
        if sys.platform == "linux":
            locks, real_time = (allowed_limit(kind, HIGHEST_LIMIT) for kind in MARKING_LIMITS)
        marks = min(NUMBER_OF_MARKS, locks, real_time) or 1
        number = next(_mark_numbers) % marks
        return cls(max(0, locks - marks + number), max(0, real_time - number))

    def put_on_this_process(self) -> None:
        """Mark this process and all processes that it starts."""
        if sys.platform == "linux":
            for kind, limit in zip(MARKING_LIMITS, self, strict=True):
                resource.setrlimit(kind, (limit, limit))

    def is_on(self, pid: int) -> bool:
        """Return whether a process has this mark (Linux only)."""
        try:
            return tuple(resource.prlimit(pid, kind)[1] for kind in MARKING_LIMITS) == self
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
        self._clocks: dict[int, float] = {}  # of all except the bot and its guards
        self._children_seconds: float | None = None  # of ended children, at the last look
        self._relative_seconds = 0.0

    def find_processes(self) -> set[int]:
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
            guards = process_tree.children_of(self._child)
            grandchildren = set().union(*map(process_tree.children_of, guards))
            self._bot = min(grandchildren, default=None)
        return self._bot

    def find_guards(self) -> set[int]:
        """Return the processes of bubblewrap: the child, and its child in the sandbox."""
        if not self._is_guarded:
            return set()
        return {self._child} | process_tree.children_of(self._child)

    def pause(self) -> None:
        """Halt all processes of the bot."""
        self._paused |= process_tree.freeze(self.find_processes)

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
        it does not search for processes. ``find_and_measure`` does.
        """
        self._children_seconds = None
        if self._clocks:
            self._read_clocks()
        return self.bot_seconds() + self._relative_seconds

    def find_and_measure(self, *, is_waiting: bool) -> tuple[set[int], float]:
        """Return all processes of the bot, and the value of ``cpu_seconds`` with all of them.

        If the bot is waiting for a question, the time that a process had used before it was found
        is not counted, because it may have used this time before the bot's last answer.
        """
        family, guards = self.find_processes(), self.find_guards()
        relatives = family - guards - {self.find_bot()}
        ended = sum(self._clocks.pop(pid) for pid in self._clocks.keys() - relatives)
        self._read_clocks()
        for pid in relatives - self._clocks.keys():
            self._clocks[pid] = _own_seconds(pid) if is_waiting else 0.0
        self._read_clocks()
        self._add_time_of_ended_children(family, ended)
        return family, self.bot_seconds() + self._relative_seconds

    def _read_clocks(self) -> None:
        """Add what the relatives have used since the clocks were read."""
        for pid, before in self._clocks.items():
            now = max(before, _own_seconds(pid))
            self._relative_seconds += now - before
            self._clocks[pid] = now

    def _add_time_of_ended_children(self, family: Set[int], counted: float) -> None:
        """Add the time of children that have ended between two looks in one turn.

        ``counted`` is the part of this time that was counted while they ran. The kernel rounds the
        times of ended children. What may be rounding counts at a later look in the turn, if the
        time grows further.
        """
        seconds = sum(map(_seconds_of_ended_children, family))
        before = seconds if self._children_seconds is None else self._children_seconds
        grown = max(0.0, seconds - before - counted - ROUNDING_SECONDS)
        self._relative_seconds += grown
        self._children_seconds = min(seconds, before + counted + grown)


def _own_seconds(pid: int) -> float:
    """Return the processor time of a process without its children; 0 if it has ended."""
    with suppress(OSError):
        return time.clock_gettime((~pid << 3) | CPU_CLOCK)
    return 0.0


def _seconds_of_ended_children(pid: int) -> float:
    """Return the processor time of the ended children of a process; 0 if it has ended."""
    with suppress(OSError):
        return sum(map(int, process_tree.stat_fields(pid)[TIMES_OF_CHILDREN])) / TICKS_PER_SECOND
    return 0.0
