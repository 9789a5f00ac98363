"""Folders of this machine: those of the system, home folders, and folders that people share."""

import os
from collections.abc import Collection, Iterable
from functools import lru_cache
from pathlib import Path

SYSTEM_FOLDERS = tuple(map(Path, ("/usr", "/nix/store", "/gnu/store")))
"""Folders of the system's programs. They are the same on all machines with the same packages."""
SYSTEM_LINKS = tuple(map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""Folders that are links into /usr on most systems."""
SHARED_INSTALLATIONS = (".local", ".cargo")
"""Folders in a home folder that hold programs, but also secrets of the user."""


def is_system_path(path: Path) -> bool:
    """Return whether a path is in a folder of the system's programs."""
    return is_in_one_of(path, (*SYSTEM_FOLDERS, *SYSTEM_LINKS))


def is_shared_folder(folder: Path) -> bool:
    """Return whether a folder may hold things of several people, as a home folder does."""
    shared = [user_home() / name for name in SHARED_INSTALLATIONS]
    return is_home_folder(folder) or is_in_one_of(Path.cwd(), [folder]) or folder in shared


def is_home_folder(folder: Path) -> bool:
    """Return whether this is a home folder, a folder with home folders, or a top-level folder."""
    homes = {user_home(), user_home().resolve()}
    holds_home = any(is_in_one_of(home, [folder]) for home in homes)
    return holds_home or len(folder.parts) <= 2 or folder.parent in {home.parent for home in homes}


def user_home() -> Path:
    """Return the home folder of the user; ``/`` if the user has none, as in some containers."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def absolute_path(name: str | Path) -> Path:
    """Return the absolute path of a file, without ``..``. Links are not followed."""
    return Path(os.path.abspath(name))  # noqa: PTH100


def real_path(path: Path) -> Path:
    """Return the path to which a path leads if all links are followed."""
    return Path(os.path.realpath(path))


def path_within_folder(path: Path, trusted: Collection[Path]) -> Path | None:
    """Return the real path of a file, or ``None`` if a link on the way leads out of its folder.

    Links in the ``trusted`` folders may lead anywhere, except ``path`` itself.
    """
    parts = (*reversed(path.parents), path)
    links = (part for part in parts if part == path or part.parent not in trusted)
    if any(
        link.is_symlink() and not is_in_one_of(real_path(link), [real_path(link.parent)])
        for link in links
    ):
        return None
    return real_path(path)


def outermost_paths(paths: Iterable[Path]) -> list[Path]:
    """Return the paths without those that are in another one, or in a folder of the system."""
    kept = [*SYSTEM_FOLDERS, *SYSTEM_LINKS]
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not is_in_one_of(path, kept):
            kept.append(path)
    return kept[len(SYSTEM_FOLDERS) + len(SYSTEM_LINKS) :]


def is_in_one_of(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path is one of these folders or in one of them."""
    return not _path_and_parents(path).isdisjoint(folders)


def contains_one_of(path: Path, others: Iterable[Path]) -> bool:
    """Return whether a path is one of the others, or around one of them."""
    return any(is_in_one_of(other, [path]) for other in others)


@lru_cache(4096)
def _path_and_parents(path: Path) -> frozenset[Path]:
    return frozenset((path, *path.parents))
