"""Files and folders of this machine that a bot in the sandbox sees.

These are the folders of the system's programs, some settings in /etc, the program of the bot with
its installation (``programs.py``), the files that its command names (``named.py``), and its own
folder. Everything else does not exist in the sandbox: home folders, other bots, and stored games.

What is visible follows from the bot's table and from this machine. A path that is written in a file
of the bot, in a link or in the first line of a script, adds nothing, because the author of the bot
could change it at any time. ``View.refused`` has such paths, so that errors can name them.
"""

import os
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path

from c4_referee.contain import places
from c4_referee.contain.named import named_paths, program_files, why_not_current
from c4_referee.contain.programs import MAX_LINKS, Programs
from c4_referee.contain.reuse import Reuse
from c4_referee.contain.stored_games import FEW_ENTRIES, MAX_ENTRIES, find_games, holds_games

SETTINGS = """
alternatives dotnet fonts group java* ld.so.cache ld.so.conf ld.so.conf.d localtime lua mono
nsswitch.conf os-release passwd perl R racket ssl/certs ssl/openssl.cnf timezone
"""
"""Settings in /etc that programs and libraries read when they start. None of them is secret."""


@dataclass(frozen=True)
class View:
    """What a bot in the sandbox sees and may write, apart from the system's folders.

    ``seen`` are files and folders that it can only read. ``sources`` has those that lie elsewhere
    on this machine, with their real paths. ``masked`` are files and folders in them that it cannot
    read, because they are those of other bots or hold stored games. ``folder`` is the folder in
    which it starts. It exists in the sandbox, and the bot may write to it if ``is_writable``.
    ``has_folder`` is true if this is its own folder. ``named`` are the files that its command
    names. ``refused`` are paths that only files of the bot name. They are not visible.
    """

    folder: Path
    is_writable: bool
    seen: tuple[Path, ...]
    masked: tuple[Path, ...]
    sources: tuple[tuple[Path, Path], ...] = ()
    has_folder: bool = False
    named: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()

    def shows(self, path: Path) -> bool:
        """Return whether a file or folder of this machine is visible in the sandbox."""
        if places.is_in(path, self.masked):
            return False
        own = (self.folder,) if self.is_writable else ()
        return places.is_in(path, (*self.seen, *own, *places.SYSTEM_FOLDERS, *places.SYSTEM_LINKS))


VIEW_SHARE = 0.01
"""Maximum share of the time in which views of one bot are found."""
VIEWS = Reuse[View](VIEW_SHARE)


@dataclass(frozen=True)
class Sandbox:
    """Settings of a bot's sandbox.

    ``search_path`` is the value of PATH with which its program is found. ``visible`` are folders
    that the bot's table makes visible. ``others`` are the files and folders of the other bots,
    which this bot must not see. ``packages`` are the folders that our own commands need.
    """

    search_path: str = os.defpath
    visible: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    packages: tuple[Path, ...] = ()

    def view(self, command: Sequence[str], cwd: str | None) -> View:
        """Return what a bot with this command and folder sees.

        A view is used again for a time, so that finding views takes at most ``VIEW_SHARE`` of the
        time. Raises ``OSError`` as ``view_of`` does.
        """
        here = os.getcwd()  # noqa: PTH109 - it is only compared
        return VIEWS.get((self, tuple(command), cwd, here), lambda: view_of(command, cwd, self))


@cache
def settings() -> tuple[Path, ...]:
    """Return the settings in /etc that this machine has and a bot can see."""
    names = (sorted(Path("/etc").glob(pattern)) for pattern in SETTINGS.split())
    return tuple(path for path in chain.from_iterable(names) if path.exists())


def view_of(command: Sequence[str], cwd: str | None, sandbox: Sandbox) -> View:
    """Return what a bot with this command sees if it starts now.

    ``cwd`` is its own folder, if it has one.
    Raises ``OSError`` if the own folder holds stored games, or too many files to look for them.
    """
    folder = Path(cwd or ".").resolve()
    own = folder if cwd else None
    others = sandbox.others
    programs = Programs(folder, own, sandbox.search_path, others, sandbox.packages)
    programs.add(command)
    named = [*named_paths(command, folder)]
    links = {path: places.followed(path, folder.parents) for path in named}
    leaving = [_target(path, folder) for path, target in links.items() if target is None]
    owned = [own] if own else []
    chosen = {
        *owned,
        *map(places.absolute, sandbox.visible),
        *(path for path, target in links.items() if _may_show(path, target, own)),
    }
    files = [] if own else program_files(command, folder)
    current = [] if why_not_current(files, folder, others) else files
    shown = {*chosen, *programs.seen, *current}
    seen = places.outermost(path for path in shown if path == own or not holds_games(path))
    foreign = [path for path in others if not places.is_around(path, [*named, *owned])]
    masked = [path for path in foreign if places.is_in(path, seen)]
    view = View(
        folder,
        is_writable=own is not None and not any(folder in path.parents for path in masked),
        seen=(*seen, *settings()),
        masked=tuple(places.outermost([*masked, *_stored_games(seen, chosen, own)])),
        sources=tuple((path, source) for path in seen if (source := places.real(path)) != path),
        has_folder=own is not None,
        named=tuple(named),
    )
    refused = dict.fromkeys((*programs.refused, *leaving))
    return replace(view, refused=tuple(path for path in refused if not view.shows(path)))


def _target(path: Path, folder: Path) -> Path:
    """Return where links lead out of a bot's folder. What is beyond is not looked at."""
    for _ in range(MAX_LINKS):
        inner = [part for part in (*reversed(path.parents), path) if folder in part.parents]
        link = next((part for part in inner or [path] if part.is_symlink()), None)
        if link is None:
            break
        path = places.absolute(link.parent / link.readlink() / path.relative_to(link))
        if not places.is_in(path, [folder]):
            break
    return path


def _may_show(path: Path, target: Path | None, own: Path | None) -> bool:
    """Return whether a named file or folder that leads to ``target`` adds to what is visible."""
    if target is None or not target.exists() or (own and places.is_in(path, [own])):
        return False
    return not (target.is_dir() and places.is_wide(target))


def _stored_games(seen: Sequence[Path], chosen: Collection[Path], own: Path | None) -> list[Path]:
    """Return the folders with stored games that are in visible folders.

    The bot's own folder and those that its table names, ``chosen``, are searched thoroughly.
    """
    found: list[Path] = []
    for root in dict.fromkeys((*seen, *([own] if own else ()))):
        if places.is_system(root) or not root.is_dir():
            continue
        start = places.real(root)
        games = find_games(start, MAX_ENTRIES if root in chosen else FEW_ENTRIES)
        if root == own and not games.is_complete:
            raise OSError(f"its folder has more than {MAX_ENTRIES} entries: remove some of them")
        found += (root / path.relative_to(start) for path in games.folders)
    for path in found:
        if own and places.is_in(own, [path]):
            raise OSError(f"there are stored games in {path}: move them elsewhere")
    return found
