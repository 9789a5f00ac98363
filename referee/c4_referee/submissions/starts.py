"""How a submission starts, found from its files.

The first rule that fits decides:

1. ``bot.toml``, with the keys ``command``, ``dialect``, ``arguments`` and ``restart``. If there is
   a ``Makefile``, ``make`` runs first. Without ``command``, the next rules find it.
2. ``run.sh``, which bash runs.
3. An executable file: the only one that is a program for Linux or begins with ``#!``, unless its
   name ends as the sources of a language do.
4. ``Makefile``: after ``make``, the only new executable, or among several the only one with a usual
   name such as ``bot`` or ``main``.
5. ``Cargo.toml`` and ``go.mod``, without dependencies that have to be downloaded.
6. ``package.json``: its ``scripts.start``, if that is ``node FILE``, or its ``main``.
7. The main program in a known language (``mains.py``).

These files are looked for in the submission. If there is nothing but one folder and documents, they
are looked for in this folder, and so on. The bot runs where they are found.
"""

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import visible

from c4_referee.bots.agents import agent_files
from c4_referee.bots.placeholders import placeholders_in
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values
from c4_referee.submissions.languages import BY_ENDING, PROGRAM, language_named, program_here
from c4_referee.submissions.mains import (
    files_in,
    listed,
    main_source,
    sources_in,
    start_of_main,
    start_of_source,
)
from c4_referee.submissions.start import NoStart, Start

TABLE_KEYS = ("command", "dialect", "arguments", "restart")
"""Keys of the file bot.toml in a submission."""
DOCUMENT_ENDINGS = frozenset({".pdf", ".md", ".doc", ".docx", ".odt", ".rtf", ".tex", ".html"})
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
LIBRARY_NAME = re.compile(r".*\.(?:so|o|a|dll|dylib|pyd|node)(?:\.[\d.]+)?$")
EXECUTABLE_BEGINNINGS = (b"\x7fELF", b"#!")
REQUIRED_MODULE = re.compile(r"^[ \t]*(?:require\b[ \t(]*)?([^\s(]+)[ \t]+v\d", re.MULTILINE)
LOCAL_MODULE = re.compile(
    r"^[ \t]*(?:replace\b[ \t(]*)?(\S+)(?:[ \t]+v\S+)?[ \t]*=>[ \t]*\.", re.MULTILINE
)
"""Patterns of lines of go.mod: a module that is needed, and one that a folder replaces."""


def find_start(folder: Path, main: str = "") -> Start:
    """Return how the submission in a folder is compiled and started.

    ``main`` is the path of its main program in the folder, if it is known. Raises ``NoStart`` and
    ``Unclear``, also if this machine lacks a program that the submission needs.
    """
    home = _program_folder(folder)
    if main:
        start, home = _start_of_named(folder, home, main)
    else:
        start = _start_in(home)
    return replace(start, folder=home.relative_to(folder).as_posix())


def _start_in(home: Path) -> Start:
    settings = _read_table(home)
    if "command" in settings:
        makes = (("make", "-B"),) if _makefile(home) else ()
        start = Start("", (), "bot.toml", makes)
    else:
        starts = (rule(home) for rule in RULES)
        start = next(filter(None, starts))
    return replace(start, **settings)


def _start_of_named(folder: Path, home: Path, main: str) -> tuple[Start, Path]:
    """Return how a program starts whose path in a submission is known, and where it runs."""
    path = Path(os.path.normpath(folder / main))
    if not path.is_relative_to(folder) or not path.is_file():
        raise NoStart(f"there is no file {main} in it, which should be its main program")
    home = home if path.is_relative_to(home) else folder
    name = path.relative_to(home).as_posix()
    if path.suffix.lower() not in BY_ENDING and is_executable(path):
        return Start("", (f"./{name}",), f"main program {name}"), home
    return start_of_main(home, name), home


