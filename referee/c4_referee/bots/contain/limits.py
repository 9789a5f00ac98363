"""Limits of what a bot may use of the machine, so that it cannot harm other programs."""

import resource
import sys
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class ResourceLimits:
    """Limits of one bot.

    The kernel applies some limits to each process separately. The others are for all processes of
    the bot together. A control group enforces these limits where there is one (``cgroup.py``).
    Elsewhere the referee measures what the processes use (``usage.py``).

    ``memory_mb`` limits the memory of all processes together, with their shared memory and with the
    files in the sandbox's folders in memory, of which even an empty one takes memory. The kernel
    limits the memory for data of each process (RLIMIT_DATA) to the same number. A limit of the
    address space would be wrong: Java, Node and Go need only a few hundred megabytes of data, but
    Java does not start with 2 GB of address space, and Node and Go reserve gigabytes of it. The
    default leaves room for large tables, and stops a bot with a memory leak before other programs
    are swapped out.
    """

    memory_mb: int | None = 4096
    """Maximum memory in MiB, or ``None`` for no limit."""
    open_files: int = 256
    """Maximum number of open files of each process."""
    file_mb: int = 64
    """Maximum size of a file that the bot writes, in MiB."""
    written_mb: int = 1024
    """Maximum number of MiB that the bot writes to files in a game, or until it is started again.
    Its own folder may not grow by more than this in a contest. There, each file counts as at least
    4 KiB."""
    processes: int = 64
    """Maximum number of processes that the bot has started and that run at the same time. Processes
    whose parents have ended are counted, too. The referee counts them, because the kernel's limit
    is for all processes of a user."""
    threads: int = 1024
    """Maximum number of threads of all processes together. Programs in Java and Go start a few
    threads for each processor of the machine."""
    cpus: float | None = None
    """Maximum number of processors that the bot may use at the same time, or ``None`` for no limit.
    Only a control group enforces it."""

    @property
    def memory_folder_mb(self) -> int:
        """Size of each folder in memory that a bot in the sandbox has, in MiB."""
        return min(self.written_mb, self.memory_mb or self.written_mb)

    def apply(self) -> None:
        """Limit this process and all processes that it starts, and switch off core files.

        macOS counts the whole address space as data. It refuses the usual limits, and no bot would
        start.
        """
        if self.memory_mb is not None and sys.platform != "darwin":
            _lower_limit(resource.RLIMIT_DATA, self.memory_mb * MEGABYTE)
        _lower_limit(resource.RLIMIT_NOFILE, self.open_files)
        _lower_limit(resource.RLIMIT_FSIZE, self.file_mb * MEGABYTE)
        _lower_limit(resource.RLIMIT_CORE, 0)


def _lower_limit(kind: int, limit: int) -> None:
    """Set a limit that cannot be raised again. If the present hard limit is lower, set that one."""
    limit = allowed_limit(kind, limit)
    resource.setrlimit(kind, (limit, limit))


def allowed_limit(kind: int, limit: int) -> int:
    """Return the limit, or the present hard limit of this process if that is lower."""
    hard = resource.getrlimit(kind)[1]
    return limit if hard == resource.RLIM_INFINITY else min(limit, hard)
