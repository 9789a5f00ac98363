"""A bot as a child process in a session of its own, stopped with all processes that it started.

``family.py`` finds these processes, halts them and measures their processor time. ``limits.py``,
``cgroup.py`` and ``usage.py`` limit what a bot may use, and ``sandbox.py`` limits what it may see.
"""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, ClassVar, cast

from c4_referee.bots.contain import process_tree, usage
from c4_referee.bots.contain.cgroup import group_for
from c4_referee.bots.contain.devices import seal_devices
from c4_referee.bots.contain.diagnosis import diagnose, diagnose_start
from c4_referee.bots.contain.family import Family, Mark
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.growth import FolderGrowth
from c4_referee.bots.contain.limits import MEGABYTE, ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox, View
from c4_referee.bots.contain.sandbox import (
    SandboxedCommand,
    inner_exit_code,
    memory_folders,
    read_status,
)
from c4_referee.bots.contain.strays import inherited_mark

CLOSING_SECONDS = 0.5
"""Seconds that a bot has to end after its input is closed. After SIGTERM it has the same time."""
POLL_SECONDS = 0.001
"""Seconds between two checks whether a bot has ended."""
PEAK_MEMORY_UNIT = 1 if sys.platform == "darwin" else 1024
"""Number of bytes in one unit of ``ru_maxrss`` of getrusage(2)."""
MAX_CHECK_SHARE = 0.2
"""Maximum share of a processor that checks of one bot may use. A bot has 0.1 s between two checks,
so this makes checks rarer only if one takes more than 20 ms."""
GUARD_PROCESSES = 2
"""Number of processes of bubblewrap for each bot in the sandbox."""


