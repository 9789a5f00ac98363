"""What a bot may take of the machine, so that one bot's hunger is not everybody's."""

import resource
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of one bot; those of memory and files hold for each of its processes.

    ``memory_mb`` is what it may have to write to, as the kernel counts it (RLIMIT_DATA). Address
    space would be the wrong measure: a Java machine does not start within 2 GB of it, and Node and
    Go reserve it by the gigabyte as well, yet all are content with some hundred megabytes of data.
    The default leaves room for large tables and keeps a leak from swapping the others out.
    """

    memory_mb: int | None = 4096
    """Megabytes, or ``None`` for no limit."""
    open_files: int = 256
    file_mb: int = 64
    """Megabytes of the largest file that it writes."""
    processes: int = 64
    """Descendants at once, orphans too; counted by the referee, as the kernel counts by user."""

    def apply(self) -> None:
        """Limits this process, and what it starts; no core is dumped."""
        if self.memory_mb is not None:
            _lower(resource.RLIMIT_DATA, self.memory_mb * MEGABYTE)
        _lower(resource.RLIMIT_NOFILE, self.open_files)
        _lower(resource.RLIMIT_FSIZE, self.file_mb * MEGABYTE)
        _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, limit: int) -> None:
    """Sets a limit that cannot be raised again; one that is lower already stays."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(kind, (limit, limit))
