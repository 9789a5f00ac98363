"""Control groups (cgroup v2), with which the kernel limits all processes of a bot together.

The referee can use them if it may make groups below its own group: as root, or in a group that was
delegated to it, for example by ``systemd-run --user --scope -p Delegate=yes c4-referee ...``. It
makes one group for each run of a bot. A group has limits for memory, processes and processors, if
these controllers were delegated, and all its processes can be killed at once.

Elsewhere ``usage.py`` measures what a bot uses. A bot outside of the sandbox that runs as the same
user can leave its group.
"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.limits import MEGABYTE, ResourceLimits
from c4_referee.bots.contain.process_tree import wait_until

CONTROLLERS = ("memory", "pids", "cpu")
GROUP_VARIABLE = "C4_ARENA_CGROUP"
"""Name of the environment variable with the folder in which workers make groups for bots."""
GROUP_PREFIX = "c4-arena-"
"""Beginning of the names of groups that a referee makes."""
REFEREE_GROUP = "referee"
"""Name of the group into which a referee moves if its own group is not the root of all groups."""
CPU_PERIOD_US = 100_000
"""Time in microseconds for which a group's share of the processors is counted."""
MAX_EMPTYING_SECONDS = 2.0
"""Maximum time in seconds to wait until the killed processes of a group have ended."""


class ControlGroup:
    """Group of one run of a bot, with its limits. Raises ``OSError`` if it cannot be made."""

    def __init__(self, parent: Path, name: str, limits: ResourceLimits, guards: int = 0) -> None:
        self._folder = parent / f"{GROUP_PREFIX}bot-{name}"
        self._folder.mkdir()
        # Threads count as processes here. The referee itself counts processes and threads apart.
        tasks = limits.processes + limits.threads + guards
        self._set_limit("pids.max", str(tasks))
        if limits.memory_mb is not None:
            self._set_limit("memory.max", str(limits.memory_mb * MEGABYTE))
            self._set_limit("memory.swap.max", "0")
            self._set_limit("memory.oom.group", "1")
        if limits.cpus is not None:
            self._set_limit("cpu.max", f"{int(limits.cpus * CPU_PERIOD_US)} {CPU_PERIOD_US}")

    @property
    def limits_memory(self) -> bool:
        """True if the kernel limits the memory of the group."""
        return (self._folder / "memory.max").exists()

    def enter(self) -> None:
        """Move this process into the group. A child calls this before its program starts."""
        _write_to_kernel(self._folder / "cgroup.procs", "0")

    def fault_of_limit(self) -> Fault | None:
        """Return the fault if the group reached a limit, otherwise ``None``.

        ``oom_kill`` alone is no proof, because it also counts kills after another limit: that of a
        group above this one, or the memory of the machine. ``oom`` counts only this limit. Before
        Linux 6.11, ``pids.events`` counts the limits of groups above, too, and there is no
        ``pids.events.local``. There, only the referee's own count shows too many processes.
        """
        memory = self._folder / "memory.events"
        if _number_in_file(memory, "oom") and _number_in_file(memory, "oom_kill"):
            return Fault.OUT_OF_MEMORY
        if _number_in_file(self._folder / "pids.events.local", "max"):
            return Fault.TOO_MANY_PROCESSES
        return None

    def remove(self) -> None:
        """Kill all processes of the group, and remove it."""
        _kill_and_remove(self._folder)

    def _set_limit(self, name: str, value: str) -> None:
        """Set a limit, if its controller was delegated."""
        with suppress(OSError):
            _write_to_kernel(self._folder / name, value)


def group_for(name: str, limits: ResourceLimits, guards: int) -> ControlGroup | None:
    """Return a new group for a bot, or ``None`` if this process cannot make groups.

    ``guards`` is the number of processes in the group that are not the bot's.
    """
    parent = os.environ.get(GROUP_VARIABLE)
    if parent is None:
        return None
    try:
        return ControlGroup(Path(parent), name, limits, guards)
    except OSError:
        return None


