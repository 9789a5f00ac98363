"""Matches without ``--out``, and games of people: they are kept for a while in the state folder.

The state folder of the user is that of the XDG Base Directory Specification 0.8. Each match has a
folder as ``--out`` writes it. Its name is the time of its start, so that the names are in order.
Games of people against bots are kept in the same way, in another folder.
"""

import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from os.path import realpath
from pathlib import Path

from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.text import visible
from c4_protocol.rules.position import Seat
from c4_protocol.rules.variant import Variant

from c4_referee.bots.contain.named import named_paths
from c4_referee.bots.contain.places import is_home_folder
from c4_referee.bots.spec import BotSpec
from c4_referee.records.rounds import GameKey, Player, Progress
from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.records.storage.eventlog import GamesFile
from c4_referee.records.storage.folder_archive import GAMES_FILE, FolderArchive, identity_of_bots

MATCHES, PLAYED = "matches", "played"
"""Names of the folders for matches and for games of people against bots."""
MAX_FOLDERS = {MATCHES: 20, PLAYED: 200}
"""Maximum number of matches, and of games of people, that are kept."""
MAX_BYTES = 200_000_000
"""Maximum size of all matches that are kept, in bytes, and of all games of people."""
MAX_PERSON_NAME = 40
"""Maximum length of a person's name, in characters. The rest of a longer name is left out."""
PERSON_COMMAND = ("(a person)",)
"""Command line of a person in stored games. It names no program."""


def kept_folders(kind: str = MATCHES) -> list[Path]:
    """Return the folders of the matches, or games of people, that are kept, the last one first."""
    return [folder for folder in _folders(_home(kind)) if (folder / DATABASE_FILE).is_file()]


def short_name(folder: Path) -> str:
    """Return the name by which commands accept a match that is kept: its start in UTC."""
    return folder.name[: len("2026-11-25-150405-999")]


def kept_folder(name: str) -> Path | None:
    """Return the folder of the match with this short name, or ``None``."""
    return next((folder for folder in kept_folders() if short_name(folder) == name), None)


def last_folder() -> Path:
    """Return the folder of the last match. Raises ``UsageError`` if none is kept."""
    folders = kept_folders()
    if not folders:
        raise UsageError("--last: no match is kept yet: play one, or name a folder")
    return folders[0]


def is_kept_folder(folder: Path) -> bool:
    """Return whether a folder is one of those that are removed after a while."""
    return folder.parent == _home()


def new_folder(bots: Sequence[BotSpec], kind: str = MATCHES) -> Path:
    """Make a folder for a match between ``bots``, and remove the oldest matches if necessary.

    ``kind`` is ``MATCHES``, or ``PLAYED`` for a game of a person.

    Raises ``UsageError`` if the folder is in the folder of a bot, or if it cannot be made.
    """
    home = _home(kind)
    place = Path(realpath(home))
    for bot in bots:
        if any(map(place.is_relative_to, _folders_of(bot))):
            raise UsageError(
                f"{home} is in the folder of bot '{bot.name}', which could change it: name a "
                "folder with --out, or another place with XDG_STATE_HOME"
            )
    try:
        home.mkdir(parents=True, exist_ok=True)
        _remove_oldest(home)
        seconds, nanoseconds = divmod(time.time_ns(), 10**9)
        began = time.strftime("%Y-%m-%d-%H%M%S", time.gmtime(seconds))
        folder = home / f"{began}-{nanoseconds:09d}"
        folder.mkdir()
    except OSError as error:
        raise UsageError(f"cannot write {home}: {error.strerror}") from None
    return folder


def _home(kind: str = MATCHES) -> Path:
    """Return the folder of all matches, or of all games of people, that are kept."""
    state = os.environ.get("XDG_STATE_HOME", "")
    base = Path(state) if Path(state).is_absolute() else Path.home() / ".local" / "state"
    return base / "c4-arena" / kind


def _folders(home: Path) -> list[Path]:
    """Return all folders in a folder, the last one first. Links are left out."""
    try:
        folders = [path for path in home.iterdir() if path.is_dir() and not path.is_symlink()]
    except OSError:
        return []
    return sorted(folders, reverse=True)


def _folders_of(bot: BotSpec) -> set[Path]:
    """Return the folder in which a bot runs, and those of the files that its command names.

    Home folders are left out.
    """
    folder = Path(bot.working_folder or "").resolve()
    named = {path.parent for path in named_paths(bot.command, folder) if path.is_file()}
    own = {folder} if bot.working_folder else set()
    return own | {path for path in named if not is_home_folder(path)}


def _remove_oldest(home: Path) -> None:
    """Remove the oldest matches in a folder, so that there is room for one more.

    A match that another referee is playing stays. Another referee may remove matches now, too.
    """
    size = 0
    for number, folder in enumerate(_folders(home), 1):
        with suppress(OSError):
            for path in folder.rglob("*"):
                size += path.lstat().st_size
        if (number >= MAX_FOLDERS[home.name] or size > MAX_BYTES) and not _is_in_use(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_in_use(folder: Path) -> bool:
    try:
        with GamesFile(folder / GAMES_FILE):
            return False
    except ArenaError:
        return True


def person_spec(name: str) -> BotSpec:
    """Return the spec that stands for a person in a game."""
    return BotSpec(name=name, command=PERSON_COMMAND)


def person_name(text: str | None, bot: BotSpec) -> str:
    """Return a harmless name for a person, which is not the bot's, made of any text."""
    name = visible(" ".join((text or "").split()))[:MAX_PERSON_NAME].strip() or "guest"
    return f"{name} (person)" if name == bot.name else name


def save_game(bot: BotSpec, person: str, variant: Variant, seat: Seat, line: bytes) -> Path:
    """Store a finished game, and return its folder.

    ``seat`` is that of the person, and ``line`` the event ``game_ended``. Raises ``ArenaError`` if
    the game cannot be stored.
    """
    bots = (person_spec(person), bot)[:: 1 if seat == 1 else -1]
    folder = new_folder([bot], PLAYED)
    with FolderArchive(folder, identity_of_bots(bots, variant, ()), bots) as archive:
        archive.record(Progress(1, is_complete=True))
        key = GameKey(Player(0), Player(1))
        archive.issue(key)
        archive.commit(key, line)
    return folder
