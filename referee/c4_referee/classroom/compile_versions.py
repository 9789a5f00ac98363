"""The second step of a run: how new versions start is found out, and they are compiled."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.bot_folder import folder_digest
from c4_referee.classroom.bots_file import BOTS_FILE, BotsFile
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.submissions.compiling import compile_start, remove_copy, working_copy
from c4_referee.classroom.submissions.start import NoStart, Start, Unclear
from c4_referee.classroom.submissions.start_rules import find_start


def compile_new(
    register: Register, bots: BotsFile, move: Callable[[int, int], None], *, sandboxed: bool
) -> str:
    """Compile the latest versions that were not compiled yet, and return a line for people.

    A start that was not found is looked for again, because a program may have been installed. What
    bots have changed in their folders is undone, so that a version stays what was handed in.
    """
    _undo_changes(register, sandboxed=sandboxed)
    todo = [
        (student, version)
        for student in register.students
        if (version := student.version) and _is_open(version, bots.main_of(student.alias))
    ]
    for number, (student, version) in enumerate(todo):
        move(number, len(todo))
        _compile(register, student, version, bots.main_of(student.alias), sandboxed=sandboxed)
        register.save()
    return _summary([version for _, version in todo])


def _is_open(version: Version, main: str) -> bool:
    is_unfound = version.start is None and not version.is_ready
    return not version.refused and (is_unfound or version.main != main)


def _compile(
    register: Register, student: Student, version: Version, main: str, *, sandboxed: bool
) -> None:
    """Find the start of a version in a fresh copy of its files, and compile it there."""
    place = register.place(student, version)
    remove_copy(place / "build")
    working_copy(place / "files", place / "build")
    version.main, version.mains, version.checked, version.is_ready = main, (), "", False
    version.start, version.compiled, version.reason = None, None, ""
    try:
        start = find_start(place / "build", main)
    except NoStart as error:
        version.mains = error.mains if isinstance(error, Unclear) else ()
        version.reason = str(error)
        return
    version.start = start
    _compile_copy(version, start, place / "build", sandboxed=sandboxed)


def _compile_copy(version: Version, start: Start, build: Path, *, sandboxed: bool) -> None:
    """Compile a version in a copy of its files, and note what the copy holds then."""
    version.compiled = compile_start(start, build, sandboxed=sandboxed)
    version.built = _digest(build)
    if not version.compiled.passed:
        version.is_ready = False
        version.reason = f"it does not compile: {_first_line(version.compiled.messages)}"


def _undo_changes(register: Register, *, sandboxed: bool) -> None:
    """Make the copies anew in which a bot has changed something while it played."""
    for student in register.students:
        for number in {student.latest, student.playing} - {0}:
            version = student.versions[number - 1]
            build = register.place(student, version) / "build"
            if version.start and version.built and version.built != _digest(build):
                remove_copy(build)
                working_copy(build.with_name("files"), build)
                _compile_copy(version, version.start, build, sandboxed=sandboxed)
                register.save()


def _digest(build: Path) -> str:
    """Return a digest of a folder, or "" if it holds what cannot be read or is not there."""
    try:
        return folder_digest(build) if build.is_dir() else ""
    except (OSError, UsageError):
        return ""


def _first_line(text: str) -> str:
    """Return the first line about an error, or else the first one that is no heading."""
    lines = [line for each in text.splitlines() if (line := each.strip()) and line[0] != "#"]
    errors = [line for line in lines if "error" in line.lower()]
    return [*errors, *lines, "without a message"][0]


def line_that_decides(student: Student, version: Version) -> str:
    """Return what the instructor can write if a submission has several main programs."""
    return f'write {student.alias} = "{version.mains[0]}" under [main] in {BOTS_FILE}'


def _summary(versions: list[Version]) -> str:
    if not versions:
        return "nothing is new"
    states = Counter(
        "unclear" if each.mains
        else "without a program to start" if each.start is None
        else "failed" if not each.compiled or not each.compiled.passed
        else "compiled" if each.start.compiles
        else "need no compiler"
        for each in versions
    )  # fmt: skip
    return ", ".join(f"{number} {state}" for state, number in states.most_common())
