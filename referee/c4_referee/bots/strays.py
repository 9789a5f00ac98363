"""End of processes that killed workers leave behind, if the referee is a library in a program.

A worker adopts and ends all processes that its bots start. If the worker itself is killed, the
kernel kills its bots, but not the processes that the bots have started. The commands adopt these
processes (``process_tree.adopt_orphans``) and end them. A library must not do this, because it
would also adopt and end processes of the rest of the program. Therefore workers inherit a mark. A
process that has the mark but is no longer a descendant of this process is ended.
"""

import os
import signal

from c4_referee.bots.process_tree import descendants_of, has_mark, send_signal

NAME = "C4_ARENA_REFEREE"
"""Name of the environment variable that marks the workers of this process and their descendants."""
_token = os.urandom(8).hex()


def marked_environment() -> dict[str, str]:
    """Return this process's environment with the mark."""
    return {**os.environ, NAME: _token}


def end_strays() -> None:
    """Kill processes that killed workers of this process left behind (Linux only).

    Bots of other matches in this process are not killed, because they are still its descendants.
    The marked processes are listed before the descendants, so that a process that is started
    between the two lists is not killed.
    """
    mark = f"{NAME}={_token}".encode()
    marked = {pid for pid in _all_processes() if has_mark(pid, mark)}
    for pid in marked - descendants_of(os.getpid()):
        send_signal(pid, signal.SIGKILL)


def _all_processes() -> list[int]:
    """Return the numbers of all processes, or an empty list if the system has no /proc."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208
    except OSError:
        return []
