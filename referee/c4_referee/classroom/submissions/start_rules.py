"""How a submission starts, found from its files.

The first two decide alone:

1. ``bot.toml``, with the keys ``command``, ``dialect``, ``arguments`` and ``restart``. If there is
   a ``Makefile``, ``make`` runs first. Without ``command``, the next rules find it.
2. ``run.sh``, which bash runs.

The other rules find candidates, in this order. ``choice.py`` chooses one of them:

3. ``BUILD_FILES``, such as ``Makefile``: the only new executable that the compiler makes, or among
   several the one called ``bot``. Compilers cannot download libraries.
4. ``package.json``: its ``scripts.start``, if that is ``node FILE``, or its ``main``.
5. The main programs in a known language (``mains.py``).
6. Executable files: programs for Linux, and those that begin with ``#!``, unless their names end as
   the sources of a language do.

These files are looked for in the submission. If there is nothing but one folder, documents and
archives, they are looked for in this folder, and so on. The bot runs where they are found.
"""

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible

from c4_referee.bots.languages import BUILD_FILES, BY_ENDING, Language
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values
from c4_referee.classroom.submissions.mains import files_in, main_programs, start_of_main
from c4_referee.classroom.submissions.no_program import why_no_program
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
WRAPPERS = frozenset({"gradlew", "mvnw", "configure"})
"""Names of executables that build programs and play nothing."""
MAX_STARTS = 3
"""Maximum number of candidates that are tried."""


def find_starts(folder: Path, main: str = "") -> list[Start]:
    """Return how the submission in a folder may be compiled and started, the likeliest way first.

    ``main`` is the path of its main program in the folder, if it is known. Raises ``NoStart``, also
    if this machine lacks a program that the submission needs, or if this takes too long. The
    calling thread is the main thread.
    """
    try:
        with limited_time():
            return _found_starts(folder, main)
    except Exceeded as exceeded:
        raise NoStart(f"it {exceeded}") from None


def _found_starts(folder: Path, main: str) -> list[Start]:
    home = _program_folder(folder)
    if not main:
        starts = _starts_in(home)
    else:
        path = Path(os.path.normpath(folder / main))
        if not path.is_relative_to(folder) or not path.is_file():
            raise NoStart(f"there is no file {main} in it, which should be its main program")
        home = home if path.is_relative_to(home) else folder
        starts = [start_of_main(home, path.relative_to(home).as_posix())]
    inner = home.relative_to(folder)
    return [
        replace(start, folder=inner.as_posix(), main=start.main and (inner / start.main).as_posix())
        for start in starts[:MAX_STARTS]
    ]


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


def _starts_in(home: Path) -> list[Start]:
    """Return how the submission may start whose program is in this folder."""
    settings, built = _settings(home), [name for name in BUILD_FILES if (home / name).is_file()]
    if "command" in settings:
        start = _built_start(built[0], BUILD_FILES[built[0]]) if built else Start("", (), "")
        return [replace(start, **settings, language="", because="bot.toml")]
    if (home / "run.sh").is_file():
        return [replace(start_of_main(home, "run.sh", "run.sh"), **settings, language="")]
    package, mains = _package_main(home), main_programs(home)[:MAX_STARTS]
    ways: list[Callable[[], Start]] = [
        *(partial(_built_start, name, BUILD_FILES[name]) for name in built),
        *(partial(start_of_main, home, path, "package.json") for path in package),
        *(partial(start_of_main, home, path) for path in mains),
        *(
            partial(Start, "", (f"./{name}",), f"executable file {name}")
            for name in _programs(home)
        ),
    ]
    starts: dict[tuple[object, ...], Start] = {}
    reasons = []
    for way in ways:
        try:
            start = replace(way(), **settings)
        except NoStart as reason:  # a compiler is missing, and the next way may need none
            reasons.append(reason)
        else:
            starts.setdefault((start.command, start.compiles), start)
    if not starts:
        raise reasons[0] if reasons else NoStart(why_no_program(home, files_in(home)))
    return [*starts.values()]


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


def _programs(home: Path) -> list[str]:
    """Return the names of the executable files of a submission."""
    found = [path for path in sorted(home.iterdir()) if is_executable(path)]
    names = [path.name for path in found if path.suffix.lower() not in BY_ENDING]
    return [name for name in names if name not in WRAPPERS]


def _built_start(name: str, tool: Language) -> Start:
    check_programs(tool, name)
    lines = tuple(tuple(line.split()) for line in tool.compilers)
    return Start(tool.name, (tool.run,), name, lines)


def _package_main(home: Path) -> list[str]:
    """Return the path of the main program that ``package.json`` names, if there is one.

    Raises ``NoStart`` if a package that this program needs was not handed in.
    """
    package = _read_file(home / "package.json", json.loads)
    scripts = package.get("scripts")
    words = str(scripts.get("start") if isinstance(scripts, dict) else "").split()
    named = words[1] if len(words) == 2 and words[0] == "node" else package.get("main", "index.js")
    path = os.path.normpath(str(named))
    is_file = bool(package) and os.path.isfile(home / path)  # noqa: PTH113 - Path's raises for long names
    if not is_file or not (home / path).resolve().is_relative_to(home.resolve()):
        return []
    needed = package.get("dependencies")
    text = read_start(home / path, MAX_TABLE_BYTES).decode(errors="replace")
    for name in needed if isinstance(needed, dict) else ():
        is_used = re.search(rf"""["']{re.escape(name)}["'/]""", text)
        if is_used and not os.path.exists(home / "node_modules" / name):  # noqa: PTH110 - the same
            raise NoStart(
                f"{path} needs the package {name}, and nothing is downloaded: hand in the folder "
                "node_modules, which is left out if it has thousands of files, or do without it"
            )
    return [path]


def _read_file(path: Path, parse: Callable[[str], Any]) -> dict[str, Any]:
    """Return the table in a TOML or JSON file, empty if there is no file, or raise ``NoStart``."""
    if not path.is_file():
        return {}
    try:
        found = parse(read_file(path, MAX_TABLE_BYTES).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise NoStart(f"{path.name} cannot be read: {reason}") from None
    return found if isinstance(found, dict) else {}
