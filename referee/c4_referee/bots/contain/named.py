"""Files and folders that the words of a command name."""

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from c4_referee.bots.contain import places
from c4_referee.bots.contain.programs import BIN_FOLDERS
from c4_referee.bots.contain.stored_games import is_in_stored_games

PROGRAM_ENDINGS = (".class", ".jar", ".py", ".js")
PROGRAM_NAMES = frozenset({"package.json"})
"""Endings and names of the files that a command shows that names the current folder."""
MAX_PROGRAM_FILES = 1000
"""Maximum number of such files. If there are more, none of them is shown."""
MODULE_OPTION = re.compile(r"-[A-Za-z]*m")
MODULE_NAME = re.compile(r"[A-Za-z_]\w{0,99}(\.\w{1,100}){0,20}", re.ASCII)
"""Patterns of the option of Python that names a module, and of names of modules and classes."""


def named_paths(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the files and folders that words of a command name. Paths start at the bot's folder.

    A word may also be an option with a path, such as ``--model=FILE``, or a list of paths with
    colons. Folders around the bot's folder, such as ``..``, and home folders are left out, because
    files of other people may be there. So are the folders of the system. Links are yielded even if
    they lead nowhere.
    """
    for text in {part for word in command for part in _possible_paths(word) if part}:
        path = places.absolute_path(folder / text)
        if os.path.isdir(path):  # noqa: PTH112 - Path's raises for long words
            is_own = not (places.is_shared_folder(path) or places.is_in_one_of(folder, [path]))
        else:
            is_own = os.path.lexists(path)
        if is_own and not places.is_system_path(path):
            yield path


def paths_hidden_from_others(command: Sequence[str], cwd: str | None) -> list[Path]:
    """Return the files and folders of a bot that other bots must not see.

    Programs are not among them, because bots may share an interpreter.
    """
    folder = Path(cwd or ".").resolve()
    named = [*named_paths(command, folder), *program_files(command, folder)]
    files = [path for path in named if path.parent.name not in BIN_FOLDERS]
    return [*files, folder] if cwd or current_program(command, folder) else files


def current_program(command: Sequence[str], folder: Path) -> tuple[str, ...] | None:
    """Return the words that say which program of the current folder runs, or ``None``.

    These are the first words of a command with ``.`` or with a module after ``-m``, up to the name
    of the module or class. The words after them are arguments of the program.
    """
    for number, word in enumerate(command):
        if _names_module(command, number, folder):
            return tuple(command[: number + 1])
        if "." in _possible_paths(word) and number:
            is_value = word.startswith("-") or command[number - 1].startswith("-")
            rest = command[number + 1 :] if is_value else ()
            names = (at for at, text in enumerate(rest, number + 2) if text[:1] != "-")
            return tuple(command[: next(names, number + 1)])
    return None


def program_files(command: Sequence[str], folder: Path) -> list[Path]:
    """Return the program files of the current folder if the command runs one of them.

    With the name of a module or class in a package, such as ``com.foo.Bot``, the files of the
    package are among them. At most ``MAX_PROGRAM_FILES`` plus one are returned.
    """
    if (program := current_program(command, folder)) is None:
        return []
    modules = (word.partition(".")[0] for word in program[1:] if MODULE_NAME.fullmatch(word))
    inner = (path for name in dict.fromkeys(modules) for path in _files_below(folder / name))
    files = (path for path in (*sorted_entries(folder), *inner) if _is_program_file(path))
    return [*islice(files, MAX_PROGRAM_FILES + 1)]


def why_program_is_hidden(
    files: Sequence[Path], folder: Path, others: Iterable[Path], out: Path | None = None
) -> str | None:
    """Return why a bot does not see these program files of the current folder, or ``None``.

    ``others`` are the files and folders of the other bots, and ``out`` is the folder of the games.
    """
    shown = {folder, *files}
    if any(path in shown or (path.parent == folder and path.is_file()) for path in others):
        return "another bot is there, too"
    if folder == out or is_in_stored_games(folder):
        return "stored games are there"
    if len(files) > MAX_PROGRAM_FILES:
        return f"it has more than {MAX_PROGRAM_FILES} program files"
    return None


def _names_module(command: Sequence[str], number: int, folder: Path) -> bool:
    """Return whether a word comes after ``-m`` and is a module of the folder."""
    word = command[number]
    if (
        number < 2
        or not MODULE_OPTION.fullmatch(command[number - 1])
        or not MODULE_NAME.fullmatch(word)
    ):
        return False
    first = folder / word.partition(".")[0]
    return first.is_dir() or first.with_suffix(".py").is_file()


def _possible_paths(word: str) -> Collection[str]:
    """Return a word of a command, and parts of it that may be paths."""
    value = word.partition("=")[2]
    return {word: None, value: None, **dict.fromkeys((value or word).split(os.pathsep))}


def _is_program_file(path: Path) -> bool:
    is_named = path.suffix in PROGRAM_ENDINGS or path.name in PROGRAM_NAMES
    return is_named and path.is_file() and not path.is_symlink()


def sorted_entries(folder: Path) -> Iterator[Path]:
    """Yield the entries of a folder, sorted by name, or none if it cannot be read."""
    try:
        yield from sorted(folder.iterdir())
    except OSError:
        return


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder. Links, and folders with stored games, are left out."""
    if folder.is_symlink() or is_in_stored_games(folder):
        return
    for path in sorted_entries(folder):
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path
