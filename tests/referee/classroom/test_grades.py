"""Files of grades are read by the rules of the importers of Moodle and Canvas.

The rules of Moodle's importer of grading worksheets (``mod/assign/feedback/offline``), as of
Moodle 4:

- A byte order mark is dropped. The separator is a comma; newer versions let the teacher choose.
- Three headings must be those of the site's language: "Identifier", "Grade" and "Last modified
  (grade)". Otherwise the file is refused.
- The identifier is the word for "Participant " in this language and a number. Rows of numbers that
  are no participants are skipped.
- A decimal comma is read like a point. An empty grade, one that has not changed, and one below 0 or
  above the maximum grade are skipped.
- A row is skipped if the grade in Moodle is more than a minute newer than "Last modified (grade)",
  also for its comment. No date counts as the oldest, and so does one that PHP's ``strtotime``
  cannot read, because it knows only English words. A box in the form ("Allow updating records that
  have been modified more recently") turns this off. Feedback files create such a grade.

The rules of Canvas' importer of gradebooks (``lib/gradebook_importer.rb``):

- The first cell holds "Student", the second "ID", and the last column about a student "Section". It
  may follow "SIS Login ID", or "SIS User ID" and "SIS Login ID".
- "Title (NUMBER)" is the assignment with this number; a title alone is that with this title. For
  others, Canvas offers to make a new assignment.
- A row whose first cell holds "Points Possible" is no student.
- A student is found by the ID, which is a whole number, otherwise by SIS ids or the name.
- An empty grade where there is one removes it.
"""

import csv
import io
import re
from types import SimpleNamespace

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom.folder import opened
from c4_referee.classroom.grades import grades_csv, staff_rubric
from c4_referee.classroom.grading.points import Grade, GradedLine
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Student, Version
from c4_referee.classroom.submissions.handed import Person
from pydantic import ValidationError

ENGLISH = ("Identifier", "Participant ", "Grade", "Last modified (grade)")
GERMAN = ("ID", "Teilnehmer/in", "Bewertung", "Zuletzt geändert (Bewertung)")
WORKSHEET = """\
ID,"Vollständiger Name",Nummer,Status,Bewertung,Bestwertung,"Bewertung kann geändert werden",\
"Zuletzt geändert (Abgabe)","Zuletzt geändert (Bewertung)","Feedback als Kommentar"
Teilnehmer/in11,"Ada, =1+1",7,Abgegeben,,"20,00",Ja,-,"Montag, 23. November 2026, 02:00",gut
Teilnehmer/in12,Bob,7,Abgegeben,"3,00","20,00",Ja,-,-,
Teilnehmer/in99,Zoë,7,"Keine Abgabe",-,"20,00",Ja,-,-,
"""


def import_into_moodle(text, words, known, modified=(), *, ignoring=False):
    """Return the new grades of participants by number. ``modified`` have newer grades."""
    identifier, participant, grade, changed = words
    header, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    if not {identifier, grade, changed} <= {*header}:
        raise ValueError("invalid")
    updated = {}
    for row in rows:
        number = row[header.index(identifier)].removeprefix(participant)
        value = row[header.index(grade)].replace(",", ".")
        stale = number in modified and not re.search(
            r"day, \d+ \w+ \d+", row[header.index(changed)]
        )
        if number in known and value not in {"", "-"} and (ignoring or not stale):
            updated[number] = float(value)
    return updated


def import_into_canvas(text, ids, assignments):
    """Return the title of the assignment, and the grades by the ids of students."""
    header, *rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert header[2:5] == ["SIS User ID", "SIS Login ID", "Section"]
    number = re.search(r"\((\d+)\)$", header[5])
    title = assignments.get(number and number[1], header[5])
    graded = {row[1]: row[5] for row in rows if "Points Possible" not in row[0]}
    assert {*graded} <= ids
    return title, graded