def _program_folder(folder: Path) -> Path:
    """Return the folder in which the program of a submission is."""
    while True:
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
        inner = [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
        if len(inner) != 1 or not all(entry in inner or _is_document(entry) for entry in entries):
            return folder
        folder = inner[0]


def _is_document(path: Path) -> bool:
    return path.suffix.lower() in DOCUMENT_ENDINGS or path.stem.lower() == "readme"


def _read_table(home: Path) -> dict[str, Any]:
    """Return the checked keys of the file bot.toml, if there is one."""
    table = _read_file(home / "bot.toml", tomllib.loads)
    if unknown := [key for key in table if key not in TABLE_KEYS]:
        raise NoStart(f"bot.toml: {visible(unknown[0])}: it can hold only {', '.join(TABLE_KEYS)}")
    try:
        spec = checked_values(BotSpec, {"name": "bot", "command": "bot", **table}, "bot.toml")
    except ArenaError as error:
        raise NoStart(str(error)) from None
    if "command" in table:
        _check_command(spec.command)
    return {key: getattr(spec, key) for key in table}


def _check_command(command: tuple[str, ...]) -> None:
    """Raise ``NoStart`` if a command leaves the submission, or begins with a missing program."""
    for word in command:
        parts = re.split(r"[=:,\s]", word)
        if any(part.startswith(("/", "~")) or ".." in part.split("/") for part in parts):
            raise NoStart(f"bot.toml: command: {word} is a path that leaves the submission")
    program = command[0]
    if os.sep not in program and not (agent_files(command[:1]) or placeholders_in([program])):
        _require(program, "bot.toml")


def _require(program: str, by: str, packages: str = "") -> str:
    """Return the program that this machine has, or raise ``NoStart``. ``by`` is what needs it."""
    if found := program_here(program):
        return found
    name = program.split("|", maxsplit=1)[0]
    raise NoStart(f"this machine has no {name}, but {by} needs it: install {packages or name}")


def _start_of_script(home: Path) -> Start | None:
    if not (home / "run.sh").is_file():
        return None
    return Start("", (_require("bash|sh", "run.sh"), "run.sh"), "run.sh")


def _start_of_executable(home: Path) -> Start | None:
    found = [path for path in sorted(home.iterdir()) if is_executable(path)]
    own = [path.name for path in found if path.suffix.lower() not in BY_ENDING]
    if len(own) != 1:
        return None
    return Start("", (f"./{own[0]}",), f"executable file {own[0]}")


def is_executable(path: Path) -> bool:
    """Return whether a file is a program that may be executed, and no library."""
    if not path.is_file() or not os.access(path, os.X_OK) or LIBRARY_NAME.match(path.name):
        return False
    with path.open("rb") as file:
        return file.read(4).startswith(EXECUTABLE_BEGINNINGS)


def _makefile(home: Path) -> str | None:
    return next((name for name in MAKEFILES if (home / name).is_file()), None)


def _start_of_makefile(home: Path) -> Start | None:
    if (name := _makefile(home)) is None:
        return None
    _require("make", name)
    return Start("", (f"./{PROGRAM}",), name, (("make", "-B"),))


def _start_of_crate(home: Path) -> Start | None:
    manifest = _read_file(home / "Cargo.toml", tomllib.loads)
    if not manifest:
        return None
    if not (home / "vendor").is_dir() and (crates := [*_foreign_crates(manifest)]):
        raise _downloads("Cargo.toml", crates)
    _require("cargo", "Cargo.toml")
    command = ("cargo", "build", "--release", "--offline")
    return Start("Rust", (f"./{PROGRAM}",), "Cargo.toml", (command,))


def _foreign_crates(table: dict[str, Any]) -> Iterator[str]:
    """Yield the names of dependencies in a table of Cargo.toml that have no path."""
    for key, value in table.items():
        if key.endswith("dependencies") and isinstance(value, dict):
            for name, wanted in value.items():
                if not (isinstance(wanted, dict) and "path" in wanted):
                    yield name
        elif isinstance(value, dict):  # [target.NAME.dependencies]
            yield from _foreign_crates(value)


def _start_of_module(home: Path) -> Start | None:
    if not (path := home / "go.mod").is_file():
        return None
    text = path.read_text("utf-8-sig", errors="replace")
    local = set(LOCAL_MODULE.findall(text))
    needed = [name for name in REQUIRED_MODULE.findall(text) if name not in local]
    if needed and not (home / "vendor").is_dir():
        raise _downloads("go.mod", needed)
    _require("go", "go.mod", "golang-go")
    sources = [source for source in sources_in(home) if source.path.suffix == ".go"]
    package = main_source(sources).path.parent
    command = ("go", "build", "-o", PROGRAM, "." if package.name == "" else f"./{package}")
    return Start("Go", (f"./{PROGRAM}",), "go.mod", (command,))


def _downloads(name: str, needed: list[str]) -> NoStart:
    return NoStart(
        f"{name} needs {listed(needed)}, which would have to be downloaded: do without it, "
        "or put it into the submission"
    )


def _start_of_package(home: Path) -> Start | None:
    package = _read_file(home / "package.json", json.loads)
    if needed := package.get("dependencies"):
        raise _downloads("package.json", [*needed])
    scripts = package.get("scripts")
    words = str(scripts.get("start", "") if isinstance(scripts, dict) else "").split()
    named = words[1] if len(words) == 2 and words[0] == "node" else package.get("main")
    path = os.path.normpath(str(named))
    sources = sources_in(home)
    main = next((source for source in sources if str(source.path) == path), None)
    if main is None or main.language is not language_named("JavaScript"):
        return None
    return start_of_source(main, sources, "package.json")


def _start_of_language(home: Path) -> Start:
    if sources_in(home):
        return start_of_main(home)
    files = [*files_in(home)]
    if not files:
        raise NoStart("there is no file in it")
    raise NoStart(f"there is no program in it, only {listed(files)}")


def _read_file(path: Path, parse: Callable[[str], Any]) -> dict[str, Any]:
    """Return the table in a TOML or JSON file, empty if there is no file, or raise ``NoStart``."""
    if not path.is_file():
        return {}
    try:
        found = parse(path.read_text("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise NoStart(f"{path.name} cannot be read: {str(error).splitlines()[0]}") from None
    return found if isinstance(found, dict) else {}


RULES: tuple[Callable[[Path], Start | None], ...] = (
    _start_of_script,
    _start_of_executable,
    _start_of_makefile,
    _start_of_crate,
    _start_of_module,
    _start_of_package,
    _start_of_language,
)
"""The rules after that of bot.toml, in their order. The last one always decides."""
