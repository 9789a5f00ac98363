"""A working copy of a submission, compiled with limits, and the spec of the bot in it."""

import os
import re
import shutil
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from c4_protocol.records.codec import BYTE_ORDER_MARK

from c4_referee.bots.bot_files import entries_in
from c4_referee.bots.contain.excerpt import TextExcerpt
from c4_referee.bots.contain.limits import ResourceLimits
from c4_referee.bots.contain.places import absolute_path
from c4_referee.bots.contain.programs import Programs
from c4_referee.bots.contain.tool import Finished, run_tool
from c4_referee.bots.languages import BUILD_FILES, BY_ENDING, LANGUAGES, PROGRAM
from c4_referee.bots.spec import BotSpec, search_path, submission_sandbox
from c4_referee.classroom.submissions.mains import short_list
from c4_referee.classroom.submissions.notebooks import add_programs
from c4_referee.classroom.submissions.start import Start
from c4_referee.classroom.submissions.start_rules import EXECUTABLE_BEGINNINGS, is_executable
from c4_referee.system.safe_files import read_file, read_start
from c4_referee.system.tools import tool_path

CLEANED_ENDINGS = frozenset({*BY_ENDING, ".h", ".hh", ".hpp", ".pm", ".mk"})
"""Endings of files that are programs, or that compilers read. ``BUILD_FILES`` are cleaned, too."""
LIMITS = ResourceLimits(open_files=1024, file_mb=256)
"""Limits of a compiler. Those of a bot are enough, except for its files."""
VARIABLES = {"CGO_ENABLED": "0", "GOPROXY": "off", "GOTOOLCHAIN": "local", "LC_ALL": "C.UTF-8"}
"""Variables in the environment of compilers. Go downloads nothing, and needs no compiler for C."""
NOT_COMPILED = "it does not compile: "
"""Beginning of the reason why a submission is not ready that does not compile."""
WARNINGS = {"tsc": 2}
"""Exit codes of compilers that have made the program, although they complain about it."""
MISSING = (
    ("Java packages", r"error: package ([\w.]+) does not exist", "hand in their .jar files"),
    ("crates", r"no matching package (?:named )?`([\w-]+)`", "hand in what cargo vendor makes"),
    ("crates", r"can't find crate for `(\w+)`", "hand in what cargo vendor makes"),
    ("Go packages", r"(?:provides|providing) package ([^\s:;]+)", "hand in a folder vendor"),
    ("headers", r"fatal error: ([\w./+-]+): No such file", "hand them in"),
)
"""What may be missing, a pattern of the messages of compilers about it, and advice."""
COMPILERS = frozenset(
    name
    for language in (*LANGUAGES, *BUILD_FILES.values())
    for names in language.programs
    for name in names.split("|")
)
"""Programs that a Makefile may start."""


@dataclass(frozen=True)
class Compiled:
    """Result of compiling. ``messages`` are those of the compilers, at most about 8 kB.

    They hold no control characters, but may hold paths of this machine. ``seconds`` is the time
    that it took, and ``exceeded`` is the limit in seconds if it was stopped there, or 0. ``built``
    is a digest of the copy in which it was compiled, or "".
    """

    passed: bool
    messages: str
    seconds: float
    exceeded: float = 0.0
    built: str = ""

    @property
    def why_failed(self) -> str:
        """The reason why the submission does not compile, or ""."""
        return "" if self.passed else f"{NOT_COMPILED}{first_error(self.messages)}"


def working_copy(files: Path, build: Path) -> None:
    """Copy a submission to ``build``, in place of what is there, and clean its sources.

    The sources in the copy have no byte order marks and no CR. Programs can be executed, because
    platforms and Windows lose this permission. The code of a notebook is in a file in Python beside
    it.

    ``files`` holds only files, folders and links to these. Raises ``FileExistsError`` if
    ``build`` cannot be removed, and ``OSError`` if a file cannot be read or written.
    """
    remove_copy(build)
    shutil.copytree(files, build, symlinks=True, copy_function=_copy_cleaned)
    add_programs(build)


def _copy_cleaned(source: str, target: str) -> None:
    """Copy a file, without the byte order mark and the CR of a source."""
    shutil.copy2(source, target)
    path = Path(target)
    if path.suffix.lower() in CLEANED_ENDINGS or path.name in BUILD_FILES:
        path.chmod(path.stat().st_mode | 0o600)
        content = read_file(path).removeprefix(BYTE_ORDER_MARK)
        path.write_bytes(content.replace(b"\r\n", b"\n"))
    elif path.suffix in {"", ".out"} and read_start(path, 4).startswith(EXECUTABLE_BEGINNINGS):
        path.chmod(path.stat().st_mode | 0o111)


