"""Limits of what a bot may use of the machine, so that it cannot harm other programs."""

import resource
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class ResourceLimits:
    """The limits of one bot; those of memory and files hold for each of its processes.

    ``memory_mb`` limits its data as the kernel counts them (RLIMIT_DATA). Address space would be
    the wrong measure: Java does not start within 2 GB of it, and Node and Go reserve gigabytes of
    it, too, although all of them need only some hundred megabytes of data. The default leaves room
    for large tables, and stops a leak before other programs are swapped out.
    """

    memory_mb: int | None = 4096
    """Megabytes, or ``None`` for no limit."""
    open_files: int = 256
    file_mb: int = 64
    """Maximum size of a file that it writes, in megabytes."""
    processes: int = 64
    """Maximum number of descendants at a time, orphans too. The referee counts them, because the
    kernel limits processes by user."""

    def apply(self) -> None:
        """Limit this process and all that it starts; it writes no core files."""
        if self.memory_mb is not None:
            _lower(resource.RLIMIT_DATA, self.memory_mb * MEGABYTE)
        _lower(resource.RLIMIT_NOFILE, self.open_files)
        _lower(resource.RLIMIT_FSIZE, self.file_mb * MEGABYTE)
        _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, limit: int) -> None:
    """Set a limit that cannot be raised again; a lower one that exists stays."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit))
