"""Functions that find, signal and reap the descendants of this process.

On Linux, the kernel can kill a child when its parent ends. After ``adopt_orphans``, descendants
whose parents have ended become children of this process. Therefore no process escapes by leaving
its session. Other systems have no /proc. On these systems the functions find no process, so only
the process group of a bot is stopped.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Set
from contextlib import suppress

MAX_ENVIRONMENT_BYTES = 1 << 16
"""Maximum number of bytes of a process's environment that are searched for a mark."""
REAP_SECONDS = 1.0
"""Maximum time in seconds to wait until a killed process can be reaped. A process that another one
traces, as a debugger does (ptrace), cannot be reaped."""
POLL_SECONDS = 0.0002
"""Seconds between two checks whether killed processes have ended."""
SET_DEATH_SIGNAL, SET_DUMPABLE, SET_CHILD_SUBREAPER = 1, 4, 36
"""Options of prctl(2), from linux/prctl.h."""

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def adopt_orphans() -> None:
    """Make this process the parent of descendants whose parents end (prctl(2), Linux only)."""
    if _libc is not None:
        _libc.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends (Linux only).

    A child calls this before its program starts.
    """
    if _libc is not None:
        _libc.prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def hide_memory() -> None:
    """Hide this process's memory and descriptors from processes of the same user (Linux only).

    Processes of root still have access. Children are hidden only until their program starts.
    """
    if _libc is not None:
        _libc.prctl(SET_DUMPABLE, 0, 0, 0, 0)


def children_of(pid: int) -> set[int]:
    """Return the children of a process, or an empty set if the system has no /proc."""
    children: set[int] = set()
    tasks = f"/proc/{pid}/task"
    for thread in names_in(tasks):
        with suppress(OSError), open(f"{tasks}/{thread}/children", "rb") as file:  # noqa: PTH123
            children.update(map(int, file.read().split()))
    return children


def names_in(folder: str) -> list[str]:
    """Return the names in a folder such as /proc, or an empty list if it cannot be read."""
    try:
        return os.listdir(folder)  # noqa: PTH208 - this runs after every game
    except OSError:
        return []


def descendants_of(pid: int) -> set[int]:
    """Return the children of a process, their children, and so on."""
    descendants: set[int] = set()
    parents = {pid}
    while parents:
        parents = set().union(*map(children_of, parents)) - descendants
        descendants |= parents
    return descendants


def stat_fields(pid: int) -> list[bytes]:
    """Return the fields of /proc/PID/stat after the name of the program (proc(5)).

    Raises ``OSError`` if the process has ended and was reaped.
    """
    with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - this runs often
        return file.read().rpartition(b")")[2].split()


def wait_until(is_done: Callable[[], object], seconds: float, poll_seconds: float) -> None:
    """Wait until a function returns a true value, for at most ``seconds``."""
    until = time.monotonic() + seconds
    while not is_done() and time.monotonic() < until:
        time.sleep(poll_seconds)


def find_mark(pid: int, name: str) -> str | None:
    """Return the value of a variable in the environment with which a process was started.

    Return ``None`` if the variable is not there, or if the environment cannot be read.
    """
    start = f"{name}=".encode()
    with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - as above
        for entry in file.read(MAX_ENVIRONMENT_BYTES).split(b"\0"):
            if entry.startswith(start):
                return entry.removeprefix(start).decode(errors="replace")
    return None


def reap_orphans(keep: Set[int]) -> None:
    """Reap the children of this process that have ended, except those in ``keep``.

    This is necessary because a bot may leave many short-lived processes behind, and processes that
    are not reaped fill the process table.
    """
    for pid in children_of(os.getpid()) - keep:
        _reap_child(pid)


def kill_children(keep: Set[int] = frozenset()) -> None:
    """Kill and reap the children of this process, including adopted ones, except those in ``keep``.

    Repeats this until only the children in ``keep`` are left, for at most ``REAP_SECONDS`` after
    the last child has ended. Orphans of a bot are children of this process, so they are killed even
    if the bot itself is in ``keep``.
    """
    until = time.monotonic() + REAP_SECONDS
    while (children := children_of(os.getpid()) - keep) and time.monotonic() < until:
        for pid in children:
            send_signal(pid, signal.SIGKILL)
        if sum(map(_reap_child, children)):
            until = time.monotonic() + REAP_SECONDS
        else:
            time.sleep(POLL_SECONDS)


def _reap_child(pid: int) -> bool:
    """Reap a child if it has ended. Return whether it is gone."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def send_signal(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process, which may have ended or become another user's."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)


def freeze(find_family: Callable[[], set[int]]) -> set[int]:
    """Halt all processes that ``find_family`` returns, and return them.

    Calls ``find_family`` until it returns no new process.
    """
    frozen: set[int] = set()
    while moving := find_family() - frozen:
        for pid in moving:
            send_signal(pid, signal.SIGSTOP)
        frozen |= moving
    return frozen
