"""Watch over the size of a bot's own folder, so that many games cannot fill the disk."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from c4_referee.bots.limits import MEGABYTE

BLOCK_BYTES = 512
"""Unit of ``st_blocks`` of stat(2)."""
PARTS = 16
"""The folder is measured again when the disk has lost this part of what the folder may grow by."""


class FolderGrowth:
    """Growth of a folder since the first measurement, with a maximum in MiB.

    Measuring a large folder takes long. Therefore it is measured only if the free space of its disk
    has become less.
    """

    def __init__(self, folder: Path, limit_mb: int) -> None:
        self._folder = folder
        self._limit = limit_mb * MEGABYTE
        self._first: int | None = None
        self._free = 0

    def excess(self) -> str | None:
        """Return a message if the folder has grown too much, otherwise ``None``."""
        free = _free_bytes(self._folder)
        if self._first is None:
            self._first, self._free = _size(self._folder), free
        if self._free - free <= self._limit // PARTS:
            return None
        grown = _size(self._folder) - self._first
        if grown > self._limit:
            limit_mb = self._limit // MEGABYTE
            return f"its folder has grown by {grown // MEGABYTE} MiB; {limit_mb} are allowed"
        self._free = free
        return None


def _free_bytes(folder: Path) -> int:
    try:
        status = os.statvfs(folder)
    except OSError:  # the folder is gone, which the start of the bot reports
        return 0
    return status.f_bfree * status.f_frsize


def _size(folder: Path) -> int:
    """Return the number of bytes that the files in a folder take on the disk."""
    return sum(
        entry.stat(follow_symlinks=False).st_blocks * BLOCK_BYTES for entry in _files(folder)
    )


def _files(folder: Path) -> Iterator["os.DirEntry[str]"]:
    """Yield the files of a folder and of the folders in it. Links are not followed.

    A bot may nest folders so deeply that recursion would fail, and may remove them meanwhile.
    """
    waiting = [str(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    yield entry
