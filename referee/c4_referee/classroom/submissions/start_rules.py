"""How a submission starts, found from its files.

The first rule that fits decides:

1. ``bot.toml``, with the keys ``command``, ``dialect``, ``arguments`` and ``restart``. If there is
   a ``Makefile``, ``make`` runs first. Without ``command``, the next rules find it.
2. ``run.sh``, which bash runs.
3. An executable file: the only one that is a program for Linux or begins with ``#!``, unless its
   name ends as the sources of a language do.
4. ``Makefile``, ``Cargo.toml`` and ``go.mod``: the only new executable that the compiler makes, or
   among several the one called ``bot``. Compilers cannot download libraries.
5. ``package.json``: its ``scripts.start``, if that is ``node FILE``, or its ``main``.
6. The main program in a known language (``mains.py``).

These files are looked for in the submission. If there is nothing but one folder, documents and
archives, they are looked for in this folder, and so on. The bot runs where they are found.
"""

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible

from c4_referee.bots.languages import BUILD_FILES, BY_ENDING
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values
from c4_referee.classroom.submissions.mains import start_of_main
from c4_referee.classroom.submissions.start import NoStart, Start, check_programs
from c4_referee.classroom.submissions.time_limit import Exceeded, limited_time
from c4_referee.classroom.submissions.unpacking import ENDINGS
from c4_referee.system.safe_files import read_file, read_start

TABLE_KEYS = ("command", "dialect", "arguments", "restart")
"""Keys of the file bot.toml in a submission."""
MAX_TABLE_BYTES, MAX_WORDS = 16 << 10, 200
"""Maximum size of bot.toml and package.json in bytes, and maximum number of words in a command."""
DOCUMENT_ENDINGS = (".pdf", ".md", ".doc", ".docx", ".odt", ".rtf", ".tex", ".html", *ENDINGS)
LIBRARY_ENDINGS = frozenset({".so", ".o", ".a", ".node"})
EXECUTABLE_BEGINNINGS = (b"\x7fELF", b"#!")


def find_start(folder: Path, main: str = "") -> Start:
    """Return how the submission in a folder is compiled and started.

    ``main`` is the path of its main program in the folder, if it is known. Raises ``NoStart`` and
    ``Unclear``, also if this machine lacks a program that the submission needs, or if this takes
    too long. The calling thread is the main thread.
    """
    try:
        with limited_time():
            return _found_start(folder, main)
    except Exceeded as exceeded:
        raise NoStart(f"it {exceeded}") from None


def _found_start(folder: Path, main: str) -> Start:
    home = _program_folder(folder)
    if not main:
        start = _start_in(home)
    else:
        path = Path(os.path.normpath(folder / main))
        if not path.is_relative_to(folder) or not path.is_file():
            raise NoStart(f"there is no file {main} in it, which should be its main program")
        home = home if path.is_relative_to(home) else folder
        start = start_of_main(home, path.relative_to(home).as_posix())
    return replace(start, folder=home.relative_to(folder).as_posix())


def is_executable(path: Path) -> bool:
    """Return whether a file is a program that may be executed, and no library."""
    if not os.access(path, os.R_OK | os.X_OK) or not path.is_file():  # it raises for long paths
        return False
    if LIBRARY_ENDINGS & {*path.suffixes}:
        return False
    try:
        return read_start(path, 4).startswith(EXECUTABLE_BEGINNINGS)
    except OSError:  # it is no such file any more
        return False


def _program_folder(folder: Path) -> Path:
    """Return the folder in which the program of a submission is."""
    while True:
        entries = [entry for entry in folder.iterdir() if not _is_document(entry)]
        if len(entries) != 1 or not entries[0].is_dir():
            return folder
        folder = entries[0]


def _is_document(path: Path) -> bool:
    name = path.name.lower()
    return name.startswith((".", "readme")) or (name.endswith(DOCUMENT_ENDINGS) and path.is_file())


def _start_in(home: Path) -> Start:
    """Return how the submission starts whose program is in this folder."""
    settings = _settings(home)
    if "command" in settings:
        start = replace(_built_start(home) or Start("", (), ""), language="", because="bot.toml")
    else:
        rules = (_script_start, _executable_start, _built_start, _package_start)
        found = filter(None, (rule(home) for rule in rules))
        start = next(found, None) or start_of_main(home)
    return replace(start, **settings)


def _settings(home: Path) -> dict[str, Any]:
    """Return the checked keys of the file bot.toml, if there is one."""
    table = _read_file(home / "bot.toml", tomllib.loads)
    if unknown := [key for key in table if key not in TABLE_KEYS]:
        raise NoStart(f"bot.toml: {visible(unknown[0])}: it can hold only {', '.join(TABLE_KEYS)}")
    try:
        spec = checked_values(BotSpec, {"name": "bot", "command": "bot", **table}, "bot.toml")
    except ArenaError as error:
        raise NoStart(str(error)) from None
    if len(spec.command) > MAX_WORDS:
        raise NoStart(f"bot.toml: command: it has more than {MAX_WORDS} words")
    for word in spec.command:
        parts = re.split(r"[=:,\s]", word)
        if any(part.startswith(("/", "~")) or ".." in part.split("/") for part in parts):
            raise NoStart(f"bot.toml: command: {word} is a path that leaves the submission")
    return {key: getattr(spec, key) for key in table}


def _script_start(home: Path) -> Start | None:
    if not (home / "run.sh").is_file():
        return None
    return replace(start_of_main(home, "run.sh", "run.sh"), language="")


def _executable_start(home: Path) -> Start | None:
    found = [path for path in sorted(home.iterdir()) if is_executable(path)]
    own = [path.name for path in found if path.suffix.lower() not in BY_ENDING]
    return Start("", (f"./{own[0]}",), f"executable file {own[0]}") if len(own) == 1 else None


def _built_start(home: Path) -> Start | None:
    for name, tool in BUILD_FILES.items():
        if (home / name).is_file():
            check_programs(tool, name)
            return Start(tool.name, (tool.run,), name, (tuple(tool.compiler.split()),))
    return None


def _package_start(home: Path) -> Start | None:
    package = _read_file(home / "package.json", json.loads)
    scripts = package.get("scripts")
    words = str(scripts.get("start") if isinstance(scripts, dict) else "").split()
    named = words[1] if len(words) == 2 and words[0] == "node" else package.get("main", "")
    path = os.path.normpath(str(named))
    if not os.path.isfile(home / path):  # noqa: PTH113 - Path's raises for long paths
        return None
    if not (home / path).resolve().is_relative_to(home.resolve()):
        return None
    return start_of_main(home, path, "package.json")


def _read_file(path: Path, parse: Callable[[str], Any]) -> dict[str, Any]:
    """Return the table in a TOML or JSON file, empty if there is no file, or raise ``NoStart``."""
    if not path.is_file():
        return {}
    try:
        found = parse(read_file(path, MAX_TABLE_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise NoStart(f"{path.name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise NoStart(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from None
    return found if isinstance(found, dict) else {}
