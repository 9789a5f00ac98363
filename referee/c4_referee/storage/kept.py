"""Matches without ``--out``: their games are kept for a while in the user's state folder.

The state folder is that of the XDG Base Directory Specification 0.8. Each match has a folder as
``--out`` writes it. Its name is the time of its start, so that the names are in order.
"""

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from c4_protocol.program.errors import ArenaError, UsageError

from c4_referee.bots.spec import BotSpec
from c4_referee.storage.eventlog import GamesFile
from c4_referee.storage.folder_archive import GAMES_FILE, check_out_of_reach

MAX_MATCHES = 20
"""Maximum number of matches that are kept."""
MAX_BYTES = 200_000_000
"""Maximum size of all matches that are kept, in bytes."""


def kept_folders() -> list[Path]:
    """Return the folders of the matches that are kept, the last one first."""
    try:
        return sorted((path for path in _home().iterdir() if path.is_dir()), reverse=True)
    except OSError:
        return []


def last_folder() -> Path:
    """Return the folder of the last match. Raises ``UsageError`` if none is kept."""
    folders = kept_folders()
    if not folders:
        raise UsageError("--last: no match is kept yet: play one, or name a folder")
    return folders[0]


def is_kept_folder(folder: Path) -> bool:
    """Return whether a folder is one of those that are removed after a while."""
    return folder.parent == _home()


def new_folder(bots: Sequence[BotSpec]) -> Path:
    """Make a folder for a match between ``bots``, and remove the oldest matches if necessary.

    Raises ``UsageError`` if a bot could change the folder, or if it cannot be made.
    """
    home = _home()
    check_out_of_reach(home, bots)
    try:
        home.mkdir(parents=True, exist_ok=True)
        _remove_oldest()
        seconds, nanoseconds = divmod(time.time_ns(), 10**9)
        began = time.strftime("%Y-%m-%d-%H%M%S", time.gmtime(seconds))
        folder = home / f"{began}-{nanoseconds:09d}"
        folder.mkdir()
    except OSError as error:
        raise UsageError(f"cannot write {home}: {error.strerror}") from None
    return folder


def _home() -> Path:
    """Return the folder of all matches that are kept."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "c4-arena" / "matches"


def _remove_oldest() -> None:
    """Remove the oldest matches, so that there is room for one more.

    A match that another referee is playing stays.
    """
    size = 0
    for number, folder in enumerate(kept_folders(), 1):
        size += sum(path.lstat().st_size for path in folder.rglob("*"))
        if (number >= MAX_MATCHES or size > MAX_BYTES) and not _is_in_use(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_in_use(folder: Path) -> bool:
    try:
        with GamesFile(folder / GAMES_FILE):
            return False
    except ArenaError:
        return True
