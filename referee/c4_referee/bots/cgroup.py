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
from pathlib import Path

from c4_referee.bots.faults import Fault
from c4_referee.bots.limits import MEGABYTE, ResourceLimits

CONTROLLERS = ("memory", "pids", "cpu")
VARIABLE = "C4_ARENA_CGROUP"
"""Name of the environment variable with the folder in which workers make groups for bots."""
PREFIX = "c4-arena-"
"""Beginning of the names of groups that a referee makes."""
PERIOD_US = 100_000
"""Time in microseconds for which a group's share of the processors is counted."""
EMPTY_SECONDS = 2.0
"""Maximum time in seconds to wait until the killed processes of a group have ended."""


class ControlGroup:
    """Group of one run of a bot, with its limits. Raises ``OSError`` if it cannot be made."""

    def __init__(self, parent: Path, name: str, limits: ResourceLimits, guards: int = 0) -> None:
        self._folder = parent / f"{PREFIX}bot-{name}"
        self._folder.mkdir()
        # Threads count as processes here. The referee itself counts processes and threads apart.
        tasks = limits.processes + limits.threads + guards
        self._limit("pids.max", str(tasks))
        if limits.memory_mb is not None:
            self._limit("memory.max", str(limits.memory_mb * MEGABYTE))
            self._limit("memory.swap.max", "0")
            self._limit("memory.oom.group", "1")
        if limits.cpus is not None:
            self._limit("cpu.max", f"{int(limits.cpus * PERIOD_US)} {PERIOD_US}")

    @property
    def limits_memory(self) -> bool:
        """True if the kernel limits the memory of the group."""
        return (self._folder / "memory.max").exists()

    def enter(self) -> None:
        """Move this process into the group. A child calls this before its program starts."""
        _write(self._folder / "cgroup.procs", "0")

    def fault(self) -> Fault | None:
        """Return the fault if the group reached a limit, otherwise ``None``."""
        if _count(self._folder / "memory.events", "oom_kill"):
            return Fault.OUT_OF_MEMORY
        if _count(self._folder / "pids.events", "max"):
            return Fault.TOO_MANY_PROCESSES
        return None

    def remove(self) -> None:
        """Kill all processes of the group, and remove it."""
        _remove(self._folder)

    def _limit(self, name: str, value: str) -> None:
        """Set a limit, if its controller was delegated."""
        with suppress(OSError):
            _write(self._folder / name, value)


def group_for(name: str, limits: ResourceLimits, guards: int) -> ControlGroup | None:
    """Return a new group for a bot, or ``None`` if this process cannot make groups.

    ``guards`` is the number of processes in the group that are not the bot's.
    """
    parent = os.environ.get(VARIABLE)
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
    made = None
    with suppress(OSError):
        made = _prepare()
    if made is None:
        yield []
        return
    folder, controllers = made
    os.environ[VARIABLE] = str(folder)
    try:
        yield controllers
    finally:
        del os.environ[VARIABLE]
        _remove_all(folder)


def _prepare() -> tuple[Path, list[str]] | None:
    """Return a folder in which groups can be made, and their controllers, or ``None``."""
    own = own_group()
    if own is None or not os.access(own / "cgroup.procs", os.W_OK):
        return None
    _remove_abandoned(own)
    controllers = [name for name in CONTROLLERS if name in _words(own / "cgroup.controllers")]
    if not controllers:
        return None
    folder = own / f"{PREFIX}{os.getpid()}"
    if _is_root(own):
        folder.mkdir()
        parents = [own, folder]
    else:
        # Only a group without processes of its own can share out controllers.
        if _words(own / "cgroup.procs") != [str(os.getpid())]:
            return None
        folder.mkdir()
        _write(folder / "cgroup.procs", "0")
        parents = [own]
    try:
        for parent in parents:
            _write(parent / "cgroup.subtree_control", " ".join(f"+{name}" for name in controllers))
    except OSError:
        _remove_all(folder)
        return None
    return parents[-1], controllers


def own_group() -> Path | None:
    """Return the folder of this process's group, or ``None`` if there is no cgroup v2."""
    mount = _mount_point()
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        if mount is not None and line.startswith("0::"):
            return mount / line.removeprefix("0::/")
    return None


def _mount_point() -> Path | None:
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        words = line.split()
        if words[words.index("-") + 1] == "cgroup2":
            return Path(words[4])
    return None


def _is_root(group: Path) -> bool:
    """Return whether this is the root of all groups, which may have processes and groups."""
    return not (group / "cgroup.type").exists()


def _remove_abandoned(parent: Path) -> None:
    """Remove the groups of referees that were killed, with all processes in them."""
    for folder in parent.glob(f"{PREFIX}*"):
        referee = folder.name.removeprefix(PREFIX)
        if not (referee.isdecimal() and Path("/proc", referee).exists()):
            _remove_all(folder)


def _remove_all(folder: Path) -> None:
    """Remove a group and the groups in it, except a group in which this process is."""
    for group in folder.glob(f"{PREFIX}bot-*"):
        _remove(group)
    if str(os.getpid()) in _words(folder / "cgroup.procs"):
        return
    _remove(folder)


def _remove(folder: Path) -> None:
    """Kill all processes of a group, and remove it as soon as they have ended."""
    with suppress(OSError):
        _write(folder / "cgroup.kill", "1")
    until = time.monotonic() + EMPTY_SECONDS
    while True:
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            if time.monotonic() > until:
                return
            time.sleep(0.001)
        else:
            return


def _count(file: Path, name: str) -> int:
    """Return a number of a file with lines ``NAME NUMBER``, or 0 if it is not there."""
    words = _words(file)
    return int(words[words.index(name) + 1]) if name in words else 0


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except OSError:
        return []


def _write(file: Path, text: str) -> None:
    """Write to a file of the kernel in one call. A new file is never made."""
    descriptor = os.open(file, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
