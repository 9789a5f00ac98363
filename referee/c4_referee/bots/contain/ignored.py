"""Files in a bot's folder that do not belong to the bot: those of git, and Python's compiled files.

They are no part of its fingerprint, because they appear when a person works with the bot or runs
it. So what a bot puts there in one game must have no effect in the next one. In the sandbox, these
folders are empty and read-only at each start. Otherwise, every start would have to compile all
modules, which takes longer than to start Python. So modules are compiled once for each contest, in
the sandbox, before the bot has run. Their compiled files are kept in a folder of the referee
(``store``) and shown where Python looks for them. With ``PYTHONPYCACHEPREFIX``, Python would also
compile its own library at each start.

A folder with installed packages, such as a virtual environment, keeps its compiled files and is
read-only. The bot cannot put another one in its place by renaming a folder around it. Only files
that are part of the bot's fingerprint make a folder one of these.
"""

import os
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from c4_referee.bots.contain.mounts import Sandbox, View

IGNORED_NAMES = frozenset({"__pycache__", ".git"})
"""Names of files and folders that do not belong to a bot. Links with these names belong to it."""
SIGNS_OF_PACKAGES = frozenset({"pyvenv.cfg", "os.py"})
"""Files of virtual environments and of Python's library. Folders of installed packages have a file
``RECORD`` for each of them."""


def unlisted_mounts(view: View, sandbox: Sandbox) -> Iterator[tuple[str, ...]]:
    """Yield the options of bubblewrap for what does not belong to a bot in its own folder."""
    is_needed = view.is_writable and sandbox.store
    bind = "--bind" if sandbox.compiles else "--ro-bind"
    found = [*own_folders(str(view.folder), view.masked)] if is_needed else []
    yield from (("--bind", path, path) for path in _around_packages(view.folder, found))
    for path, entries in found:
        if entries is None:
            yield ("--ro-bind", path, path)
            continue
        kinds = {entry.name: entry for entry in entries if entry.name in IGNORED_NAMES}
        cache, kept = kinds.pop("__pycache__", None), place_in_store(path, sandbox.store)
        has_room = os.access(path, os.W_OK) if cache is None else cache.is_dir()
        if has_room and os.path.isdir(kept):  # noqa: PTH112 - this runs before every start of a bot
            yield (bind, kept, f"{path}/__pycache__")
        elif cache:
            kinds[cache.name] = cache
        for entry in kinds.values():
            if entry.is_dir(follow_symlinks=False):
                yield ("--size", "4096", "--tmpfs", entry.path, "--remount-ro", entry.path)
            elif not entry.is_symlink():
                yield ("--ro-bind", os.devnull, entry.path)


def own_folders(
    folder: str, masked: Collection[Path] = ()
) -> Iterator[tuple[str, "list[os.DirEntry[str]] | None"]]:
    """Yield a folder and those in it with their entries, or ``None`` for one with packages.

    Links are not followed.
    """
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        try:
            with os.scandir(path) as found:
                entries = [*found]
        except OSError:
            continue
        if path != folder and _has_packages(entries):
            yield path, None
            continue
        yield path, entries
        for entry in entries:
            is_own = entry.name not in IGNORED_NAMES and entry.is_dir(follow_symlinks=False)
            if is_own and Path(entry.path) not in masked:
                waiting.append(entry.path)


def _around_packages(
    folder: Path, found: "list[tuple[str, list[os.DirEntry[str]] | None]]"
) -> list[str]:
    """Return the folders in a folder that hold others with packages, outer ones first.

    If such a folder is the root of a mount, the bot cannot rename it.
    """
    packages = (Path(path) for path, entries in found if entries is None)
    return sorted(
        {str(path) for each in packages for path in each.parents if folder in path.parents}
    )


def modules_to_compile(command: Sequence[str], folder: str, store: str) -> list[str]:
    """Return the modules of a bot that its command does not name, and make places for them."""
    modules = []
    for path, entries in own_folders(folder):
        names = {entry.name for entry in entries or () if entry.name.endswith(".py")}
        if names := {name for name in names if name not in map(os.path.basename, command)}:
            os.mkdir(place_in_store(path, store))  # noqa: PTH102
            modules += [f"{path}/{name}" for name in sorted(names)]
    return modules


def place_in_store(path: str, store: str) -> str:
    """Return the folder for the compiled files of the modules in a folder."""
    return f"{store}/{sha256(os.fsencode(path)).hexdigest()}"


def _has_packages(entries: Sequence["os.DirEntry[str]"]) -> bool:
    """Return whether a folder with these entries is an installation or has installed packages."""
    return any(
        (entry.name in SIGNS_OF_PACKAGES and entry.is_file(follow_symlinks=False))
        or (
            entry.name.endswith(".dist-info")
            and entry.is_dir(follow_symlinks=False)
            and os.path.isfile(f"{entry.path}/RECORD")  # noqa: PTH113
        )
        for entry in entries
    )
