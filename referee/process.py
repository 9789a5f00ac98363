"""One child process: started in a session of its own, stopped with everything it started.

On Linux the kernel helps: a child dies with the process that started it, and where
``adopt_orphans`` was called, descendants whose parents have ended become our own children, so
that none can slip away by leaving the session. Elsewhere a bot is stopped with its process group.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, ClassVar, cast

CLOSING_SECONDS = 0.5
"""How long a bot may take to end after its input is closed, and again after SIGTERM."""
SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Options of prctl(2), from linux/prctl.h."""

_linux = ctypes.CDLL(None) if sys.platform == "linux" else None


def adopt_orphans() -> None:
    """Makes this process the parent of descendants that lose theirs (prctl(2), Linux only)."""
    if _linux is not None:
        _linux.prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent() -> None:
    """In a child before its program starts: it is killed when its parent ends (Linux only)."""
    if _linux is not None:
        _linux.prctl(SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def children_of(pid: int) -> set[int]:
    """The children of a process; none where there is no /proc that tells."""
    children: set[int] = set()
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            children.update(map(int, path.read_text(encoding="ascii").split()))
    return children


def descendants_of(pid: int) -> set[int]:
    """The children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = {pid}
    while waiting:
        children = set().union(*map(children_of, waiting)) - found
        found |= children
        waiting = children
    return found


def kill_children() -> None:
    """Kills and reaps every child of this process, adopted ones too, until there is none."""
    while children := children_of(os.getpid()):
        for pid in children:
            kill(pid)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def kill(pid: int) -> None:
    """Kills a process that may be gone already."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


class BotProcess:
    """A running bot with three pipes; a context manager that always reaps it.

    Raises ``OSError`` where the command cannot be started.
    """

    running: ClassVar[set[int]] = set()
    """The processes of this class that have not been stopped."""

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._child = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=env,
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - workers have no threads
        )
        self.running.add(self._child.pid)
        self._pipes = [
            cast(IO[bytes], pipe)
            for pipe in (self._child.stdin, self._child.stdout, self._child.stderr)
        ]
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait(self, seconds: float) -> int | None:
        """The exit code, negative for a signal; ``None`` if it still runs after that time."""
        try:
            return self._child.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close_input(self) -> None:
        """Tells the bot that nothing more will be asked."""
        self._pipes[0].close()

    def stop(self) -> None:
        """Closes its input, then ends its life if need be, and that of all it has started."""
        try:
            self.close_input()
            if self.wait(CLOSING_SECONDS) is None:
                self._signal_group(signal.SIGTERM)
                self.wait(CLOSING_SECONDS)
        finally:
            descendants = descendants_of(self._child.pid)
            self._signal_group(signal.SIGKILL)
            for pid in descendants:
                kill(pid)
            self._child.wait()
            self.running.discard(self._child.pid)
            for pipe in self._pipes:
                pipe.close()

    def _signal_group(self, number: signal.Signals) -> None:
        """Signals whatever of the child's process group is left; the group may outlive it."""
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses for zombies
            os.killpg(self._child.pid, number)
