"""Looks at this machine: which parts work, and what to install for the others.

The core and the sandbox are tried: ``c4-bot`` answers a question, and a program runs in the
sandbox. Programs of languages are looked up on the search path and asked for their versions, all at
the same time. Each has a time limit, so that none of them can hang the command.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version

from c4_protocol.board import Board
from c4_protocol.program.processors import usable_processors

from c4_referee.bots.contain.cgroup import control_groups
from c4_referee.bots.contain.limits import MEGABYTE
from c4_referee.bots.contain.sandbox import why_no_sandbox
from c4_referee.bots.languages import LANGUAGES, Language, program_here
from c4_referee.bots.own import with_own_command
from c4_referee.bots.spec import SANDBOX_VARIABLE, is_sandbox_turned_off, search_path

VERSION_SECONDS = 1.5
"""Maximum time in seconds for a program to print its version. Beyond it, no version is shown."""
ANSWER_SECONDS = 10.0
"""Maximum time in seconds for ``c4-bot`` to answer. Beyond it, the core counts as broken."""
VERSION_ARGUMENTS = {"go": "version"}
"""Arguments that print a version, by program. Other programs have ``--version``."""
VERSION = re.compile(r"\d+(?:\.\d+)+")
NEEDED = ("core", "sandbox")
"""Names of the parts without which no class can be run."""
DELEGATION = "optional: systemd-run --user --scope -p Delegate=yes"
"""What comes before a command to give it control groups, where there are some of version 2."""


@dataclass(frozen=True)
class Part:
    """A part of this machine: the core, the sandbox, control groups, or a language.

    ``found`` says what is there, or why it does not work. ``install`` has the names of Debian
    packages that make it work, or is "" if it works or none does.
    """

    name: str
    works: bool
    found: str
    install: str = ""


@dataclass(frozen=True)
class Machine:
    """A machine and its parts. ``free_disk_mb`` is for the current folder, in MiB."""

    versions: dict[str, str]
    processors: int
    free_disk_mb: int
    parts: list[Part]


def look_at_machine() -> Machine:
    """Try everything on this machine, in about a second. No program can make this hang.

    The caller ends the processes of programs that hang (``contain.strays``).
    """
    with control_groups() as controllers:  # first, because a group with other processes has none
        limits = f"limits for {', '.join(controllers)}" if controllers else DELEGATION
        groups = Part("control groups", bool(controllers), limits)
    parts = [_core(), _sandbox(), groups]  # before there are threads: a child runs our code
    with ThreadPoolExecutor() as pool:
        parts += pool.map(_language, LANGUAGES)
    system, python = platform.platform(), platform.python_version()
    versions = {"c4-arena": version("c4-arena"), "Python": python, "system": system}
    free = shutil.disk_usage(".").free // MEGABYTE
    return Machine(versions, len(usable_processors()), free, parts)


def _core() -> Part:
    """Ask ``c4-bot`` for a move. It says on standard error if it lacks its core."""
    words = with_own_command(("c4-bot", "--plays", "needed", "--depth", "1"))
    lines = _output(words, ANSWER_SECONDS, Board().precept() + "\n").splitlines()
    if len(lines) == 1 and '"move"' in lines[0]:
        return Part("core", works=True, found="c4-bot answers, with its native core")
    *_, line = [line for line in lines if '"move"' not in line] or ["c4-bot finds no move"]
    return Part("core", works=False, found=line.removeprefix("c4-bot: "))


def _sandbox() -> Part:
    if reason := why_no_sandbox():
        is_installed = shutil.which("bwrap", path=search_path()) or sys.platform != "linux"
        return Part("sandbox", False, reason, "" if is_installed else "bubblewrap")
    off = f", but {SANDBOX_VARIABLE}=no turns it off: unset it" if is_sandbox_turned_off() else ""
    return Part("sandbox", works=True, found=f"bubblewrap works{off}")


def _language(language: Language) -> Part:
    here = {names.split("|")[0]: program_here(names) for names in language.programs}
    if missing := [name for name, program in here.items() if program is None]:
        return Part(language.name, False, f"no {' or '.join(missing)}", language.install)
    found = []
    for name in filter(None, here.values()):
        output = _output((name, VERSION_ARGUMENTS.get(name, "--version")), VERSION_SECONDS)
        number = VERSION.search(output)
        found.append(f"{name} {number[0]}" if number else name)
    return Part(language.name, works=True, found=", ".join(found))


def _output(words: tuple[str, ...], seconds: float, text: str = "") -> str:
    """Run a program. Return what it prints, or "" if it does not end within ``seconds``."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            words, input=text, capture_output=True, check=False, text=True, errors="replace",
            timeout=seconds, env={**os.environ, "PATH": search_path()},
        )  # fmt: skip
        return done.stdout + done.stderr
    return ""
