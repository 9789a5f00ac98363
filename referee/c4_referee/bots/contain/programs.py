"""Programs that a command names, and the installations that they need.

What a name finds on the search path is trusted, and so is a program that the command names by a
path outside of the bot's own folder: links and files there may name further installations. Files of
the bot itself are not trusted, because its author could change them at any time. In these, only
names count, which are looked up on the search path. Paths that they name are ``refused``.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from c4_referee.bots.contain import places
from c4_referee.bots.contain.stored_games import is_in_stored_games
from c4_referee.system.safe_files import read_start

BIN_FOLDERS = frozenset({"bin", "sbin", "shims", "Scripts"})
"""Names of folders with the programs of an installation."""
INSTALLATION_PARTS = ("bin", "lib", "lib64", "libexec", "pyvenv.cfg")
"""Parts of an installation that are visible if there are other things in its folder."""
SIGNS_OF_INSTALLATION = ("lib", "lib64", "pyvenv.cfg", "conda-meta")
"""Entries of a folder that show that it is an installation."""
MAX_LINKS = 40
"""Number of links that the kernel follows in a path."""
MAX_SETTINGS_BYTES = 1 << 16
"""Number of bytes that are read of ``pyvenv.cfg``."""


@dataclass
class Programs:
    """Installations of the programs that words of a command name.

    Relative paths start at ``folder``. ``own`` is the bot's own folder, if it has one. ``others``
    are the files and folders of the other bots. ``packages`` are the folders that our own commands
    need. They are shown with the Python of this process. ``seen`` are the files and folders that
    the programs need. ``refused`` are paths that only files of the bot itself name.
    """

    folder: Path
    own: Path | None
    search_path: str
    others: Sequence[Path] = ()
    packages: Sequence[Path] = ()
    seen: list[Path] = field(default_factory=list)
    refused: list[Path] = field(default_factory=list)

    def add(self, command: Iterable[str]) -> None:
        """Add what the words of a command need. A program may start another one, as nice does."""
        for word in command:
            if os.sep not in word:
                if program := self._find_on_search_path(word):
                    self._add_installed(program, is_searched=True)
            elif _is_program(path := places.absolute_path(self.folder / word)):
                self._add_path(path)

    def _add_path(self, program: Path) -> None:
        """Add a program that the command names by its path."""
        is_searched = program == Path(sys.executable) or program.parent in self._search_folders
        if is_searched or (self.own and not self._is_own(program)):
            self._add_installed(program, is_searched=is_searched)
            return
        self._add_names(program)
        prefix = program.parent.parent
        may_add = program.parent.name in BIN_FOLDERS and not self._is_own(program)
        if may_add and places.path_within_folder(prefix, self.folder.parents):
            self._add_prefix(prefix, is_searched=False)

    def _add_installed(self, program: Path, *, is_searched: bool) -> None:
        """Add a trusted program with its installation, and the interpreter of a script."""
        for path in _path_and_link_targets(program):
            if self._is_own(path):
                self._add_names(path)
                return
            self._add_installation(path, is_searched=is_searched)
        for word in _interpreter(program):
            self._add_program_on_path(word, is_searched=is_searched)

    def _add_names(self, program: Path) -> None:
        """Add what a program of the bot itself needs: what names find on the search path.

        These are its own name, as for the ``python`` of a virtual environment, and those in the
        first line of a script.
        """
        home = self.own or places.real_path(program.parent)
        leads_out = not places.is_in_one_of(places.real_path(program), [home])
        words = [] if leads_out else _interpreter(program)
        self.refused += [Path(word) for word in words if word.startswith(os.sep)]
        for name in (program.name, *(word for word in words if os.sep not in word)):
            self._add_program_on_path(name)
        if program.name.startswith("python"):  # the environment may be made with the referee's
            self._add_base_python(Path(sys.base_prefix, "bin"))
        for path in filter(self._is_own, (program, places.real_path(program))):
            if base := _home_of_venv(path.parent.parent):
                self.refused.append(base.parent)

    def _add_program_on_path(self, name: str, *, is_searched: bool = True) -> None:
        """Add the installations of the program that a name finds on the search path, if any."""
        found = self._find_on_search_path(name)
        for path in _path_and_link_targets(found) if found else ():
            if not self._is_own(path):
                self._add_installation(path, is_searched=is_searched)

    def _add_installation(self, program: Path, *, is_searched: bool) -> None:
        """Add the files and folders that a program outside of the system's folders needs.

        ``is_searched`` is true for a program that was found on the search path.
        """
        if places.is_system_path(program):
            return
        self.seen.append(program)
        if program.name == "rustup":  # cargo and rustc are links to it
            self.seen += filter(Path.exists, [places.user_home() / ".rustup"])
        if program.parent.name in BIN_FOLDERS:
            self._add_prefix(program.parent.parent, is_searched=is_searched)
        elif is_searched and not places.is_shared_folder(program.parent):
            self.seen.append(program.parent)

    def _add_prefix(self, prefix: Path, *, is_searched: bool) -> None:
        """Add the parts of an installation, and the Python on which an environment is based."""
        if not is_searched and not self._is_installation(prefix):
            return
        home = _home_of_venv(prefix)
        if not places.is_shared_folder(prefix):
            self.seen.append(prefix)
        elif home or (is_searched and not places.is_home_folder(prefix)):
            self.seen += self._parts_of(prefix)
        if home:
            self._add_base_python(home)
        if prefix in {Path(sys.prefix), Path(sys.base_prefix)}:
            self.seen += self.packages  # c4-bot may run in the sandbox, too

    def _add_base_python(self, home: Path) -> None:
        """Add the Python with which an environment was made, if ``home`` is its ``bin``."""
        has_library = any(path.is_dir() for path in home.parent.glob("lib/python3*"))
        if home.name == "bin" and has_library and (home / "python3").is_file():
            self.seen += self._parts_of(home.parent)
        else:
            self.refused.append(home.parent)

    def _parts_of(self, prefix: Path) -> Iterator[Path]:
        """Yield the parts of an installation that hold programs, except links to elsewhere."""
        parts = (prefix / name for name in INSTALLATION_PARTS)
        outer = self.folder.parents
        return (part for part in parts if part.exists() and places.path_within_folder(part, outer))

    def _is_installation(self, prefix: Path) -> bool:
        """Return whether a folder is an installation, without stored games and other bots."""
        return (
            any((prefix / sign).exists() for sign in SIGNS_OF_INSTALLATION)
            and not is_in_stored_games(prefix)
            and not places.contains_one_of(prefix, self.others)
        )

    def _is_own(self, path: Path) -> bool:
        """Return whether a path is in the bot's own folder, or leads there."""
        return self.own is not None and (
            places.is_in_one_of(path, [self.own])
            or places.is_in_one_of(places.real_path(path.parent), [self.own])
        )

    @property
    def _search_folders(self) -> set[Path]:
        """Folders of the search path, except those of the bot itself."""
        names = filter(None, self.search_path.split(os.pathsep))
        folders = map(places.absolute_path, names)
        return {folder for folder in folders if not self._is_own(folder / "program")}

    def _find_on_search_path(self, name: str) -> Path | None:
        """Return the program that a name finds on the search path, if any."""
        try:
            found = shutil.which(name, path=self.search_path)
        except (OSError, ValueError):  # the word is too long
            return None
        return places.absolute_path(found) if found else None


