"""What works on this machine, and what to install for the rest.

Everything is tried and not only looked up: ``c4-bot`` answers a question, and a program runs in the
sandbox. Programs of languages are looked up on the search path and asked for their versions. The
bot and the programs have a time limit, so that none of them can hang the command.
"""

import os
import platform
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version

from c4_protocol.board import Board
from c4_protocol.program.errors import ArenaError
from c4_protocol.program.processors import usable_processors

from c4_referee.bots.own import with_own_command
from c4_referee.bots.spec import SANDBOX_VARIABLE, is_sandbox_turned_off
from c4_referee.contain.cgroup import control_groups, own_group
from c4_referee.contain.limits import MEGABYTE
from c4_referee.contain.sandbox import why_no_sandbox
from c4_referee.submissions.languages import LANGUAGES

VERSION_SECONDS = 1.5
"""Maximum time in seconds for a program to print its version. Beyond it, no version is shown."""
ANSWER_SECONDS = 10.0
"""Maximum time in seconds for ``c4-bot`` to answer. Beyond it, the core counts as broken."""
VERSION_ARGUMENTS = {"go": "version"}
"""Arguments that print a version, by program. Other programs have ``--version``."""
VERSION = re.compile(r"\d+(?:\.\d+)+")
CORE, SANDBOX, GROUPS = "core", "sandbox", "control groups"
"""What problems are about, besides the names of languages."""
DELEGATION = "optional; to use them: systemd-run --user --scope -p Delegate=yes c4-referee ..."

NO_GROUPS = "optional; this system has none of version 2"


@dataclass(frozen=True)
class Program:
    """A program that a language needs. ``path`` is ``None`` if it is missing.

    ``version`` is ``None`` if it is unknown.
    """

    name: str
    path: str | None
    version: str | None = None


@dataclass(frozen=True)
class LanguageHere:
    """A language on this machine. ``install`` has the names of its Debian packages."""

    name: str
    works: bool
    programs: tuple[Program, ...]
    install: str


@dataclass(frozen=True)
class Problem:
    """Something that does not work: ``about`` is the core, the sandbox or a language, for example.

    ``install`` has the names of Debian packages that solve it, or is "" if none does.
    """

    about: str
    reason: str
    install: str = ""


@dataclass(frozen=True)
class Machine:
    """What works on this machine. Sizes are in MiB, and ``free_disk_mb`` is for this folder."""

    core: bool
    sandbox: bool
    control_groups: Sequence[str]
    processors: int
    memory_mb: int
    free_disk_mb: int
    versions: dict[str, str]
    languages: Sequence[LanguageHere]
    problems: Sequence[Problem]

    @property
    def needed(self) -> list[str]:
        """What a class needs and does not work here: the core, the sandbox, both or neither."""
        return [name for name, works in ((CORE, self.core), (SANDBOX, self.sandbox)) if not works]

    @property
    def packages(self) -> list[str]:
        """Debian packages that solve problems, without duplicates."""
        names = [name for problem in self.problems for name in problem.install.split()]
        return [*dict.fromkeys(names)]


def look_at_machine() -> Machine:
    """Try everything on this machine. Take about a second, and hang for no program."""
    with control_groups() as controllers:  # first, because a group with other processes has none
        groups = list(controllers)
    no_sandbox = why_no_sandbox()  # before there are threads, because its child runs our code
    with ThreadPoolExecutor() as pool:
        core = pool.submit(why_no_core)
        programs = [pool.map(_program, language.programs) for language in LANGUAGES]
        languages = [
            LanguageHere(row.name, all(one.path for one in found), found, row.install)
            for row, found in zip(LANGUAGES, map(tuple, programs), strict=True)
        ]
    return Machine(
        core=core.result() is None,
        sandbox=no_sandbox is None,
        control_groups=groups,
        processors=len(usable_processors()),
        memory_mb=os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // MEGABYTE,
        free_disk_mb=shutil.disk_usage(".").free // MEGABYTE,
        versions=_versions(),
        languages=languages,
        problems=[*_problems(core.result(), no_sandbox, groups, languages)],
    )


def why_no_core() -> str | None:
    """Ask ``c4-bot`` for a move. Return why it fails or lacks its core, or ``None``."""
    try:
        words = with_own_command(("c4-bot", "--plays", "needed", "--depth", "1"))
    except ArenaError as error:
        return str(error)
    answer = _run(words, ANSWER_SECONDS, Board().precept() + "\n")
    if answer is None:
        return "c4-bot does not answer: reinstall c4-arena"
    if '"move"' in answer.stdout and not answer.stderr:
        return None
    *_, line = answer.stderr.splitlines() or ["c4-bot finds no move: reinstall c4-arena"]
    return line.removeprefix("c4-bot: ")


def _problems(
    no_core: str | None,
    no_sandbox: str | None,
    groups: Sequence[str],
    languages: Sequence[LanguageHere],
) -> Iterator[Problem]:
    """Yield everything that does not work, in the order of the screen."""
    if no_core:
        yield Problem(CORE, no_core)
    if no_sandbox:
        yield Problem(SANDBOX, no_sandbox, "" if shutil.which("bwrap") else "bubblewrap")
    elif is_sandbox_turned_off():
        yield Problem(SANDBOX, f"works, but {SANDBOX_VARIABLE}=no turns it off: unset it")
    if not groups:
        yield Problem(GROUPS, DELEGATION if own_group() else NO_GROUPS)
    for language in languages:
        if missing := [program.name for program in language.programs if not program.path]:
            yield Problem(language.name, f"no {' or '.join(missing)}", language.install)


def _program(names: str) -> Program:
    """Return the first of several programs, such as "cc|gcc", that this machine has."""
    alternatives = names.split("|")
    for name in alternatives:
        if path := shutil.which(name):
            return Program(name, path, _version(path, VERSION_ARGUMENTS.get(name, "--version")))
    return Program(alternatives[0], None)


def _version(path: str, argument: str) -> str | None:
    """Ask a program for its version. Return ``None`` if it does not tell one in time."""
    done = _run((path, argument), VERSION_SECONDS)
    found = VERSION.search(done.stdout + done.stderr) if done else None
    return found[0] if found else None


def _run(
    words: Sequence[str], seconds: float, text: str = ""
) -> subprocess.CompletedProcess[str] | None:
    """Run a program. Return ``None`` if it cannot start or lasts longer than ``seconds``.

    Then all processes of its group are killed.
    """
    pipe = subprocess.PIPE
    try:
        child = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, errors="replace",
            start_new_session=True,
        )  # fmt: skip
    except OSError:
        return None
    with child:
        try:
            return subprocess.CompletedProcess(words, 0, *child.communicate(text, seconds))
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            return None


def _versions() -> dict[str, str]:
    """Return the versions of c4-arena, of Python, of the system and of its kernel."""
    system = platform.system()
    with suppress(OSError):
        system = platform.freedesktop_os_release()["PRETTY_NAME"]
    python, kernel = platform.python_version(), platform.release()
    return {"c4-arena": version("c4-arena"), "Python": python, "system": system, "kernel": kernel}
