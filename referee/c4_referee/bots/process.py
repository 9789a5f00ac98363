"""One child process: started in a session of its own, stopped with everything it started.

On Linux the kernel helps: a child dies with the process that started it, and where
``adopt_orphans`` was called, descendants whose parents have ended become our own children, so
that none can slip away by leaving the session. They are told apart by a mark in the environment
that they inherit; one that erases it is neither counted nor halted, but ended all the same.
Elsewhere a bot is stopped with its process group. What a bot may take is in ``limits.py``, what it
may see in ``sandbox.py``.
"""

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import IO, ClassVar, cast

from c4_referee.bots.diagnosis import TOO_MANY_PROCESSES, diagnose, why_not_started
from c4_referee.bots.limits import MEGABYTE, Limits
from c4_referee.bots.sandbox import Status, exit_code, sandboxed

CLOSING_SECONDS = 0.5
"""How long a bot may take to end after its input is closed, and again after SIGTERM."""
LOOK_SECONDS = 0.001
"""How often to look whether a bot has ended."""
MARK = "C4_ARENA_BOT"
"""The environment variable that tells whose an orphan is, by a number that cannot be guessed."""
ENVIRONMENT_BYTES = 1 << 16
"""How much of an orphan's environment is searched for it."""
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in the unit of getrusage(2)'s ru_maxrss."""
SET_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36
"""Options of prctl(2), from linux/prctl.h."""
CPU_CLOCK = 2
"""The clock of a process's CPU time; its number with the process's makes a clock id (Linux)."""

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
    """The children of a process, their children, and so on."""
    found: set[int] = set()
    waiting = {pid}
    while waiting:
        children = set().union(*map(children_of, waiting)) - found
        found |= children
        waiting = children
    return found


def bears_mark(pid: int, mark: bytes) -> bool:
    """Whether a process was started with that entry in its environment, as far as can be known."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:  # noqa: PTH123 - as above
            return mark in file.read(ENVIRONMENT_BYTES).split(b"\0")
    except OSError:
        return False


def reap_orphans(keep: Set[int]) -> None:
    """Reaps the children of this process that have ended, but for some.

    A bot that orphans short-lived processes without end would fill the system's table with them.
    """
    for pid in children_of(os.getpid()) - keep:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def kill_children(keep: Set[int] = frozenset()) -> None:
    """Kills and reaps every child of this process but for some, adopted ones too, until all are.

    What a bot has orphaned is our child: it is not kept, even if the bot lives on.
    """
    while children := children_of(os.getpid()) - keep:
        for pid in children:
            send(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


def send(pid: int, number: signal.Signals) -> None:
    """Signals a process that may be gone already."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def freeze(family: Callable[[], set[int]]) -> set[int]:
    """Halts processes, also those that they start meanwhile; the numbers of all."""
    frozen: set[int] = set()
    while moving := family() - frozen:
        for each in moving:
            send(each, signal.SIGSTOP)
        frozen |= moving
    return frozen


