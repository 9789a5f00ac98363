"""Measurement of what the processes of a bot use together (Linux only).

The referee measures this repeatedly where no control group limits a bot. Each function takes the
numbers of the bot's processes. A process that has ended or cannot be read counts as 0.
"""

import os
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

from c4_referee.bots.contain.process_tree import names_in

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
BLOCK_BYTES = 512
"""Unit of ``st_blocks`` of stat(2)."""
KILOBYTE_BYTES = 1024
"""Unit of the kernel's report on the memory of a process."""
MEMORY_FILE_PREFIXES = ("/memfd:", "/dev/shm/")
"""Beginnings of the names of open files that are in memory."""
OWN_MEMORY_KEYS = ("Pss_Anon:", "SwapPss:")
"""Lines of the kernel's report with the memory of a process. Memory that several processes share is
divided between them. Mapped files are not counted, because the kernel can drop them at any time."""
SHARED_MEMORY_KEY = "Pss_Shmem:"
INODE_BYTES = 1700
"""Memory of the kernel for one file, folder or link in a folder in memory, in bytes, without its
content. For each of 100,000 on Linux 6.18, ``Slab`` in /proc/meminfo grew by 1,040 bytes for an
empty file with a name of 8 characters, and by 1,680 for a link with a name of 250. The kernel
itself counts 1,024 (BOGO_INODE_SIZE in mm/shmem.c)."""


def count_threads(processes: Collection[int]) -> int:
    """Return the number of threads."""
    return sum(len(names_in(f"/proc/{pid}/task")) for pid in processes)


def memory_bytes(processes: Collection[int], folders: Collection[Path] = ()) -> int:
    """Return the memory of processes in bytes, with shared memory and files in memory.

    ``folders`` are folders in memory that only these processes use. Files in memory count even if
    no process has mapped them, as long as a process has them open or they are in these folders.
    The kernel's own memory for the files in these folders counts, too. (In a control group, the
    kernel itself charges this memory to the group.)
    """
    contents, own = _folder_bytes(folders)
    shared = 0
    for pid in processes:
        report = _memory_report(pid)
        own += sum(report.get(name, 0) for name in OWN_MEMORY_KEYS)
        shared += report.get(SHARED_MEMORY_KEY, 0)
    return own + max(shared, _open_file_bytes(processes) + contents)


def resident_bytes(processes: Collection[int]) -> int:
    """Return an upper bound of the memory of processes in bytes, without unmapped files in memory.

    Memory that several processes share is counted for each of them. This takes much less time than
    ``memory_bytes``.
    """
    return PAGE_BYTES * sum(map(_resident_pages, processes))


def memory_file_bytes(processes: Collection[int], folders: Collection[Path] = ()) -> int:
    """Return the bytes of the files in memory that processes have open or that are in folders.

    The kernel's own memory for the files in the folders counts, too.
    """
    return _open_file_bytes(processes) + sum(_folder_bytes(folders))


def written_bytes(processes: Collection[int]) -> int:
    """Return the number of bytes that processes and their ended children have written to disks."""
    return sum(map(_bytes_written_by, processes))


def _memory_report(pid: int) -> dict[str, int]:
    """Return the lines of the kernel's report on a process, in bytes by name."""
    with suppress(OSError):
        words = map(str.split, Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
        return {name: int(number) * KILOBYTE_BYTES for name, number, _ in words}
    return {OWN_MEMORY_KEYS[0]: PAGE_BYTES * _resident_pages(pid)}  # the process hides its memory


def _resident_pages(pid: int) -> int:
    with suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1])
    return 0


def _open_file_bytes(processes: Collection[int]) -> int:
    """Return the bytes of the files in memory that processes have open. Each file counts once."""
    files = {}
    descriptors = (f"/proc/{pid}/fd" for pid in processes)
    for path in (f"{folder}/{name}" for folder in descriptors for name in names_in(folder)):
        with suppress(OSError):
            if os.readlink(path).startswith(MEMORY_FILE_PREFIXES):  # noqa: PTH115
                status = os.stat(path)  # noqa: PTH116 - the link of a descriptor
                if S_ISREG(status.st_mode):
                    files[status.st_dev, status.st_ino] = status.st_blocks * BLOCK_BYTES
    return sum(files.values())


def _folder_bytes(folders: Collection[Path]) -> tuple[int, int]:
    """Return the bytes in folders that are file systems, and the kernel's memory for the files."""
    contents = inodes = 0
    for folder in folders:
        with suppress(OSError):
            status = os.statvfs(folder)
            contents += (status.f_blocks - status.f_bfree) * status.f_frsize
            inodes += (status.f_files - status.f_ffree) * INODE_BYTES
    return contents, inodes


def _bytes_written_by(pid: int) -> int:
    with suppress(OSError):
        lines = Path(f"/proc/{pid}/io").read_text().splitlines()
        counts = {name: int(number) for name, number in (line.split(": ") for line in lines)}
        return max(0, counts["write_bytes"] - counts["cancelled_write_bytes"])
    return 0
