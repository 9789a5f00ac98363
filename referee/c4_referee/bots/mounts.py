"""Files and folders of this machine that a bot in the sandbox sees.

These are the folders of the system's programs, some settings in /etc, the program of the bot with
its installation, the files that its command names, and its own folders. Everything else does not
exist in the sandbox: home folders, other bots, and the folder in which the contest is stored.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from c4_referee.bots.agents import without_prefix
from c4_referee.bots.own import package_folders

SYSTEM_FOLDERS = tuple(map(Path, ("/usr", "/nix/store", "/gnu/store")))
"""Folders of the system's programs. They are the same on all machines with the same packages."""
SYSTEM_LINKS = tuple(map(Path, ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")))
"""Folders that are links into /usr on most systems."""
SETTINGS = tuple(
    Path("/etc", name)
    for name in (
        "alternatives",
        "dotnet",
        "fonts",
        "group",
        "ld.so.cache",
        "ld.so.conf",
        "ld.so.conf.d",
        "localtime",
        "lua",
        "mono",
        "nsswitch.conf",
        "os-release",
        "passwd",
        "perl",
        "R",
        "racket",
        "ssl/certs",
        "ssl/openssl.cnf",
        "timezone",
    )
)
"""Settings that programs and libraries read when they start. None of them is secret."""
JAVA_SETTINGS = "java*"
"""Pattern of the settings of Java in /etc."""
BIN_FOLDERS = frozenset({"bin", "sbin", "shims", "Scripts"})
"""Names of folders with the programs of an installation."""
INSTALLED = ("bin", "lib", "lib64", "libexec", "pyvenv.cfg")
"""Parts of an installation that are visible if there are other things in its folder."""
SHARED_INSTALLATIONS = (".local", ".cargo")
"""Folders in a home folder that hold programs, but also secrets of the user."""


@dataclass(frozen=True)
class View:
    """What a bot in the sandbox sees and may write, apart from the system's folders.

    ``seen`` are files and folders that it can only read, and ``masked`` are files and folders in
    them that it cannot read, because they are those of other bots. ``folder`` is the folder in
    which it starts. It exists in the sandbox, and the bot may write to it if ``is_writable``.
    """

    folder: Path
    is_writable: bool
    seen: tuple[Path, ...]
    masked: tuple[Path, ...]

    def shows(self, path: Path) -> bool:
        """Return whether a file or folder of this machine is visible in the sandbox."""
        if _is_in(path, self.masked):
            return False
        own = (self.folder,) if self.is_writable else ()
        return _is_in(path, (*self.seen, *own, *SYSTEM_FOLDERS, *SYSTEM_LINKS))


def settings() -> list[Path]:
    """Return the settings in /etc that this machine has and a bot can see."""
    java = Path("/etc").glob(JAVA_SETTINGS)
    return [path for path in (*SETTINGS, *sorted(java)) if path.exists()]


def view_of(
    command: Sequence[str],
    cwd: str | None,
    search_path: str,
    visible: Sequence[str] = (),
    others: Iterable[Path] = (),
) -> View:
    """Return what a bot with this command sees.

    ``cwd`` is its own folder, if it has one. ``search_path`` is the value of PATH. ``visible`` are
    further folders that its table names. ``others`` are the files and folders of the other bots.
    """
    here = Path.cwd()
    own = Path(cwd).resolve() if cwd else None
    further = tuple(_absolute(name) for name in visible)
    return _view(tuple(command), here, own, search_path, further, tuple(others))


@lru_cache(256)
def _view(
    command: tuple[str, ...],
    here: Path,
    own_folder: Path | None,
    search_path: str,
    visible: tuple[Path, ...],
    others: tuple[Path, ...],
) -> View:
    folder = own_folder or here
    named = [*named_paths(command, folder)]
    own = [folder] if own_folder else []
    found = [
        *_installations(command, folder, search_path),
        *(_with_folder(path, folder, others) for path in named),
        *visible,
        *own,
    ]
    seen = _outermost((*found, *settings()))
    foreign = [path for path in others if not _is_in_any_way(path, (*named, *own))]
    masked = [path for path in foreign if _is_in(path, seen)]
    is_writable = bool(own) and not any(folder in path.parents for path in masked)
    return View(folder, is_writable, tuple(seen), tuple(masked))


def own_paths(command: Sequence[str], cwd: str | None) -> list[Path]:
    """Return the files and folders of a bot that other bots must not see.

    Programs are not among them, because bots may share an interpreter.
    """
    folder = Path(cwd or ".").resolve()
    named = named_paths(command, folder)
    files = [path for path in named if path.parent.name not in BIN_FOLDERS]
    return [*files, folder] if cwd else files


def named_paths(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the files and folders that words of a command name. Paths start at the bot's folder.

    A word may also be an option with a path, such as ``--model=FILE``, or a list of paths with
    colons. Folders around the bot's folder, such as ``..``, and home folders are left out, because
    files of other people may be there. So are the folders of the system.
    """
    for text in {part for word in without_prefix(command) for part in _parts(word) if part}:
        path = Path(os.path.normpath(folder / text))
        if os.path.isdir(path):  # noqa: PTH112 - Path's raises for long words
            is_own = not (_is_wide(path) or _is_in(folder, [path]))
        else:
            is_own = os.path.exists(path)  # noqa: PTH110
        if is_own and not _is_in(path, (*SYSTEM_FOLDERS, *SYSTEM_LINKS)):
            yield path


def _parts(word: str) -> Iterable[str]:
    """Return a word of a command, and parts of it that may be paths."""
    value = word.partition("=")[2]
    return {word: None, value: None, **dict.fromkeys((value or word).split(os.pathsep))}


def _with_folder(path: Path, folder: Path, others: Iterable[Path]) -> Path:
    """Return the folder of a file if the whole folder is the bot's, otherwise the path itself."""
    around = path.parent
    is_common = around == folder or around in folder.parents or _is_wide(around)
    if (
        is_common
        or path.is_dir()
        or any(_is_in(other, [around]) and other != path for other in others)
    ):
        return path
    return around


def _installations(command: Sequence[str], folder: Path, search_path: str) -> Iterator[Path]:
    """Yield the installations of programs that a command names, outside of the system's folders.

    A program may be started by another one, as in ``nice python3 bot.py``. The first word may be a
    script, which names its interpreter.
    """
    for word in command:
        for program in _programs(word, folder, search_path):
            for path in _links(program):
                yield from _installation(path, is_searched=os.sep not in word)


def _programs(word: str, folder: Path, search_path: str) -> Iterator[Path]:
    """Yield the program that a word names, if there is one, and the interpreter of a script."""
    name = os.path.join(folder, word) if os.sep in word else word  # noqa: PTH118 - keeps "./"
    try:
        found = shutil.which(name, path=search_path)
    except (OSError, ValueError):  # the word is too long
        found = None
    if found is None:
        return
    yield _absolute(found)
    for interpreter in _interpreter(found):
        if path := shutil.which(interpreter, path=search_path):
            yield Path(path)


def _interpreter(script: str) -> list[str]:
    """Return the words of the first line of a script after ``#!``, without options."""
    try:
        with open(script, "rb") as file:  # noqa: PTH123 - it is a text
            line = file.readline(256)
    except OSError:
        return []
    words = line[2:].decode(errors="replace").split() if line.startswith(b"#!") else []
    return [word for word in words if not word.startswith("-")]


def _links(path: Path) -> Iterator[Path]:
    """Yield a path, and the paths to which it leads if it is a link or in a linked folder."""
    real = Path(os.path.realpath(path))
    for _ in range(40):  # as many links as the kernel follows
        yield path
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield real


def _installation(program: Path, *, is_searched: bool) -> Iterator[Path]:
    """Yield the files and folders that a program outside of the system's folders needs.

    ``is_searched`` is true for a program that was found on the search path.
    """
    if _is_in(program, (*SYSTEM_FOLDERS, *SYSTEM_LINKS)):
        return
    yield program
    if program.name == "rustup":  # cargo and rustc are links to it
        yield from filter(Path.exists, [user_home() / ".rustup"])
    if program.parent.name in BIN_FOLDERS:
        yield from _prefix(program.parent.parent, is_searched=is_searched)
    elif is_searched and not _is_wide(program.parent):
        yield program.parent


def _prefix(prefix: Path, *, is_searched: bool) -> Iterator[Path]:
    """Yield the parts of an installation, and the installation on which it is based."""
    base = _base_of_venv(prefix)
    if not _is_wide(prefix):
        yield prefix
    elif base or (is_searched and not _is_home(prefix)):
        yield from (prefix / name for name in INSTALLED if (prefix / name).exists())
    if base:
        yield from _installation(base / "python3", is_searched=True)
    if prefix in {Path(sys.prefix), Path(sys.base_prefix)}:
        yield from package_folders()  # c4-bot may run in the sandbox, too


def _base_of_venv(prefix: Path) -> Path | None:
    """Return the folder of the Python with which a virtual environment was made."""
    try:
        lines = (prefix / "pyvenv.cfg").read_text(errors="replace").splitlines()
    except OSError:
        return None
    pairs = (line.partition("=") for line in lines)
    values = {name.strip(): value.strip() for name, _, value in pairs}
    return Path(values["home"]) if values.get("home") else None


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths without those that are in another one, or in a folder of the system."""
    kept = [*SYSTEM_FOLDERS, *SYSTEM_LINKS]
    for path in sorted(set(paths), key=lambda path: len(path.parts)):
        if not _is_in(path, kept):
            kept.append(path)
    return kept[len(SYSTEM_FOLDERS) + len(SYSTEM_LINKS) :]


def _is_wide(folder: Path) -> bool:
    """Return whether a folder may hold things of several people, as a home folder does."""
    shared = [user_home() / name for name in SHARED_INSTALLATIONS]
    return _is_home(folder) or _is_in(Path.cwd(), [folder]) or folder in shared


def _is_home(folder: Path) -> bool:
    """Return whether this is a home folder, a folder with home folders, or a top-level folder."""
    homes = {user_home(), user_home().resolve()}
    is_around = any(_is_in(home, [folder]) for home in homes)
    return is_around or len(folder.parts) <= 2 or folder.parent in {home.parent for home in homes}


def user_home() -> Path:
    """Return the home folder of the user; ``/`` if the user has none, as in some containers."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def _absolute(name: str) -> Path:
    """Return the absolute path of a file. Links are not followed."""
    return Path(os.path.abspath(name))  # noqa: PTH100


def _is_in(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path is one of these folders or in one of them."""
    return not _with_parents(path).isdisjoint(folders)


@lru_cache(4096)
def _with_parents(path: Path) -> frozenset[Path]:
    return frozenset((path, *path.parents))


def _is_in_any_way(path: Path, others: Iterable[Path]) -> bool:
    """Return whether a path is one of the others, or around one of them."""
    return any(_is_in(other, [path]) for other in others)
