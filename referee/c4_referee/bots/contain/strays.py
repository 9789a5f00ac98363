"""End of processes of bots that neither their worker nor the kernel has ended.

A worker adopts and ends all processes that its bots start. If the worker itself is killed, the
kernel kills its bots, but not the processes that the bots have started. These processes are called
*strays*. They are found by a mark: a variable of the environment, which they inherit. The mark
names the referee by the number and the start time of its process, so a later process with the same
number is not confused with it.

- The commands adopt the strays of their own workers (``process_tree.adopt_orphans``) and end them.
- A library must not do this, because it would also adopt and end processes of the rest of the
  program. ``end_strays`` ends the processes that have the mark of this process but are no longer
  its descendants.
- If the referee is killed together with its workers, the strays continue to run. Every contest and
  every check begins with ``end_former_strays``, which ends processes whose referee has ended.

A process that has erased its mark is not found. Processes in another PID namespace are not found
under their numbers, so the mark also names the namespace of the referee. A sandbox is such a
namespace. A bot in it does not get the mark, but bubblewrap's processes have it. The bot cannot
change them, and the kernel ends all processes of a sandbox together with the first one.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache

from c4_referee.bots.contain import process_tree

MARK_VARIABLE = "C4_ARENA_REFEREE"
"""Name of the environment variable that marks the workers of a referee and their descendants."""
START_TIME_FIELD, STATE_FIELD = 22 - 3, 3 - 3
"""Positions of fields of /proc/PID/stat after the name of the program (proc(5))."""
_process_token = os.urandom(8).hex()


def prepare_command() -> None:
    """Adopt and mark the processes that bots of this process start, and end former strays.

    This is for a command. It changes the environment, and which processes are children of this
    process.
    """
    process_tree.adopt_orphans()
    end_former_strays()
    os.environ[MARK_VARIABLE] = _own_mark()


@contextmanager
def prepared_command() -> Iterator[None]:
    """Context manager for a command that starts bots. At its end, it kills all of them."""
    prepare_command()
    try:
        yield
    finally:
        process_tree.kill_children()


def marked_environment() -> dict[str, str]:
    """Return this process's environment with the mark."""
    return {**os.environ, MARK_VARIABLE: _own_mark()}


def inherited_mark() -> dict[str, str]:
    """Return the variable with the mark that this process has, or an empty ``dict`` without one."""
    return {MARK_VARIABLE: os.environ[MARK_VARIABLE]} if MARK_VARIABLE in os.environ else {}


def end_strays() -> None:
    """Kill processes that killed workers of this process left behind (Linux only).

    Bots of other matches in this process are not killed, because they are still its descendants.
    The marked processes are listed before the descendants, so that a process that is started
    between the two lists is not killed.
    """
    strays = _marked(_all_processes()) - process_tree.descendants_of(os.getpid())
    for pid in strays:
        process_tree.send_signal(pid, signal.SIGKILL)
    process_tree.wait_until(
        lambda: not _marked(strays), process_tree.REAP_SECONDS, process_tree.POLL_SECONDS
    )


def _marked(processes: Iterable[int]) -> set[int]:
    """Return those of the processes that have the mark of this process."""
    mark = _own_mark()
    return {pid for pid in processes if process_tree.find_mark(pid, MARK_VARIABLE) == mark}


def end_former_strays() -> None:
    """Kill this user's processes that are marked by a referee that has ended (Linux only).

    They are halted first, so that none of them starts another process while they are killed.
    """
    for pid in process_tree.freeze(_find_former_strays):
        process_tree.send_signal(pid, signal.SIGKILL)


def _find_former_strays() -> set[int]:
    """Return the processes of this user whose referee has ended."""
    has_ended = cache(_has_ended)
    marks = {pid: _find_own_users_mark(pid) for pid in _all_processes() if pid != os.getpid()}
    return {pid for pid, mark in marks.items() if mark is not None and has_ended(mark)}


def _find_own_users_mark(pid: int) -> str | None:
    """Return the mark of a process, or ``None`` if it has none or belongs to another user."""
    try:
        if os.stat(f"/proc/{pid}").st_uid != os.geteuid():  # noqa: PTH116 - this runs for all
            return None
    except OSError:
        return None
    return process_tree.find_mark(pid, MARK_VARIABLE)


def _own_mark() -> str:
    """Return the mark of this process: PID namespace, PID, start time, and a random number."""
    pid = os.getpid()
    return f"{_pid_namespace()}:{pid}:{_start_time(pid)}:{_process_token}"


def _has_ended(mark: str) -> bool:
    """Return whether a mark names a referee of this PID namespace that has ended.

    If this cannot be found out, return ``False``, because a live referee's bots must not be killed.
    """
    namespace, pid, start, *_ = (*mark.split(":"), "", "", "")
    if not pid.isdecimal() or namespace != _pid_namespace():
        return False
    try:
        return start != _start_time(int(pid))
    except OSError:
        return False


def _pid_namespace() -> str:
    """Return the number of this process's PID namespace, or "" if the system has none."""
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)  # noqa: PTH116 - as above
    except OSError:
        return ""


def _start_time(pid: int) -> str:
    """Return when a process was started, in clock ticks since the start of the system.

    Return "" if the process has ended, or if the system has no /proc. A zombie has ended, too.
    Raises ``OSError`` if this process cannot open another file.
    """
    try:
        fields = process_tree.stat_fields(pid)
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[STATE_FIELD] in b"ZX" else fields[START_TIME_FIELD].decode()


def _all_processes() -> list[int]:
    """Return the numbers of all processes, or an empty list if the system has no /proc."""
    return [int(name) for name in process_tree.names_in("/proc") if name.isdecimal()]