@pytest.fixture
def grades(tmp_path):
    """Return a function that returns the grades of Ada (75 of 100 points), Bob (none) and Cy."""

    def make(platform, column, settings='rubric = "rubric.toml"'):
        (tmp_path / "class.toml").write_text(settings, encoding="utf-8")
        with opened(tmp_path, sandboxed=False) as room:
            room.register.class_of.platform = platform
            for number, name in enumerate(("Ada", "Bob", "Cy"), 11):
                line = GradedLine("all", 75 - number + 11, 100, passed=False, reason="")
                result = None if name == "Bob" else Grade(name, (line,))
                version = Version(digest=name, handed_in="", is_ready=True, grade=result)
                found = {"latest": 1, "playing": 0 if name == "Cy" else 1, "versions": [version]}
                columns = {
                    column: f"Participant {number}" if column == "Identifier" else f"{number}"
                }
                people = [Person(name=name, columns=columns)]
                student = Student(key=name, name=name, alias=name, people=people, **found)
                room.register.class_of.students[name] = student
            told = dict.fromkeys(("Ada", "Bob", "Cy"), SimpleNamespace(happened="It plays."))
            return grades_csv(room, told)

    return make


def test_moodle_takes_the_grades_of_graded_bots_only(grades):
    """A bot without a grade, or that does not play, has none. Newer grades of Moodle stay."""
    text, known = grades("moodle", "Identifier"), {"11", "12", "13"}
    assert import_into_moodle(text, ENGLISH, known) == {"11": 75}
    assert import_into_moodle(text, ENGLISH, known, modified={"11"}) == {}
    assert import_into_moodle(text, ENGLISH, known, {"11"}, ignoring=True) == {"11": 75}
    with pytest.raises(ValueError, match="invalid"):
        import_into_moodle(text, GERMAN, known)


def test_worksheet_of_moodle_is_filled_in_another_language(grades, tmp_path):
    """Only the grade changes, in the scale of the worksheet. Rows of others stay."""
    (tmp_path / "worksheet.csv").write_text(WORKSHEET, encoding="utf-8-sig")
    text = grades("moodle", "Identifier")
    assert import_into_moodle(text, GERMAN, {"11", "12"}) == {"11": 15, "12": 3}
    assert import_into_moodle(text, GERMAN, {"11", "12"}, {"11"}) == {"12": 3}
    assert import_into_moodle(text, GERMAN, {"11"}, {"11"}, ignoring=True) == {"11": 15}
    before, after = ([*csv.reader(io.StringIO(each))] for each in (WORKSHEET, text))
    before[1][4] = "15"
    assert after == before


def test_file_without_grades_is_no_worksheet(grades, tmp_path):
    """The error names the file and what to do."""
    (tmp_path / "worksheet.csv").write_text("folder,name,a\n1,2,3\n")
    with pytest.raises(UsageError, match=r"worksheet\.csv: .*download the worksheet again"):
        grades("moodle", "Identifier")


def test_canvas_takes_the_grades_of_graded_bots_only(grades):
    """Students without a grade are left out, so that Canvas removes no grade."""
    settings = 'rubric = "r"\nassignment = "Bot (5)"'
    read = import_into_canvas(grades("canvas", "ID", settings), {"11", "12", "13"}, {"5": "Four"})
    assert read == ("Four", {"11": "75"})


def test_class_without_a_rubric_has_no_grades(grades):
    """The share of the points in the class is no grade: its mean would be a half."""
    assert import_into_moodle(grades("moodle", "Identifier", ""), ENGLISH, {"11"}) == {}


def test_marks_of_the_staff_are_points_in_games_with_its_bots():
    """Each bot of the staff is a goal of ten points."""
    rubric = staff_rubric(ClassSettings(marks="staff", staff={"easy": "c4-bot --level 1"}))
    (goal,) = rubric.goals
    assert (goal.against, goal.points, goal.games, goal.share) == ("c4-bot --level 1", 10, 10, 1)
    assert goal.name == "Points in 10 games against easy"
    for wrong in ({"marks": "staff"}, {"marks": "staff", "rubric": "r", "staff": {"a": "b"}}):
        with pytest.raises(ValidationError, match="marks"):
            ClassSettings(**wrong)
