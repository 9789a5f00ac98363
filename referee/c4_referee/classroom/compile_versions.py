"""The second step of a run: how new versions start is found out, and they are compiled."""

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from c4_referee.bots.contain.forks import in_forks
from c4_referee.classroom.choice import chosen_start, compile_copy, digest_of_copy
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.students import Version, failure_noted
from c4_referee.classroom.submissions.compiling import working_copy
from c4_referee.classroom.submissions.similar import file_with_our_name
from c4_referee.classroom.submissions.start import NoStart, Unclear
from c4_referee.classroom.tables import environment_of
from c4_referee.report.terminal.bar import Bar


def compile_new(room: Classroom, students: Collection[str] | None = None) -> str:
    """Compile the latest versions that were not compiled yet, and return a line for people.

    ``students`` has the aliases of those whose versions are compiled. The default is all.

    A start that was not found is looked for again, because a program may have been installed. So
    is one whose compilers were too slow, if they have more time now. Without ``students``, what
    bots have changed in their folders is undone, so that a version stays what was handed in.
    """
    todo, seconds = [], room.settings.compile_seconds
    chosen = [it for it in room.register.students if students is None or it.alias in students]
    if students is None:
        _undo_changes(room)
    for student in chosen:
        if version := student.version:
            main = room.bots.main_of(student.alias)
            is_unfound = version.start is None and not version.is_ready
            was_late = bool(version.compiled and 0 < version.compiled.exceeded < seconds)
            if not version.refused and (is_unfound or was_late or version.main != main):
                todo.append((version, main, room.register.place(student, version)))
    with Bar("compiling", total=len(todo), threaded=False, lines=True) as bar:

        def work(item: tuple[Version, str, Path]) -> Version:
            with failure_noted(item[0]):
                _compile(*item, room)
            return item[0]

        def keep(item: tuple[Version, str, Path], result: Version | Exception) -> None:
            version = item[0]
            with failure_noted(version):
                if isinstance(result, Exception):
                    raise result
                vars(version).update(vars(result))
            room.register.save()
            bar.add_one()

        in_forks(work, todo, keep)
    return _summary([version for version, *_ in todo])


def _compile(version: Version, main: str, place: Path, room: Classroom) -> None:
    """Find the start of a version in a fresh copy of its files, and compile it there."""
    version.main, version.mains, version.checked, version.is_ready = main, (), "", False
    version.start, version.compiled, version.reason = None, None, ""
    version.ours = file_with_our_name(place / "files")
    python = environment_of(room.register)
    try:
        version.start, version.compiled = chosen_start(
            place, python, room.settings, main, sandboxed=room.sandboxed
        )
        version.reason = version.compiled.why_failed
    except NoStart as error:
        version.mains = error.mains if isinstance(error, Unclear) else ()
        version.reason = str(error)


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
    before = version.compiled.built if version.compiled else ""
    if version.start and before and before != digest_of_copy(build):
        working_copy(build.with_name("files"), build)
        python = environment_of(room.register)
        version.compiled = compile_copy(
            version.start, build, python, room.settings, sandboxed=room.sandboxed
        )
        if not version.compiled.passed:
            version.is_ready, version.reason = False, version.compiled.why_failed
        room.register.save()


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