def remove_copy(build: Path) -> None:
    """Remove a working copy, if there is one, with folders of any depth and mode.

    Raises nothing: ``working_copy`` tells if something is left.
    """
    if build.exists():
        for name, *options in (("chmod", "-R", "u+rwx"), ("rm", "-rf")):
            command = [tool_path(name), *options, str(build)]
            subprocess.run(command, stderr=subprocess.DEVNULL, check=False)


def compile_start(
    start: Start, build: Path, python: str, *, sandboxed: bool, seconds: float
) -> Compiled:
    """Run the compilers of a start in a working copy, for at most ``seconds`` together.

    If they do not make the program that the start names, the executable that they make becomes it.
    In the sandbox they see nothing but the copy and the programs of this machine. ``python`` is the
    environment of the class. The calling process is that of ``contain.tool.run_tool``.
    """
    folder, began, messages = build.absolute() / start.folder, time.monotonic(), TextExcerpt()
    before = _executables(folder)
    for command in start.compiles:
        left = max(0.0, began + seconds - time.monotonic())
        finished = _run(command, folder, python, sandboxed=sandboxed, seconds=left)
        messages.add(finished.output.encode())
        if problem := _problem(finished, WARNINGS.get(command[0])):
            break
    else:
        made = {path for path, when in _executables(folder).items() if before.get(path) != when}
        try:
            problem = _link_program(start, folder, made)
        except OSError as error:  # the compilers have changed the modes of folders
            problem = f"left a folder that cannot be used: {error.strerror}"
    if problem:
        messages.add(f"\n{command[0]} {problem}\n".encode())
    took, text = time.monotonic() - began, messages.text()
    exceeded = seconds if problem and took > seconds else 0.0
    return Compiled(not problem, _missing(text) + text if problem else text, took, exceeded)


def first_error(messages: str) -> str:
    """Return the first line about an error, or else the first one that is no heading."""
    lines = [line for line in map(str.strip, messages.splitlines()) if line and line[0] != "#"]
    errors = [line for line in lines if re.search("(?i)error| was stopped: ", line)]
    return [*errors, *lines, "without a message"][0]


def _missing(messages: str) -> str:
    """Return a line that names what was not handed in, or "" if the compiler misses nothing."""
    for kind, pattern, advice in MISSING:
        if names := [*dict.fromkeys(re.findall(pattern, messages))]:
            return f"error: {kind} are missing: {short_list(names)}: {advice}, or do without them\n"
    return ""


def spec_of(start: Start, name: str, build: Path, python: str, *, sandboxed: bool) -> BotSpec:
    """Return the spec of the bot in a compiled working copy. Raises ``SpecError``.

    ``python`` is the environment of the class.
    """
    return BotSpec(
        name,
        start.command,
        start.arguments,
        start.dialect,
        cwd=str(absolute_path(build / start.folder)),
        restart=start.restart,
        sandbox=sandboxed,
        python=python,
    )


def _run(
    command: Sequence[str], folder: Path, python: str, *, sandboxed: bool, seconds: float
) -> Finished:
    path = search_path(python)
    if not sandboxed:
        env = {**os.environ, "PATH": path, **VARIABLES}
        return run_tool(command, folder, None, LIMITS, seconds, env)
    programs = Programs(folder, folder, path)
    programs.add(COMPILERS)
    sandbox = submission_sandbox(path, tuple(map(str, programs.seen)))
    return run_tool(command, folder, sandbox, LIMITS, seconds, VARIABLES)


def _problem(finished: Finished, warning: int | None) -> str:
    """Return why a compiler did not do its work, or "" if it did."""
    if finished.why_stopped:
        return f"was stopped: {finished.why_stopped}"
    return f"ended with exit code {finished.code}" if finished.code not in {0, warning} else ""


def _executables(folder: Path) -> dict[Path, int]:
    """Return the executable files in a folder, and when they were changed."""
    entries = entries_in(folder, ignore_errors=True)  # of any depth, and some cannot be read
    paths = [Path(entry.path) for entry in entries if not entry.is_symlink()]
    return {path: path.stat().st_mtime_ns for path in paths if is_executable(path)}


def _link_program(start: Start, folder: Path, made: Collection[Path]) -> str:
    """Give the program that compilers have made the name that the start has. Return the problem.

    If they have made several, it is the only one in the outermost folder, or the one called "bot".
    """
    if start.command[0] != f"./{PROGRAM}" or (folder / PROGRAM).exists():
        return ""
    if not made:
        return "made no program that can be started"
    depth = min(len(path.parts) for path in made)
    outer = sorted(path for path in made if len(path.parts) == depth)
    named = [path for path in outer if path.stem.lower() == "bot"]
    if len(outer) > 1 and len(named) != 1:
        names = short_list([path.name for path in outer])
        return f"made several programs: {names}: call the one that plays bot"
    (folder / PROGRAM).symlink_to((named or outer)[0].relative_to(folder))
    return ""
