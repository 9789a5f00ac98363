"""Stored games that a folder holds, which a bot in the sandbox never sees.

A folder of ``--out`` is recognized by the name of its database. The other file in it,
``games.jsonl``, has a name that bots may use, too.
"""

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from c4_referee.bots.contain.reuse import RecentResults

DATABASE_NAME = "arena.sqlite"
"""Name of the file in which a folder of ``--out`` stores games."""
MAX_SEARCHED_ENTRIES, FEW_SEARCHED_ENTRIES = 200_000, 1_000
"""Maximum number of files and folders that one search looks at: in folders of bots, and in
installations of programs. A search begins with the outer folders, and leaves out what is beyond."""
MAX_SEARCH_SHARE = 0.01
"""Maximum share of the time that searches of one folder may take."""


class FoldersWithGames(NamedTuple):
    """Folders with stored games, and whether the search has seen everything."""

    folders: tuple[Path, ...]
    is_complete: bool


RECENT_SEARCHES = RecentResults[FoldersWithGames](MAX_SEARCH_SHARE)


def is_in_stored_games(path: Path) -> bool:
    """Return whether a path is a folder with stored games, or lies in one."""
    return any(os.path.lexists(f"{folder}/{DATABASE_NAME}") for folder in (path, path.parent))


def find_games(root: Path, limit: int = MAX_SEARCHED_ENTRIES) -> FoldersWithGames:
    """Return the folders with stored games that are in a folder, or the folder itself.

    ``limit`` is the maximum number of entries that are searched. Links are not followed. Nothing is
    searched below a folder with stored games. A result is used again for a time, so that searches
    take at most ``MAX_SEARCH_SHARE`` of the time.
    """
    return RECENT_SEARCHES.get((root, limit), lambda: _search_folder(root, limit))


def _search_folder(root: Path, limit: int) -> FoldersWithGames:
    folders: list[Path] = []
    waiting, room = deque([root]), limit
    while waiting:
        folder = waiting.popleft()
        inner: list[Path] = []
        for entry in _readable_entries(folder):
            room -= 1
            if room < 0:
                return FoldersWithGames((*folders,), is_complete=False)
            if entry.name == DATABASE_NAME:
                folders.append(folder)
                break
            if entry.is_dir(follow_symlinks=False):
                inner.append(Path(entry.path))
        else:
            waiting += inner
    return FoldersWithGames((*folders,), is_complete=True)


def _readable_entries(folder: Path) -> "Iterator[os.DirEntry[str]]":
    """Yield the entries of a folder, or none if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:
        return
