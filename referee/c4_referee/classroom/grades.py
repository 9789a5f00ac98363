"""The grades of a class: by the rubric, or without one by the points in the last run."""

import csv
from collections.abc import Mapping
from hashlib import sha256
from io import StringIO
from pathlib import Path

from c4_protocol.program.errors import ArenaError

from c4_referee.bots.contain.forks import in_forks
from c4_referee.classroom.entries import Account, Row
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.grading.grade import failed_grade, grade
from c4_referee.classroom.grading.points import Grade
from c4_referee.classroom.grading.rubric import read_rubric
from c4_referee.classroom.runs import Run
from c4_referee.classroom.students import Student
from c4_referee.classroom.submissions.platforms import grades_rows
from c4_referee.classroom.tables import spec_for
from c4_referee.report.terminal.bar import Bar
from c4_referee.system.safe_files import read_file


def grade_new(room: Classroom) -> int:
    """Grade the versions that play by the rubric, if there is one. Return how many were graded."""
    if not room.settings.rubric:
        return 0
    path = room.folder / room.settings.rubric
    rubric, digest = read_rubric(path), sha256(read_file(path)).hexdigest()[:16]
    todo = [
        (student, version)
        for student in room.register.students
        if (version := student.playing_version) and version.graded != f"{digest} {version.checked}"
    ]

    def work(number: int) -> Grade:
        student, version = todo[number]
        spec = spec_for(room.register, room.bots, student, version, sandboxed=room.sandboxed)
        seed = room.settings.seed
        try:
            return grade(spec, rubric, seed)
        except ArenaError as error:  # no points, and the reason
            home = Path(spec.working_folder or ".")
            return failed_grade(spec.name, rubric, str(error), home, seed)

    with Bar("grading", total=len(todo), threaded=False, lines=True) as bar:

        def keep(number: int, result: Grade | Exception) -> None:
            if isinstance(result, Exception):
                raise result
            version = todo[number][1]
            version.grade, version.graded = result, f"{digest} {version.checked}"
            room.register.save()
            bar.add_one()

        in_forks(work, range(len(todo)), keep)
    return len(todo)


def grades_csv(room: Classroom, run: Run | None, accounts: Mapping[str, Account]) -> str:
    """Return the file of grades in the columns of the platform."""
    settings = room.settings
    rows: list[tuple[Mapping[str, str], float | None, str]] = []
    standings = {row.name: row for row in run.rows} if run else {}
    for student in room.register.by_name:
        share = _share(student, standings.get(student.alias), bool(settings.rubric))
        points = round(settings.max_grade * share, 2)
        columns = {"Name": student.name, **student.columns}
        rows.append((columns, points, accounts[student.alias].happened))
    platform = room.register.class_of.platform
    written = StringIO()
    lines = grades_rows(platform, rows, settings.assignment, settings.max_grade)
    csv.writer(written).writerows(lines)
    return written.getvalue()


def _share(student: Student, row: Row | None, has_rubric: bool) -> float:
    """Return the grade of a student, as a share of the maximum grade."""
    if has_rubric:
        result = student.playing_version and student.playing_version.grade
        return result.points / result.max_points if result and result.max_points else 0.0
    return row.points / row.games if row and row.games and not row.gave_up else 0.0
