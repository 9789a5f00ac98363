"""Finds, signals and reaps processes by their place in the system's tree of processes.

On Linux the kernel helps. A child can be made to die with the process that started it. After
``adopt_orphans``, descendants whose parents have ended become children of this process, so that
none escapes by leaving its session. On other systems there is no /proc to read: no process is found
there, and a bot is stopped with its process group alone.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Set
from contextlib import suppress

MAX_ENVIRONMENT_BYTES = 1 << 16
"""Maximum number of bytes of a process's environment that are searched for a mark."""
SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Options of prctl(2), from linux/prctl.h."""

_linux = ctypes.CDLL(None) if sys.platform == "linux" else None


def adopt_orphans() -> None:
    """Make this process the parent of descendants that lose theirs (prctl(2), Linux only)."""
    if _linux is not None:
        _linux.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Have this process killed when its parent ends (Linux only).

    To be called in a child, before its program starts.
    """
    if _linux is not None:
        _linux.prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def children_of(pid: int) -> set[int]:
    """Return the children of a process; an empty set where there is no /proc."""
    children: set[int] = set()
    tasks = f"/proc/{pid}/task"
    try:
        threads = os.listdir(tasks)  # noqa: PTH208 - this runs after every game
    except OSError:
        return children
    for thread in threads:
        with suppress(OSError), open(f"{tasks}/{thread}/children", "rb") as file:  # noqa: PTH123
            children.update(map(int, file.read().split()))
    return children


def descendants_of(pid: int) -> set[int]:
    """Return the children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = {pid}
    while waiting:
        children = set().union(*map(children_of, waiting)) - found
        found |= children
        waiting = children
    return found


def has_mark(pid: int, mark: bytes) -> bool:
    """Return whether a process was started with the entry ``mark`` in its environment.

    ``False`` if its environment cannot be read.
    """
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - as above
            return mark in file.read(MAX_ENVIRONMENT_BYTES).split(b"\0")
    except OSError:
        return False


def reap_orphans(keep: Set[int]) -> None:
    """Reap the children of this process that have ended, except those to ``keep``.

    A bot that orphans short-lived processes without end would fill the system's process table.
    """
    for pid in children_of(os.getpid()) - keep:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def kill_children(keep: Set[int] = frozenset()) -> None:
    """Kill and reap the children of this process, adopted ones too, except those to ``keep``.

    Repeats this until none is left. What a bot has orphaned is a child of this process: it is
    killed even if the bot itself is kept.
    """
    while children := children_of(os.getpid()) - keep:
        for pid in children:
            send_signal(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process, which may have ended already."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def freeze(find_family: Callable[[], set[int]]) -> set[int]:
    """Halt a family of processes, also those that they start meanwhile; return all of them."""
    frozen: set[int] = set()
    while moving := find_family() - frozen:
        for pid in moving:
            send_signal(pid, signal.SIGSTOP)
        frozen |= moving
    return frozen