def _is_program(path: Path) -> bool:
    """Return whether a path may be that of a program. A link that leads nowhere may be one."""
    try:
        return path.is_symlink() or (path.is_file() and os.access(path, os.X_OK))
    except (OSError, ValueError):  # the word is too long
        return False


def _interpreter(script: Path) -> list[str]:
    """Return the words of the first line of a script after ``#!``, without options."""
    try:
        line = read_start(script, 256).partition(b"\n")[0]
    except OSError:
        return []
    words = line[2:].decode(errors="replace").split() if line.startswith(b"#!") else []
    return [word for word in words if not word.startswith("-") and "\0" not in word]


def _path_and_link_targets(path: Path) -> Iterator[Path]:
    """Yield a path, and the paths to which it leads if it is a link or in a linked folder."""
    last = places.real_path(path)
    for _ in range(MAX_LINKS):
        yield path
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield last


def _home_of_venv(prefix: Path) -> Path | None:
    """Return the folder of the Python with which a virtual environment says it was made."""
    try:
        text = read_start(prefix / "pyvenv.cfg", MAX_SETTINGS_BYTES).decode(errors="replace")
    except OSError:
        return None
    pairs = (line.partition("=") for line in text.splitlines())
    home = {name.strip(): value.strip() for name, _, value in pairs}.get("home", "")
    return places.absolute_path(home) if home.startswith(os.sep) and "\0" not in home else None