class BotProcess:
    """A running bot with three pipes; a context manager that always reaps it.

    With ``sandbox``, the process we start is bubblewrap's, and the bot a grandchild of ours: its
    processor time and descendants are told all the same, its peak of memory where orphans are
    adopted. Raises ``OSError`` where the command cannot be started; in the sandbox, ``diagnose``
    says so.
    """

    running: ClassVar[set[int]] = set()
    """The processes of this class that have not been stopped."""

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        limits: Limits = Limits(),  # noqa: B008 - frozen
        sandbox: bool = False,
    ) -> None:
        self._limits = limits
        self._status = Status() if sandbox else None
        self._never_ran = False
        self._bot: int | None = None
        self._paused: set[int] = set()
        self._cpu_seconds = 0.0
        self._peak_bytes = 0
        # The kernel counts what a child had before it became its program: as much as we have now.
        # A peak that is no higher may be ours; a worker has less than bots are allowed.
        self._inherited_bytes = _resident_bytes()
        token = os.urandom(8).hex()
        self._mark = f"{MARK}={token}".encode()
        env = {**(os.environ if env is None else env), MARK: token}
        try:
            self._child = _start(command, cwd, env, limits, self._status)
        except OSError:
            self._close_status()
            raise
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
        until = time.monotonic() + seconds
        while not self._has_ended() and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
        code = self._child.returncode
        return exit_code(code) if self._status else code

    def close_input(self, farewell: bytes = b"") -> None:
        """Tells the bot that nothing more will be asked; before that, a line if it has one read."""
        if farewell and not self._pipes[0].closed:
            with suppress(OSError):  # it may read nothing any more
                self._pipes[0].write(farewell)
        self._pipes[0].close()

    def pause(self) -> None:
        """Halts the bot and all that it has started where they stand."""
        self._paused = freeze(self._family)

    def resume(self) -> None:
        """Lets a paused bot go on."""
        for pid in self._paused:
            send(pid, signal.SIGCONT)
        self._paused = set()

    def cpu_seconds(self) -> float:
        """Processor time of the bot so far; the last that was known, once it has ended.

        That of its children is not in it. 0 where the system does not tell (it is Linux that does).
        """
        pid = self._bot_pid()
        if pid is not None:
            try:  # noqa: SIM105 - suppress() would take longer than all else here
                self._cpu_seconds = time.clock_gettime((~pid << 3) | CPU_CLOCK)
            except OSError:
                pass
        return self._cpu_seconds

    def overstepped(self) -> str | None:
        """In words, how many processes the bot has started, if those are more than it may."""
        count = len(self._offspring())
        if count <= self._limits.processes:
            return None
        return f"it has {count} processes under it; {self._limits.processes} are allowed"

    def diagnose(self, code: int | None, last_words: str) -> str | None:
        """Why the system ended the bot, in the words of ``diagnosis.py``; ``None`` if it didn't."""
        if self.overstepped():
            return TOO_MANY_PROCESSES
        if self._never_ran:
            return why_not_started(last_words)
        memory_mb = self._limits.memory_mb
        used = self._peak_bytes / (memory_mb * MEGABYTE) if memory_mb else 0.0
        return diagnose(code, last_words, used)

    def stop(self) -> bool:
        """Closes its input, then ends its life if need be, and that of all it has started.

        Tells whether the end of its input was enough. A bot in the sandbox ends at once when it is
        told to by SIGTERM, as bubblewrap does.
        """
        if self._child.pid not in self.running:
            return True
        try:
            return self._ends_by_itself()
        finally:
            self._end()

    def _ends_by_itself(self) -> bool:
        """Whether it ends when its input does; if not, it has been asked to by SIGTERM."""
        self.resume()
        self.close_input()
        if self.wait(CLOSING_SECONDS) is not None:
            return True
        self._signal_group(signal.SIGTERM)
        self.wait(CLOSING_SECONDS)
        return False

    def _end(self) -> None:
        """Nothing of the bot is left, whatever state it is in."""
        family = set() if self._has_ended() else freeze(self._family)
        self._signal_group(signal.SIGKILL)
        for pid in family:
            send(pid, signal.SIGKILL)
        while not self._has_ended():
            time.sleep(LOOK_SECONDS)
        self.running.discard(self._child.pid)
        for pipe in self._pipes:
            pipe.close()
        self._close_status()

    def _close_status(self) -> None:
        if self._status is not None:
            self._status.close()

    def _has_ended(self) -> bool:
        """Whether it has; then it is reaped, and what is known of its life written down."""
        if self._child.returncode is None:
            try:
                pid, status, usage = os.wait4(self._child.pid, os.WNOHANG)
            except ChildProcessError:  # we were started with SIGCHLD ignored: nobody can know
                self._child.returncode = 0
                return True
            if pid:
                self._child.returncode = os.waitstatus_to_exitcode(status)
                peak = usage.ru_maxrss * PEAK_UNIT
                self._peak_bytes = peak if peak > self._inherited_bytes else 0
                self._ask_status()
        return self._child.returncode is not None

    def _ask_status(self) -> None:
        """What only bubblewrap could tell, once it has ended."""
        if self._status is None:
            return
        told = self._status.read()
        self._never_ran = self._child.returncode == 1 and "exit-code" not in told
        if guardian := told.get("child-pid"):
            self._peak_bytes = _peak_of_orphan(guardian)

    def _bot_pid(self) -> int | None:
        """The bot's own process; ``None`` when it has ended, or is not there yet."""
        if self._child.returncode is not None:
            return None
        if self._bot is None:
            self._bot = _first_grandchild(self._child.pid) if self._status else self._child.pid
        return self._bot

    def _offspring(self) -> set[int]:
        """All that the bot has started, while it runs."""
        bot = self._bot_pid()
        if bot is None:
            return set()
        guards = {self._child.pid} | children_of(self._child.pid) if self._status else set()
        return self._family() - guards - {bot}

    def _family(self) -> set[int]:
        """Our child and all below it, also those whose parents have ended.

        Orphans are looked for last: one that became one meanwhile is not missed.
        """
        family = {self._child.pid} | descendants_of(self._child.pid)
        strangers = children_of(os.getpid()) - self.running
        orphans = {pid for pid in strangers if bears_mark(pid, self._mark)}
        return family.union(orphans, *map(descendants_of, orphans))

    def _signal_group(self, number: signal.Signals) -> None:
        """Signals whatever of the child's process group is left; the group may outlive it."""
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses for zombies
            os.killpg(self._child.pid, number)


def _start(
    command: Sequence[str],
    cwd: str | None,
    env: Mapping[str, str] | None,
    limits: Limits,
    status: Status | None,
) -> subprocess.Popen[bytes]:
    """The child, in a session of its own; raises ``OSError``."""

    def prepare() -> None:
        die_with_parent()
        limits.apply()

    return subprocess.Popen(
        sandboxed(command, cwd, status) if status else command,
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=env,
        pass_fds=[status.file] if status else [],
        start_new_session=True,
        preexec_fn=prepare,  # noqa: PLW1509 - workers have no threads
    )


def _resident_bytes() -> int:
    """What this process has in memory, and so what a child has that is forked now.

    Where the system does not tell: what it has ever had, which is no less (it is Linux that does).
    """
    try:
        pages = Path("/proc/self/statm").read_bytes().split()[1]
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_UNIT
    return int(pages) * resource.getpagesize()


def _peak_of_orphan(pid: int) -> int:
    """Ends and reaps an orphan: the peak of its memory, and of all that it has reaped.

    It is forked from a small process, so that nothing of ours is in it. 0 if it is not our child.
    """
    if pid not in children_of(os.getpid()):
        return 0
    send(pid, signal.SIGKILL)
    return os.wait4(pid, 0)[2].ru_maxrss * PEAK_UNIT


def _first_grandchild(pid: int) -> int | None:
    """The first process that a child of a process has started; ``None`` if there is none yet."""
    grandchildren = set().union(*map(children_of, children_of(pid)))
    return min(grandchildren, default=None)
