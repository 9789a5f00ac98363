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

from c4_referee.bots.contain import places
from c4_referee.bots.contain.named import named_paths, program_files, why_program_is_hidden
from c4_referee.bots.contain.programs import MAX_LINKS, Programs
from c4_referee.bots.contain.reuse import RecentResults
from c4_referee.bots.contain.stored_games import (
    FEW_SEARCHED_ENTRIES,
    MAX_SEARCHED_ENTRIES,
    find_games,
    is_in_stored_games,
)

SETTINGS_NAMES = """
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
    ``has_folder`` is true if this is its own folder. ``is_shared`` is true if other bots run there,
    too, so that nothing is visible only because it is there. ``named`` are the files that the
    command names. ``refused`` are paths that only files of the bot name. They are not visible.
    """

    folder: Path
    is_writable: bool
    seen: tuple[Path, ...]
    masked: tuple[Path, ...]
    sources: tuple[tuple[Path, Path], ...] = ()
    has_folder: bool = False
    is_shared: bool = False
    named: tuple[Path, ...] = ()
    refused: tuple[Path, ...] = ()

    def shows(self, path: Path) -> bool:
        """Return whether a file or folder of this machine is visible in the sandbox."""
        if places.is_in_one_of(path, self.masked):
            return False
        own = (self.folder,) if self.is_writable else ()
        return places.is_in_one_of(path, (*self.seen, *own)) or places.is_system_path(path)


VIEW_SHARE = 0.01
"""Maximum share of the time in which views of one bot are found."""
RECENT_VIEWS = RecentResults[View](VIEW_SHARE)


@dataclass(frozen=True)
class Sandbox:
    """Settings of a bot's sandbox.

    ``search_path`` is the value of PATH with which its program is found. ``visible`` are folders
    that the bot's table makes visible. ``others`` are the files and folders of the other bots,
    which this bot must not see. ``packages`` are the folders that our own commands need. With
    ``store``, what does not belong to the bot in its own folder is not visible (``ignored.py``).
    ``compiles`` makes the compiled files in it writable.
    ``programs`` are seen besides those of its command. ``masked`` is not seen, wherever it is.
    """

    search_path: str = os.defpath
    visible: tuple[str, ...] = ()
    others: tuple[Path, ...] = ()
    packages: tuple[Path, ...] = ()
    store: str = ""
    compiles: bool = False
    programs: tuple[str, ...] = ()
    masked: tuple[Path, ...] = ()

    def view(self, command: Sequence[str], cwd: str | None) -> View:
        """Return what a bot with this command and folder sees.

        A view is used again for a time, so that finding views takes at most ``VIEW_SHARE`` of the
        time. Raises ``OSError`` as ``view_of`` does.
        """
        here = os.getcwd()  # noqa: PTH109 - it is only compared
        return RECENT_VIEWS.get(
            (self, tuple(command), cwd, here), lambda: view_of(command, cwd, self)
        )


@cache
def settings_folders() -> tuple[Path, ...]:
    """Return the settings in /etc that this machine has and a bot can see."""
    names = (sorted(Path("/etc").glob(pattern)) for pattern in SETTINGS_NAMES.split())
    return tuple(path for path in chain.from_iterable(names) if path.exists())


def view_of(command: Sequence[str], cwd: str | None, sandbox: Sandbox) -> View:
    """Return what a bot with this command sees if it starts now.

    ``cwd`` is its folder, if it has one. It is not its own if ``sandbox.others`` has it, too.
    Raises ``OSError`` if the own folder holds stored games, or too many files to look for them.
    """
    folder = Path(cwd or ".").resolve()
    others = sandbox.others
    is_shared = cwd is not None and folder in others
    own = folder if cwd and not is_shared else None
    programs = Programs(folder, own, sandbox.search_path, others, sandbox.packages)
    programs.add((*sandbox.programs, *command))
    named = [*named_paths(command, folder)]
    links = {path: places.path_within_folder(path, folder.parents) for path in named}
    leaving = [_end_of_links(path, folder) for path, target in links.items() if target is None]
    owned = [own] if own else []
    chosen = {
        *owned,
        *map(places.absolute_path, sandbox.visible),
        *(path for path, target in links.items() if _adds_to_view(path, target, own)),
    }
    files = [] if own else program_files(command, folder)
    current = [] if why_program_is_hidden(files, folder, others) else files
    shown = {*chosen, *programs.seen, *current}
    free = (path for path in shown if path == own or not is_in_stored_games(path))
    seen = places.outermost_paths(free)
    ends = ((path, places.real_path(path)) for path in seen)
    sources = tuple((path, end) for path, end in ends if path != end)
    around = [*named, folder] if cwd else named
    foreign = [path for path in others if not places.contains_one_of(path, around)]
    masked = [path for path in foreign if places.is_in_one_of(path, seen)]
    for path, source in sources:  # no link to a file of another bot shows it
        masked += (
            path / each.relative_to(source) for each in foreign if source in (each, *each.parents)
        )
    hidden = {path for each in sandbox.masked for path in (each, places.real_path(each))}
    masked += [path for path in hidden if places.is_in_one_of(path, seen)]
    in_system = {path for path in map(places.real_path, hidden) if places.is_system_path(path)}
    view = View(
        folder,
        is_writable=own is not None and not any(folder in path.parents for path in masked),
        seen=(*seen, *settings_folders()),
        masked=(
            *places.outermost_paths([*masked, *_folders_with_games(seen, chosen, own)]),
            *in_system,
        ),
        sources=sources,
        has_folder=own is not None,
        is_shared=is_shared,
        named=tuple(named),
    )
    refused = dict.fromkeys((*programs.refused, *leaving))
    return replace(view, refused=tuple(path for path in refused if not view.shows(path)))


def _end_of_links(path: Path, folder: Path) -> Path:
    """Return where links lead out of a bot's folder. What is beyond is not looked at."""
    for _ in range(MAX_LINKS):
        inner = [part for part in (*reversed(path.parents), path) if folder in part.parents]
        link = next((part for part in inner or [path] if part.is_symlink()), None)
        if link is None:
            break
        path = places.absolute_path(link.parent / link.readlink() / path.relative_to(link))
        if not places.is_in_one_of(path, [folder]):
            break
    return path


def _adds_to_view(path: Path, target: Path | None, own: Path | None) -> bool:
    """Return whether a named file or folder that leads to ``target`` adds to what is visible."""
    if target is None or not target.exists() or (own and places.is_in_one_of(path, [own])):
        return False
    return not (target.is_dir() and places.is_shared_folder(target))


def _folders_with_games(
    seen: Sequence[Path], chosen: Collection[Path], own: Path | None
) -> list[Path]:
    """Return the folders with stored games that are in visible folders.

    The bot's own folder and those that its table names, ``chosen``, are searched thoroughly.
    """
    found: list[Path] = []
    for root in dict.fromkeys((*seen, *([own] if own else ()))):
        if places.is_system_path(root) or not root.is_dir():
            continue
        start = places.real_path(root)
        games = find_games(start, MAX_SEARCHED_ENTRIES if root in chosen else FEW_SEARCHED_ENTRIES)
        if root == own and not games.is_complete:
            raise OSError(
                f"its folder has more than {MAX_SEARCHED_ENTRIES} entries: remove some of them"
            )
        found += (root / path.relative_to(start) for path in games.folders)
    for path in found:
        if own and places.is_in_one_of(own, [path]):
            raise OSError(f"there are stored games in {path}: move them elsewhere")
    return found
