"""The third step of a run: what was compiled is checked, and the version that plays is chosen."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256

from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.check.broken import for_author
from c4_referee.check.whole_file import Checked, check_all, failures
from c4_referee.classroom.bots_file import BotsFile
from c4_referee.classroom.choice import trial_of
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student, Version, failure_noted
from c4_referee.classroom.submissions.start import failure_text
from c4_referee.classroom.tables import found_table, scrubber, spec_for, table_of
from c4_referee.report.terminal.bar import Bar
from c4_referee.report.texts import counted

TO_FIX = "; to fix: "
"""Text between what a check has seen and the advice, in the reason why a version is not ready."""


def check_new(room: Classroom, students: Collection[str] | None = None) -> str:
    """Check the versions that were not checked in this way yet, and return a line for people.

    ``students`` has the aliases of those whose versions are checked. The default is all.
    """
    register, settings = room.register, room.settings
    todo: dict[str, tuple[Student, Version, str, BotSpec]] = {}
    for student, version in _candidates(register, room.bots):
        if students is not None and student.alias not in students:
            continue
        try:
            spec = spec_for(register, room.bots, student, version, sandboxed=room.sandboxed)
            spec.check_plays(Variant.parse(settings.variant), TimeControl(settings.time_ms))
            spec.check_openings(settings.openings)
        except Exception as error:
            version.is_ready, version.reason, version.checked = False, failure_text(error), ""
            continue
        # All that the check depends on, except the files of the submission.
        conditions = (
            table_of(spec, but={"name", "cwd", "python"}),  # without the folder of the class
            settings.time_ms,
            settings.variant,
            settings.check_seconds,
            settings.packages,
        )
        digest = sha256(repr(conditions).encode()).hexdigest()[:16]
        if version.checked != digest:
            name = f"{spec.name} {version.digest}"  # two versions of a student may be checked
            todo[name] = student, version, digest, replace(spec, name=name)
    _check(room, todo)
    choose(register, settings)
    for student in register.students:  # bots.toml has the version that plays, or else the latest
        number = student.playing or student.latest
        if number:
            version = student.versions[number - 1]
            with failure_noted(version):
                if found := found_table(register, student, version):
                    comment = f"{student.name}, version {number}"
                    room.bots.put(student.alias, comment, found, student.table)
                    student.table = found
    choose(register, settings)  # again, because a version is not ready if its table failed
    room.bots.save()
    register.save()
    ready = sum(student.status == "ready" for student in register.students)
    return f"{counted(len(todo), 'bot')} checked; {ready} of {len(register.students)} are ready"


def _candidates(register: Register, bots: BotsFile) -> Iterator[tuple[Student, Version]]:
    """Generate the latest version of each student and the one that plays, if they can start."""
    for student in register.students:
        has_command = "command" in bots.edited(student.alias, student.table)
        for number in {student.latest, student.playing} - {0}:
            version = student.versions[number - 1]
            is_compiled = version.compiled is not None and version.compiled.passed
            if is_compiled or (has_command and not version.refused):
                yield student, version


def _check(room: Classroom, todo: Mapping[str, tuple[Student, Version, str, BotSpec]]) -> None:
    """Check versions by the names of their bots. The texts identify the conditions of the check."""
    register, settings = room.register, room.settings

    with Bar("checking", total=len(todo), threaded=False, lines=True) as bar:

        def keep(checked: Checked) -> None:
            student, version, conditions, _ = todo[checked.bot]
            version.checked = conditions
            with failure_noted(version):
                _take_report(register, student, version, checked)
            register.save()
            bar.add_one()

        trials = {name: partial(trial_of, spec, settings) for name, (*_, spec) in todo.items()}
        check_all(trials, keep, seconds=settings.check_seconds)


def _take_report(register: Register, student: Student, version: Version, checked: Checked) -> None:
    version.is_ready, version.needs, version.reason = checked.passed_here, {}, checked.reason
    if checked.report is None:
        return
    report = scrubber(register, student, version).json_value(checked.report)
    for cause in report["causes"]:
        cause["fix"] = for_author(cause["seen"], cause["fix"])
    register.save_check(student, version, report)
    version.start_ms, version.answer_ms = report["start_ms"], report["answer_ms"]
    if report["start"]:
        version.needs = tomllib.loads(report["start"]["line"])
    found = (f"{cause['seen']}{TO_FIX}{cause['fix']}" for cause in failures(report))
    version.reason = "" if version.is_ready else next(found, "it breaks rules")


def choose(register: Register, settings: ClassSettings) -> None:
    """Choose the version of each student that plays: the latest if it is ready and not left out.

    Otherwise the one that played until now goes on if it is still ready, or else the last one that
    is. With ``on_failure = "withdraw"``, none plays in place of one that is not ready.
    """
    for student in register.students:
        version, playing = student.version, student.playing_version
        if version is None:
            continue
        if may_play(version, settings):
            student.playing = student.latest
        elif settings.on_failure == "withdraw" and not version.is_ready:
            student.playing = 0
        elif playing is None or not may_play(playing, settings):
            earlier = range(student.latest - 1, 0, -1)
            ready = (each for each in earlier if may_play(student.versions[each - 1], settings))
            student.playing = next(ready, 0)


def may_play(version: Version, settings: ClassSettings) -> bool:
    """Return whether a version is ready and not left out."""
    return version.is_ready and not (version.late and settings.late == "leave out")
