"""Watch over a bot's own folder, so that neither one game nor many games can fill the disk.

The folder may grow by some MiB. Each file and each folder counts as at least one block, because a
disk has a limited number of files, too. To search a large folder takes long. Therefore the referee
searches only if the disk has become fuller, and stops at the limit. During a game it searches for a
short time at each check of limits, so that no bot pays for the folder of another one.

Some file systems, such as btrfs, do not report how many files they hold. There, many empty files
are noticed only when the disk has less free space.
"""

import math
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from errno import EACCES, ENAMETOOLONG
from itertools import accumulate
from pathlib import Path

from c4_referee.bots.contain.limits import MEGABYTE

BLOCK_BYTES = 512
"""Unit of ``st_blocks`` of stat(2)."""
MIN_FILE_BYTES = 4096
"""Minimum size of a file or a folder, in bytes. This is a block of most file systems."""
LIMIT_PARTS = 16
"""A new search begins when the disk is fuller by this part of what the folder may grow by."""
SEARCH_SLICE_SECONDS = 0.01
"""Maximum time of a search during a game, in seconds, before the next check of limits continues it.
This is half of the time that is added to every deadline of a bot (``clock.GRACE_MS``)."""
UNREADABLE_BYTES = 1 << 60
"""Weight of a folder that cannot be read. It is more than each limit, because such a folder could
hide any number of files."""


class FolderGrowth:
    """Growth of a folder since the first measurement, with a maximum in MiB."""

    def __init__(self, folder: Path, limit_mb: int) -> None:
        self._folder = folder
        self._limit_mb = limit_mb
        self._first: tuple[int, int] | None = None  # files and bytes
        self._used = 0  # bytes of the disk when the last complete search began
        self._search: Iterator[str | None] | None = None

    def excess(self) -> str | None:
        """Return a message if the folder has grown too much, otherwise ``None``.

        Searches the whole folder if the disk has become fuller.
        """
        self._search = None
        return self.search_a_while(math.inf)

    def search_a_while(self, seconds: float = SEARCH_SLICE_SECONDS) -> str | None:
        """Return a message if the folder is known to have grown too much, otherwise ``None``.

        Searches for at most about this time. The next call continues the search.
        """
        used = _used_bytes(self._folder)
        if self._first is None:
            self._first = sum(_count_files(self._folder)), sum(_bytes_of_files(self._folder))
            self._used = used
        self._used = min(self._used, used)
        if self._search is None and used - self._used > self._limit_mb * MEGABYTE // LIMIT_PARTS:
            self._search = self._growth_search(used)  # the disk has become fuller
        until = time.monotonic() + seconds
        for text in self._search or ():
            if text or time.monotonic() >= until:
                return text
        self._search = None
        return None

    def _growth_search(self, used: int) -> Iterator[str | None]:
        """Yield ``None`` after each file, and a message if the files until then are too many.

        Files are counted first, because measuring them takes several times as long.
        """
        assert self._first is not None
        limit = self._limit_mb * MEGABYTE
        most = limit // MIN_FILE_BYTES
        files, size = self._first
        for count in accumulate(_count_files(self._folder), initial=-files):
            yield f"its folder has more than {most} new files" if count > most else None
        too_large = f"its folder has grown by more than {self._limit_mb} MiB"
        for grown in accumulate(_bytes_of_files(self._folder), initial=-size):
            yield too_large if grown > limit else None
        self._used = used


def _used_bytes(folder: Path) -> int:
    """Return how full the disk of a folder is, in bytes. Each file counts as one block more."""
    try:
        status = os.statvfs(folder)
    except OSError:  # the folder is gone, which the start of the bot reports
        return 0
    files = status.f_files - status.f_ffree
    return (status.f_blocks - status.f_bfree) * status.f_frsize + files * MIN_FILE_BYTES


def _count_files(folder: Path) -> Iterator[int]:
    """Yield 1 for each file and folder in a folder."""
    return (1 if entry else UNREADABLE_BYTES for entry in _folder_entries(folder))


def _bytes_of_files(folder: Path) -> Iterator[int]:
    """Yield the number of bytes that each file and folder in a folder takes on the disk."""
    for entry in _folder_entries(folder):
        with suppress(OSError):  # it was removed
            blocks = entry.stat(follow_symlinks=False).st_blocks if entry else 0
            yield max(blocks * BLOCK_BYTES, MIN_FILE_BYTES) if entry else UNREADABLE_BYTES


def _folder_entries(folder: Path) -> Iterator["os.DirEntry[str] | None"]:
    """Yield what is in a folder and in the folders in it. Links are not followed.

    Yields ``None`` for a folder that cannot be read. A bot may nest folders so deeply that
    recursion would fail, and may remove them meanwhile.
    """
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    yield entry
        except OSError as error:
            if error.errno in {EACCES, ENAMETOOLONG}:
                yield None
