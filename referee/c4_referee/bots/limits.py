"""Limits of what a bot may use of the machine, so that it cannot harm other programs."""

import resource
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class ResourceLimits:
    """Limits of one bot. The limits of memory and files apply to each of its processes separately.

    ``memory_mb`` limits the memory for data (RLIMIT_DATA). A limit of the address space would be
    wrong: Java, Node and Go need only a few hundred megabytes of data, but Java does not start with
    2 GB of address space, and Node and Go reserve gigabytes of it. The default leaves room for
    large tables, and stops a bot with a memory leak before other programs are swapped out.
    """

    memory_mb: int | None = 4096
    """Maximum memory for data in MiB, or ``None`` for no limit."""
    open_files: int = 256
    file_mb: int = 64
    """Maximum size of a file that the bot writes, in MiB."""
    processes: int = 64
    """Maximum number of processes that the bot has started and that run at the same time. Processes
    whose parents have ended are counted, too. The referee counts them, because the kernel's limit
    is for all processes of a user."""

    def apply(self) -> None:
        """Limit this process and all processes that it starts, and switch off core files."""
        if self.memory_mb is not None:
            _lower(resource.RLIMIT_DATA, self.memory_mb * MEGABYTE)
        _lower(resource.RLIMIT_NOFILE, self.open_files)
        _lower(resource.RLIMIT_FSIZE, self.file_mb * MEGABYTE)
        _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, limit: int) -> None:
    """Set a limit that cannot be raised again. If the present hard limit is lower, set that one."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit))
