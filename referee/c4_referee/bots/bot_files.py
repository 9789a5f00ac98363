"""Watch over the files of a bot, which notices if a bot rewrites itself during a contest.

The files are those that the bot's fingerprint covers: its program, the files that its command
names, and everything in its ``folder``. Their state is read when the contest begins, on the machine
on which the bot runs. Later, the size, the times and the inode of each file are compared. Only if
one of these differs, the content is read. A bot may change these files meanwhile, so reading them
never waits and reads a limited number of bytes.

Links out of the bot's own folder are not followed, and only their targets are compared. Otherwise,
notes about changes would say which files exist on this machine.

A change is not noticed if the bot restores the old content before the files are compared again.
Without a ``folder``, modules that the bot imports are not watched.

Workers import this module, so it imports nothing large before it is needed.
"""

import os
import shutil
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from c4_referee.bots.agents import command_without_prefix
from c4_referee.bots.contain.ignored import IGNORED_NAMES
from c4_referee.bots.contain.places import absolute_path, is_in_one_of, real_path
from c4_referee.bots.own import COMMAND_FILES, script_of
from c4_referee.bots.spec import BotSpec
from c4_referee.system.safe_files import open_file

MAX_READ_BYTES = 256 << 20
"""Maximum number of bytes that one comparison reads. Further files are not read. A file that was
not read counts as changed as soon as its size, its times or its inode differ."""
CHUNK_BYTES = 1 << 20
MIN_WALK_SECONDS, MAX_WALK_SHARE = 1.0, 0.01
"""Minimum time between two walks through a bot's folder in seconds, and the maximum share of the
time that these walks may take."""
MAX_LISTED_FILES = 3
"""Maximum number of files that the description of a change names."""
MAX_SHOWN_NAME = 60
"""Maximum length of a name in such a description. The beginning of a longer name is left out."""


@dataclass(frozen=True, slots=True)
class FileState:
    """State of a file: what the system says of it, and its content.

    ``status`` is empty if there is no such file. ``content`` has the SHA-256 and whether the file
    is a program. It is empty if the file was not read.
    """

    status: str = ""
    content: str = ""


MISSING_FILE = FileState()
FileStates = dict[str, FileState]
"""States of a bot's files by path."""


class FileWatch:
    """Comparison of a bot's files with their states at the start of the contest, ``states``."""

    def __init__(self, bot: BotSpec, states: FileStates) -> None:
        self.states = dict(states)
        self._named = {key: path for key, path in _named_paths(bot).items() if key in states}
        self._folder = bot.folder
        self._home = absolute_path(bot.working_folder) if bot.working_folder else None
        self._next_walk = 0.0

    def find_changes(self) -> list[str]:
        """Return the paths of the files whose content differs from their last known state.

        Later calls compare with the new state.
        """
        if self._folder is None or time.monotonic() < self._next_walk:
            return self._keys_of_changed(self._named)
        start = time.monotonic()
        paths: dict[str, str | None] = dict.fromkeys(self.states)
        inner = entries_in(self._folder, ignore_errors=True)  # it may change meanwhile
        paths |= self._named | {_path_key(entry.path): entry.path for entry in inner}
        changed = self._keys_of_changed(paths)
        now = time.monotonic()
        self._next_walk = now + max(MIN_WALK_SECONDS, (now - start) / MAX_WALK_SHARE)
        return changed

    def _keys_of_changed(self, paths: Mapping[str, str | None]) -> list[str]:
        """Return the keys of ``paths`` whose content differs. ``None`` is a file that is gone."""
        changed, room = [], MAX_READ_BYTES
        for key, path in paths.items():
            before = self.states.get(key, MISSING_FILE)
            outer = _link_out_of(self._home, path)
            status, size = (outer, 0) if outer else _status_of(path)
            if status != before.status:
                content = outer
                if path and status and size <= room:
                    content = outer or _digest_of_content(path, status, size)
                room -= size if content else 0
                self.states[key] = FileState(status, content)
                if not content or content != before.content:
                    changed.append(key)
        return changed


def states_of(bot: BotSpec) -> FileStates:
    """Return the states of a bot's files now."""
    watch = FileWatch(bot, dict.fromkeys(_named_paths(bot), MISSING_FILE))
    watch.find_changes()
    return {path: state for path, state in watch.states.items() if state != MISSING_FILE}