class BotProcess:
    """Context manager for a running bot with three pipes. In the end, it stops and reaps the bot.

    ``stdin``, ``stdout`` and ``stderr`` are the descriptors of this process's ends of the pipes.
    They do not block. With ``sandbox``, the child is bubblewrap, which starts the bot, and ``env``
    holds only the variables that are added to those of every sandbox. ``growth`` watches the bot's
    folder while this and later processes of the bot run. This process can still measure the bot's
    processor time and find its descendants. It knows the peak of the bot's memory only if
    ``process_tree.adopt_orphans`` was called before. Raises ``OSError`` if the command cannot be
    started. In the sandbox, nothing is raised in this case, but ``diagnose`` returns the fault.
    """

    running: ClassVar[set[int]] = set()
    """Process numbers of children that were started as a ``BotProcess`` and not stopped yet."""

    def __init__(
        self,
        command: Sequence[str],
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        limits: ResourceLimits = ResourceLimits(),  # noqa: B008 - frozen
        sandbox: Sandbox | None = None,
        growth: FolderGrowth | None = None,
    ) -> None:
        self._limits = limits
        self._growth = growth
        self.view: View | None = None
        """What the bot sees in the sandbox, or ``None`` without a sandbox."""
        self._status = os.memfd_create("status") if sandbox else None
        self._memory_folders = memory_folders() if sandbox else ()
        self._never_ran = False
        self._peak_bytes = 0
        # A child begins as a copy of this process, so the peak that the kernel reports is at least
        # the memory of this process now. A peak that is not higher says nothing about the bot and
        # is ignored. A worker uses less memory than bots may use.
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_MEMORY_UNIT
        self._inherited_bytes = usage.resident_bytes([os.getpid()]) or peak  # the peak is not less
        self._mark = Mark.new()
        self._group = group_for(os.urandom(8).hex(), limits, GUARD_PROCESSES if sandbox else 0)
        with ExitStack() as stack:
            if self._group is not None:
                stack.callback(self._group.remove)
            if self._status is not None:
                stack.callback(os.close, self._status)
            if sandbox is None:
                self._child = self._start_child(command, cwd, os.environ if env is None else env)
            else:
                made = SandboxedCommand(sandbox, command, cwd, env or {}, limits, self._status)
                self.view = made.view
                with made:
                    mark = inherited_mark()
                    self._child = self._start_child(made.words, cwd, mark, made.descriptors)
            self._closing = stack.pop_all()
        self.running.add(self._child.pid)
        self._family = Family(self._child.pid, self._mark, self.running, is_guarded=bool(sandbox))
        self.cpu_seconds = self._family.cpu_seconds
        """Function that returns the processor time of all known processes of the bot in seconds.
        Only differences between two values have a meaning. ``excess`` finds new processes."""
        self.find_and_measure = self._family.find_and_measure
        """Function that finds all processes of the bot, and measures their processor time."""
        self.seconds_at_check = 0.0
        """Value of ``cpu_seconds`` at the last check by ``excess``."""
        self._next_check = 0.0
        self._pipes = [
            cast(IO[bytes], pipe)
            for pipe in (self._child.stdin, self._child.stdout, self._child.stderr)
        ]
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes)
        for pipe in self._pipes:
            os.set_blocking(pipe.fileno(), False)
            self._closing.callback(pipe.close)

    def _start_child(
        self,
        command: Sequence[str],
        cwd: str | None,
        env: Mapping[str, str],
        descriptors: Sequence[int] = (),
    ) -> subprocess.Popen[bytes]:
        """Start the child in a session of its own, or raise ``OSError``."""
        try:
            return subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env=env,
                pass_fds=descriptors,
                start_new_session=True,
                preexec_fn=self._limit_child,  # noqa: PLW1509 - workers have no threads
            )
        except subprocess.SubprocessError as error:  # the child could not enter its group
            raise OSError(str(error)) from None

    def _limit_child(self) -> None:
        """Limit this process, which is the child before its program starts."""
        process_tree.die_with_parent()
        if self._status is not None:
            seal_devices()
        if self._group is not None:
            self._group.enter()
        self._mark.put_on_this_process()
        self._limits.apply()

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait(self, seconds: float) -> int | None:
        """Return the exit code, negative for a signal, or ``None`` if the bot still runs.

        Waits at most ``seconds`` for the end of the bot. With 0, it checks once and does not wait.
        """
        process_tree.wait_until(self._reap_child, seconds, POLL_SECONDS)
        code = self._child.returncode
        return code if self._status is None else inner_exit_code(code)

    def close_input(self, farewell: bytes = b"") -> None:
        """Send the ``farewell``, if there is one, and close the bot's input."""
        if farewell and not self._pipes[0].closed:
            with suppress(OSError):  # the bot may have closed its input
                self._pipes[0].write(farewell)
        self._pipes[0].close()

    def pause(self) -> None:
        """Halt the bot and all processes that it has started."""
        if self._child.returncode is None:
            self._family.pause()

    def resume(self) -> None:
        """Let a paused bot continue."""
        self._family.resume()

    def excess(self, *, is_waiting: bool = False) -> tuple[Fault, str] | None:
        """Return the fault and a message if the bot uses more than it may, otherwise ``None``.

        If the last check took long, this returns ``None`` for a time, so that checks use at most
        ``MAX_CHECK_SHARE`` of a processor.
        """
        began = time.monotonic()
        if began < self._next_check:
            return None
        used = time.process_time()
        excess = self._measured_excess(is_waiting=is_waiting)
        self._next_check = began + (time.process_time() - used) / MAX_CHECK_SHARE
        return excess

    def _measured_excess(self, *, is_waiting: bool = False) -> tuple[Fault, str] | None:
        bot = self._family.find_bot() if self._child.returncode is None else None
        if bot is None:
            return None
        family, self.seconds_at_check = self._family.find_and_measure(is_waiting=is_waiting)
        guards = self._family.find_guards()
        return self._excess_of_processes(family - guards, bot) or self._excess_of_bytes(family, bot)

    def diagnose(self, code: int | None, last_words: str) -> Fault | None:
        """Return the fault if a limit ended the bot or it never started, otherwise ``None``.

        ``code`` is its exit code, or ``None`` while it runs. ``last_words`` is the text of its
        standard error.
        """
        if excess := self._measured_excess():
            return excess[0]
        if self._never_ran:
            return diagnose_start(last_words)
        if self._group is not None and (fault := self._group.fault_of_limit()):
            return fault
        memory_mb = self._limits.memory_mb
        used = self._peak_bytes / (memory_mb * MEGABYTE) if memory_mb else 0.0
        return diagnose(code, last_words, used)

    def stop(self) -> bool:
        """Close the bot's input, then end the bot and all processes that it has started.

        Return whether closing its input was enough. In the sandbox, SIGTERM ends bubblewrap, which
        immediately ends the bot.
        """
        if self._child.pid not in self.running:
            return True
        try:
            self.resume()
            self.close_input()
            if self.wait(CLOSING_SECONDS) is not None:
                return True
            self._signal_group(signal.SIGTERM)
            self.wait(CLOSING_SECONDS)
            return False
        finally:
            self._kill_all()

    def _kill_all(self) -> None:
        """Kill and reap all processes that are left of the bot, and close its pipes."""
        family = set() if self._reap_child() else process_tree.freeze(self._family.find_processes)
        self._signal_group(signal.SIGKILL)
        for pid in family:
            process_tree.send_signal(pid, signal.SIGKILL)
        process_tree.wait_until(self._reap_child, process_tree.REAP_SECONDS, POLL_SECONDS)
        if self._child.returncode is None:  # kill_children reaps it later
            self._child.returncode = -signal.SIGKILL
        self.running.discard(self._child.pid)
        self._closing.close()

    def _reap_child(self) -> bool:
        """Reap the child if it has ended, and note its peak of memory. Return whether it ended."""
        if self._child.returncode is None:
            try:
                pid, status, usage = os.wait4(self._child.pid, os.WNOHANG)
            except ChildProcessError:  # SIGCHLD is ignored here, so the exit code is lost
                self._child.returncode = 0
                return True
            if pid:
                self._child.returncode = os.waitstatus_to_exitcode(status)
                peak = usage.ru_maxrss * PEAK_MEMORY_UNIT
                self._peak_bytes = peak if peak > self._inherited_bytes else 0
                if self._status is not None:  # bubblewrap has ended, and reports on the bot
                    reported = read_status(self._status)
                    self._never_ran = self._child.returncode == 1 and "exit-code" not in reported
                    if guardian := reported.get("child-pid"):
                        self._peak_bytes = _reap_orphan(guardian)
        return self._child.returncode is not None

    def _excess_of_processes(self, processes: set[int], bot: int) -> tuple[Fault, str] | None:
        """Return the fault of a bot that has too many processes or threads."""
        counts = (
            (len(processes - {bot}), self._limits.processes, "processes under it"),
            (usage.count_threads(processes), self._limits.threads, "threads"),
        )
        for count, limit, what in counts:
            if count > limit:
                text = f"it has {count} {what}; {limit} are allowed"
                return Fault.TOO_MANY_PROCESSES, text
        return None

    def _excess_of_bytes(self, family: set[int], bot: int) -> tuple[Fault, str] | None:
        """Return the fault of a bot that uses too much memory, or writes too much to disks.

        The exact measure of memory takes long, so it is made only if a rougher one is too high.
        """
        limit_mb = self._limits.memory_mb
        if limit_mb is not None and not (self._group and self._group.limits_memory):
            folders = [Path(f"/proc/{bot}/root{path}") for path in self._memory_folders]
            rough = usage.resident_bytes(family) + usage.memory_file_bytes(family, folders)
            if rough > limit_mb * MEGABYTE:
                used_mb = usage.memory_bytes(family, folders) // MEGABYTE
                if used_mb > limit_mb:
                    return Fault.OUT_OF_MEMORY, f"it uses {used_mb} MiB; {limit_mb} are allowed"
        written_mb = usage.written_bytes(family) // MEGABYTE
        if written_mb > self._limits.written_mb:
            text = f"it wrote {written_mb} MiB to disks; {self._limits.written_mb} are allowed"
            return Fault.WROTE_TOO_MUCH, text
        if self._growth is not None and (grown := self._growth.search_a_while()):
            return Fault.WROTE_TOO_MUCH, grown
        return None

    def _signal_group(self, number: signal.Signals) -> None:
        """Send a signal to the child's process group, which may exist longer than the child."""
        with suppress(ProcessLookupError, PermissionError):  # macOS refuses for zombies
            os.killpg(self._child.pid, number)


def _reap_orphan(pid: int) -> int:
    """Kill and reap an adopted process, and return its peak of memory in bytes.

    The peak includes children that the process has reaped. It does not include memory of this
    process, because bubblewrap forked the adopted process. Return 0 if ``pid`` is not an adopted
    child of this process.
    """
    if pid not in process_tree.children_of(os.getpid()) - BotProcess.running:
        return 0
    process_tree.send_signal(pid, signal.SIGKILL)
    return os.wait4(pid, 0)[2].ru_maxrss * PEAK_MEMORY_UNIT