@contextmanager
def control_groups() -> Iterator[list[str]]:
    """Return a context manager in which bots have groups, also the bots of worker processes.

    It gives the names of the controllers that limit the groups. The list is empty if this process
    cannot make groups.
    """
    own = own_group()
    controllers = _usable_controllers(own) if own else []
    if own is None or not controllers:
        yield []
        return
    folder = own / f"{GROUP_PREFIX}{os.getpid()}"
    try:
        yield controllers if _delegate_controllers(own, folder, controllers) else []
    finally:
        os.environ.pop(GROUP_VARIABLE, None)
        for group in folder.glob(f"{GROUP_PREFIX}bot-*"):
            _kill_and_remove(group)
        with suppress(OSError):
            if not _is_root(own):  # the root keeps its controllers: other referees may use them
                for group in (folder, own):
                    _switch_controllers(group, "-", controllers)
                _write_to_kernel(own / "cgroup.procs", "0")
            _kill_and_remove(folder)


def _usable_controllers(own: Path) -> list[str]:
    """Return the controllers that this process can use for groups in its own group."""
    if not os.access(own / "cgroup.procs", os.W_OK):
        return []
    for folder in own.glob(f"{GROUP_PREFIX}*"):  # the groups of referees that were killed
        if not Path("/proc", folder.name.removeprefix(GROUP_PREFIX)).exists():
            _kill_and_remove(folder)
    # A group other than the root of all groups can share out controllers only if no process is in
    # it. This process can move into another group, but not the others.
    if not (_is_root(own) or _words_of_file(own / "cgroup.procs") == [str(os.getpid())]):
        return []
    return [name for name in CONTROLLERS if name in _words_of_file(own / "cgroup.controllers")]


def _delegate_controllers(own: Path, folder: Path, controllers: list[str]) -> bool:
    """Make a folder in which groups have these controllers. Return whether it was possible."""
    try:
        folder.mkdir()
        if not _is_root(own):
            (folder / REFEREE_GROUP).mkdir()
            _write_to_kernel(folder / REFEREE_GROUP / "cgroup.procs", "0")
        for group in (own, folder):
            _switch_controllers(group, "+", controllers)
    except OSError:
        return False
    os.environ[GROUP_VARIABLE] = str(folder)
    return True


def _switch_controllers(group: Path, sign: str, controllers: list[str]) -> None:
    """Switch controllers of the groups in a group on (``+``) or off (``-``)."""
    words = " ".join(sign + name for name in controllers)
    _write_to_kernel(group / "cgroup.subtree_control", words)


def own_group() -> Path | None:
    """Return the folder of this process's group, or ``None`` if there is no cgroup v2."""
    mounts = map(str.split, _lines_of_file("/proc/self/mountinfo"))
    folders = (words[4] for words in mounts if words[words.index("-") + 1] == "cgroup2")
    groups = (line[4:] for line in _lines_of_file("/proc/self/cgroup") if line.startswith("0::/"))
    return next(map(Path, folders, groups), None)


def _is_root(group: Path) -> bool:
    """Return whether this is the root of all groups, which may have processes and groups."""
    return not (group / "cgroup.type").exists()


def _kill_and_remove(group: Path) -> None:
    """Kill all processes of a group and of the groups in it. Remove the groups when these ended."""
    with suppress(OSError):
        _write_to_kernel(group / "cgroup.kill", "1")
    until = time.monotonic() + MAX_EMPTYING_SECONDS
    for folder, _, _ in os.walk(group, topdown=False):
        wait_until(partial(_remove_if_empty, Path(folder)), until - time.monotonic(), 0.001)


def _remove_if_empty(folder: Path) -> bool:
    """Remove a group if it is empty. Return whether it is gone."""
    with suppress(OSError):
        folder.rmdir()
    return not folder.exists()


def _number_in_file(file: Path, name: str) -> int:
    """Return a number of a file with lines ``NAME NUMBER``, or 0 if it is not there."""
    words = _words_of_file(file)
    return int(words[words.index(name) + 1]) if name in words else 0


def _words_of_file(file: Path) -> list[str]:
    return [word for line in _lines_of_file(file) for word in line.split()]


def _lines_of_file(file: Path | str) -> list[str]:
    """Return the lines of a file, or an empty list if it cannot be read."""
    try:
        return Path(file).read_text().splitlines()
    except OSError:
        return []


def _write_to_kernel(file: Path, text: str) -> None:
    """Write to a file of the kernel in one call. A new file is never made."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
