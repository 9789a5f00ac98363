"""The second step of a run: how new versions start is found out, and they are compiled."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.bot_folder import folder_digest
from c4_referee.bots.contain.forks import in_forks
from c4_referee.classroom.choice import chosen_start, fault_of
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.students import Version, failure_noted
from c4_referee.classroom.submissions.compiling import (
    Compiled,
    compile_start,
    first_error,
    spec_of,
    working_copy,
)
from c4_referee.classroom.submissions.similar import file_with_our_name
from c4_referee.classroom.submissions.start import NoStart, Start, Unclear
from c4_referee.classroom.submissions.start_rules import find_starts
from c4_referee.classroom.submissions.time_limit import Exceeded, limited_time
from c4_referee.classroom.tables import environment_of
from c4_referee.report.terminal.bar import Bar

UNREAD = "unread"
"""Stands for the digest of a folder that cannot be read, or not in time."""


def compile_new(room: Classroom) -> str:
    """Compile the latest versions that were not compiled yet, and return a line for people.

    A start that was not found is looked for again, because a program may have been installed. So
    is one whose compilers were too slow, if they have more time now. What bots have changed in
    their folders is undone, so that a version stays what was handed in.
    """
    _undo_changes(room)
    todo, seconds = [], room.settings.compile_seconds
    for student in room.register.students:
        if version := student.version:
            main = room.bots.main_of(student.alias)
            is_unfound = version.start is None and not version.is_ready
            was_late = bool(version.compiled and 0 < version.compiled.exceeded < seconds)
            if not version.refused and (is_unfound or was_late or version.main != main):
                todo.append((version, main, room.register.place(student, version)))
    with Bar("compiling", total=len(todo), threaded=False, lines=True) as bar:

        def work(number: int) -> Version:
            version = todo[number][0]
            with failure_noted(version):
                _compile(*todo[number], room)
            return version

        def keep(number: int, result: Version | Exception) -> None:
            version = todo[number][0]
            with failure_noted(version):
                if isinstance(result, Exception):
                    raise result
                vars(version).update(vars(result))
            room.register.save()
            bar.add_one()

        in_forks(work, range(len(todo)), keep)
    return _summary([version for version, *_ in todo])


def _compile(version: Version, main: str, place: Path, room: Classroom) -> None:
    """Find the start of a version in a fresh copy of its files, and compile it there.

    If it may start in several ways, each is tried with the check, until one passes.
    """
    build, python = place / "build", environment_of(room.register)
    working_copy(place / "files", build)
    version.main, version.mains, version.checked, version.is_ready = main, (), "", False
    version.start, version.compiled, version.reason = None, None, ""
    version.ours = file_with_our_name(place / "files")

    def compiled(start: Start) -> Compiled:
        if version.compiled:  # an earlier candidate has left something
            working_copy(place / "files", build)
        version.reason = ""
        return _compile_copy(version, start, build, room)

    def fault(start: Start) -> str:
        spec = spec_of(start, "bot", build, python, sandboxed=room.sandboxed)
        return fault_of(spec, room.settings)

    try:
        version.start, _ = chosen_start(find_starts(build, main), compiled, fault)
    except NoStart as error:
        version.mains = error.mains if isinstance(error, Unclear) else ()
        version.compiled, version.reason = None, str(error)


def _compile_copy(version: Version, start: Start, build: Path, room: Classroom) -> Compiled:
    """Compile a version in a copy of its files, and note what the copy holds then."""
    seconds = room.settings.compile_seconds
    version.compiled = compile_start(
        start, build, environment_of(room.register), sandboxed=room.sandboxed, seconds=seconds
    )
    version.built = _digest(build)
    if version.built == UNREAD:
        reason = "error: the compilers have left what is no regular file, or too large"
        version.compiled = replace(version.compiled, passed=False, messages=reason)
        version.built = ""
    if not version.compiled.passed:
        version.is_ready = False
        version.reason = f"it does not compile: {first_error(version.compiled.messages)}"
    return version.compiled


def _undo_changes(room: Classroom) -> None:
    """Make the copies anew in which a bot has changed anything while it played.

    Compiled files of Python are a change, too. So are times, and flags of the file system.
    """
    for student in room.register.students:
        for number in {student.latest, student.playing} - {0}:
            version = student.versions[number - 1]
            with failure_noted(version):
                _undo(version, room.register.place(student, version) / "build", room)


def _undo(version: Version, build: Path, room: Classroom) -> None:
    """Make the copy of a version anew if it has changed."""
    if version.start and version.built and version.built != _digest(build):
        working_copy(build.with_name("files"), build)
        _compile_copy(version, version.start, build, room)
        room.register.save()


def _digest(build: Path) -> str:
    """Return a digest of a folder with the times of all changes, or "" if it is not there.

    It is ``UNREAD`` if something in it cannot be read, or not in time: files can have holes of any
    size.
    """
    if not build.is_dir():
        return ""
    try:
        with limited_time():
            return folder_digest(build, with_times=True)
    except (Exceeded, OSError, UsageError):
        return UNREAD


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
