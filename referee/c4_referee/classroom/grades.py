"""The grades of a class: by a rubric, or by games against the instructor's bots."""

import csv
from collections.abc import Mapping
from hashlib import sha256
from io import StringIO
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.contain.forks import in_forks
from c4_referee.classroom.entries import Account
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.grading.grade import failed_grade, grade
from c4_referee.classroom.grading.points import Grade
from c4_referee.classroom.grading.rubric import Goal, Rubric, read_rubric
from c4_referee.classroom.grading.rubric_games import random_shares
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Student, Version
from c4_referee.classroom.submissions.platforms import grades_rows
from c4_referee.classroom.submissions.start import failure_text
from c4_referee.classroom.tables import spec_for
from c4_referee.classroom.worksheet import filled_worksheet
from c4_referee.report.terminal.bar import Bar

WORKSHEET_FILE = "worksheet.csv"
"""Name of the optional file in the folder of a class: the grading worksheet of Moodle."""


def rubric_of(room: Classroom) -> Rubric | None:
    """Return the rubric of a class, or ``None`` if there are no grades.

    Raises ``UsageError`` if its file is wrong.
    """
    settings = room.settings
    if settings.marks:
        return staff_rubric(settings)
    return read_rubric(room.folder / settings.rubric) if settings.rubric else None


def staff_rubric(settings: ClassSettings) -> Rubric:
    """Return the rubric of ``marks = "staff"``: a point for each of ten games against each bot."""
    goals = [
        Goal(type="score", points=10, games=10, share=1.0, against=command,
             name=f"Points in 10 games against {name}")
        for name, command in settings.staff.items()
    ]  # fmt: skip
    return Rubric(tuple(goals), settings.time_ms, variant=settings.variant)


def grade_new(room: Classroom) -> int:
    """Grade the versions that play and have no grade yet. Return how many were graded."""
    rubric, seed = rubric_of(room), room.settings.seed
    if rubric is None:
        return 0
    digest = sha256(f"{rubric} {seed}".encode()).hexdigest()[:16]
    todo = [
        (student, version)
        for student in room.register.students
        if (version := student.playing_version) and version.graded != f"{digest} {version.checked}"
    ]
    if todo:  # a wrong goal is the instructor's mistake, and no student's
        random_shares(rubric, seed)

    def work(item: tuple[Student, Version]) -> Grade:
        spec = spec_for(room.register, room.bots, *item, sandboxed=room.sandboxed)
        try:
            return grade(spec, rubric, seed)
        except Exception as error:  # no points, and the reason
            home = Path(spec.working_folder or ".")
            return failed_grade(spec.name, rubric, failure_text(error), home, seed)

    with Bar("grading", total=len(todo), threaded=False, lines=True) as bar:

        def keep(item: tuple[Student, Version], result: Grade | Exception) -> None:
            student, version = item
            if isinstance(result, UsageError):  # the instructor's mistake
                raise result
            if isinstance(result, Exception):
                home = room.register.place(student, version) / "build"
                result = failed_grade(student.alias, rubric, failure_text(result), home, seed)
            version.grade, version.graded = result, f"{digest} {version.checked}"
            room.register.save()
            bar.add_one()

        in_forks(work, todo, keep)
    return len(todo)


def grades_csv(room: Classroom, accounts: Mapping[str, Account]) -> str:
    """Return the file of grades: Moodle's worksheet if it is there, or the platform's columns.

    Raises ``UsageError`` if the worksheet cannot be read.
    """
    settings, students = room.settings, room.register.by_name
    shares = {student.alias: _share(student, settings) for student in students}
    worksheet = room.folder / WORKSHEET_FILE
    if worksheet.exists():
        by_id = {
            person.cells.get("Identifier", ""): shares[student.alias]
            for student in students
            for person in student.people
        }
        return filled_worksheet(worksheet, by_id)
    rows: list[tuple[Mapping[str, str], float | None, str]] = []
    for student in students:
        share, happened = shares[student.alias], accounts[student.alias].happened
        points = None if share is None else round(settings.max_grade * share, 2)
        rows += [(person.cells, points, happened) for person in student.people]
    platform = room.register.class_of.platform
    written = StringIO()
    lines = grades_rows(platform, rows, settings.assignment, settings.max_grade)
    csv.writer(written).writerows(lines)
    return written.getvalue()


def _share(student: Student, settings: ClassSettings) -> float | None:
    """Return the grade of a student as a share of the maximum grade, or ``None`` if there is none.

    There is none without a rubric, and for a bot that was not graded.
    """
    result = student.playing_version and student.playing_version.grade
    if not (settings.rubric or settings.marks) or not result or not result.max_points:
        return None
    return result.points / result.max_points
