"""Processes that a lost worker leaves behind when the referee is a library in another program.

A worker adopts and ends everything that its bots start. If the worker itself is killed, the kernel
kills its bots, but not what they had started. The commands adopt these processes as their own
children (``process.adopt_orphans``) and end them. A library may not do that: it would adopt and
end processes that belong to the rest of the program. So workers inherit a mark, and whatever bears
it without being below this process any more is ended.
"""

import os
import signal

from c4_referee.bots.process import bears_mark, descendants_of, send

NAME = "C4_ARENA_REFEREE"
"""The environment variable that marks all processes that this one has started through workers."""
_token = os.urandom(8).hex()


def marked_environment() -> dict[str, str]:
    """Return this process's environment with the mark."""
    return {**os.environ, NAME: _token}


def end_strays() -> None:
    """Kill processes that lost workers of this process left behind (Linux only).

    Bots of other matches in this process are not touched: they are still below it. The marked
    processes are listed first, so that one that is started meanwhile is not mistaken.
    """
    mark = f"{NAME}={_token}".encode()
    marked = {pid for pid in _processes() if bears_mark(pid, mark)}
    for pid in marked - descendants_of(os.getpid()):
        send(pid, signal.SIGKILL)


def _processes() -> list[int]:
    """All processes; none where there is no /proc."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]  # noqa: PTH208
    except OSError:
        return []