def changes_in_words(changed: Sequence[str], bot: BotSpec) -> str:
    """Return a text that names the first of these files. Control characters are escaped."""
    home = os.path.normpath(bot.working_folder or "")
    names = [_shown_name(path.removeprefix(f"{home}/")) for path in changed[:MAX_LISTED_FILES]]
    if len(changed) > MAX_LISTED_FILES:
        names.append(f"{len(changed) - MAX_LISTED_FILES} more")
    return ", ".join(names)


def named_files(bot: BotSpec) -> list[Path]:
    """Return the paths of a bot's program and of all words of its command, files or not."""
    name, *words = command_without_prefix(bot.command)
    if name in COMMAND_FILES:
        program = script_of(name)
    else:
        program = shutil.which(bot.command[0], path=bot.environment()["PATH"]) or name
    return [Path(bot.working_folder or "", word) for word in (program, *words) if word is not None]


def entries_in(folder: str | Path, *, ignore_errors: bool = False) -> Iterator["os.DirEntry[str]"]:
    """Yield the entries of a folder and of the folders in it, except ``IGNORED_NAMES``.

    A folder comes before its entries, which are sorted by name. Raises ``OSError`` if a folder
    cannot be read, or leaves out its entries with ``ignore_errors``.
    """
    waiting = _sorted_entries(folder, ignore_errors)
    while waiting:
        entry = waiting.pop()
        if entry.name not in IGNORED_NAMES or entry.is_symlink():
            yield entry
            if entry.is_dir(follow_symlinks=False):
                waiting += _sorted_entries(entry.path, ignore_errors)


def _sorted_entries(folder: str | Path, ignore_errors: bool) -> list["os.DirEntry[str]"]:
    """Return the entries of a folder, sorted by name, the last one first."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name, reverse=True)
    except OSError:
        if ignore_errors:
            return []
        raise


def _named_paths(bot: BotSpec) -> dict[str, str]:
    """Return the paths of ``named_files`` by key."""
    return {_path_key(str(path)): str(path) for path in named_files(bot)}


def _path_key(path: str) -> str:
    """Return a path in its normal form as text that can be encoded. A name may be any bytes."""
    return os.path.normpath(path).encode(errors="backslashreplace").decode()


def _link_out_of(home: Path | None, path: str | None) -> str:
    """Return where a link leads if this is outside of the bot's folder ``home``, otherwise ""."""
    if home is None or path is None or not is_in_one_of(absolute_path(path), [home]):
        return ""
    link = Path(path)
    if is_in_one_of(real_path(link), [real_path(home)]):
        return ""
    return f"link to {link.readlink() if link.is_symlink() else 'another folder'}"


def _status_of(path: str | None) -> tuple[str, int]:
    """Return what changes whenever a file is written, and its size.

    A folder has no size. Return ("", 0) for what is neither a file nor a folder.
    """
    try:
        status = os.stat(path or "")  # noqa: PTH116 - this runs before every start of a bot
    except (OSError, ValueError):
        return "", 0
    if stat.S_ISDIR(status.st_mode) and path:
        return f"link to {Path(path).readlink()}" if os.path.islink(path) else "folder", 0  # noqa: PTH114
    if not stat.S_ISREG(status.st_mode):
        return "", 0
    times = f"{status.st_mtime_ns} {status.st_ctime_ns}"
    known = f"{status.st_dev} {status.st_ino} {status.st_size} {times} {status.st_mode & 0o100}"
    return known, status.st_size


@lru_cache(maxsize=1024)  # many bots have the same interpreter
def _digest_of_content(path: str, status: str, size: int) -> str:
    """Return the ``content`` for a file's first ``size`` bytes, or "" if it cannot be read.

    If the file has been replaced by a pipe, this does not wait.
    """
    from hashlib import sha256  # noqa: PLC0415 - it is needed only after a change

    digest = sha256()
    try:
        with open_file(path) as file:
            while size > 0 and (chunk := file.read(min(size, CHUNK_BYTES))):
                digest.update(chunk)
                size -= len(chunk)
    except OSError:
        return ""
    return digest.hexdigest() + status.rpartition(" ")[2]


def _shown_name(name: str) -> str:
    """Return a name as printable text, without its beginning if it is long."""
    text = name if name.isprintable() else ascii(name)[1:-1]
    return text if len(text) <= MAX_SHOWN_NAME else f"...{text[-MAX_SHOWN_NAME:]}"
