"""Which version of a submission plays, and what its author is told."""

import io
from datetime import date
from pathlib import Path

import orjson
import pytest
from c4_protocol.terminal.console import SafeConsole
from c4_referee.bots.contain.faults import LAST_WORDS
from c4_referee.check.broken import CORRECT, for_author
from c4_referee.classroom.accounts import account_of, sentence
from c4_referee.classroom.check_versions import TO_FIX, choose
from c4_referee.classroom.entries import Row
from c4_referee.classroom.runs import Run
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.students_table import print_students, reason
from c4_referee.classroom.submissions.compiling import Compiled
from c4_referee.classroom.submissions.start import Start

VERSIONS = Path(__file__).parents[2] / "golden" / "class"
OK = Compiled(True, "", 0.1)


def student(*ready: bool, playing: int = 0, **values: object) -> Student:
    """Return a student with versions that are ready or not."""
    versions = [
        Version(digest=str(number), handed_in="2026-11-23", is_ready=each, compiled=OK, checked="x")
        for number, each in enumerate(ready)
    ]
    given = {"key": "k", "name": "Ada", "alias": "amber-otter", "is_here": True, **values}
    return Student(versions=versions, latest=len(ready), playing=playing, **given)


def test_versions_play_as_the_settings_say(tmp_path, golden):
    """What plays, and what is said of it, is that of the golden file.

    The last version that is ready plays, unless it came late or the settings withdraw it. Without
    a submission in the download, the bot plays on. An unchanged version is no news.
    """
    text = ""
    for row in orjson.loads((VERSIONS / "versions.json").read_bytes()):
        one = student(
            *map(bool, row["ready"]), playing=row.get("playing", 0), **row.get("student", {})
        )
        if "late" in row:
            one.versions[row["late"] - 1].late = True
        register, settings = Register(tmp_path), ClassSettings(**row.get("settings", {}))
        register.class_of.students = {one.key: one}
        choose(register, settings)
        account = account_of(one, register, settings, [Run(name="2026-11-23")])
        text += f"{one.playing} {account.tone}, {one.status}: {account.happened} ({reason(one)})\n"
    golden(VERSIONS / "versions.txt", text)


def test_bot_that_gave_up_is_named_to_its_author(tmp_path):
    """Its author reads this, and which version the games are of."""
    row = Row("amber-otter", 1, 2, 0, 0, gave_up=True)
    run = Run(name="2026-11-23", versions={"amber-otter": 1}, rows=(row,))
    account = account_of(student(True, True, playing=2), Register(tmp_path), ClassSettings(), [run])
    assert "gave up" in account.notes[0]
    assert "those of version 1" in account.notes[1]


def test_several_main_programs_are_named_to_both(tmp_path):
    """The instructor reads the line that decides, and the author what to hand in."""
    unclear = student(False)
    unclear.versions[0].mains = ("a.py", "b.py")
    unclear.versions[0].reason = "several programs could be its main one: a.py, b.py"
    assert 'under [main] in bots.toml: amber-otter = "a.py"  # or b.py' in reason(unclear)
    account = account_of(unclear, Register(tmp_path), ClassSettings(), [])
    assert "a.py, b.py" in account.todo[0]
    assert "bots.toml" not in account.todo[0]


@pytest.mark.parametrize(
    ("runs", "rank"),
    [
        ([], ""),
        ([(1, 2, 3)], "2nd of 3"),
        ([(1, 1, 3), (1, 3, 3)], "3rd of 3"),
        ([(1, 12, 28), (2, 11, 28), (3, 1, 28)], "1st of 28, 11th with version 2"),
        ([(1, 22, 30), (2, 21, 28), (2, 7, 28)], "7th of 28, 22nd of 30 with version 1"),
        ([(1, 2, 3), None], ""),
    ],
)
def test_rank_has_its_total_and_that_of_the_version_before(tmp_path, runs, rank):
    """The rank in the last run stands beside that of the last run with another version."""
    given = [
        Run(
            name=str(number),
            versions={"amber-otter": run[0]} if run else {},
            rows=tuple(
                Row("amber-otter" if run and place == run[1] else str(place), 1, place, 0, 0)
                for place in range(1, (run[2] if run else 3) + 1)
            ),
        )
        for number, run in enumerate(runs)
    ]
    one = student(True, playing=1)
    assert account_of(one, Register(tmp_path), ClassSettings(), given).rank == rank


def test_sentence_keeps_the_name_of_a_file_at_its_beginning():
    """Other sentences begin with a capital."""
    assert sentence("hw.zip is damaged") == "hw.zip is damaged."
    assert sentence("it is damaged.") == "It is damaged."


FAILED = (
    ("bot.py, line 3: SyntaxError: Missing parentheses", CORRECT, 2),
    ("bot.py, line 1: ModuleNotFoundError: No module named 'torch'", CORRECT, 3),
    ("open(): No such file or directory: 'book.txt'", "the sandbox hides /home/book.txt: set", 1),
    ("", "find out why it ended with exit code 0; or, if it works with --no-sandbox, set", 1),
    ("", "it cannot read JSON: name its dialect, for example with --dialect codingame", 1),
)


def test_table_has_a_line_for_each_student_below_the_cause(golden):
    """Causes are grouped, and nothing names options of commands that a class does not have."""
    students = []
    for said, fix, number in FAILED:
        words = f"it ended with exit code {1 if said else 0}{said and LAST_WORDS}{said}"
        for _ in range(number):
            one = student(False, name="Ada " * (number + 3), alias=f"amber-{len(students)}")
            one.versions[0].reason = f"{words}{TO_FIX}{for_author(words, fix)}"
            one.versions[0].start = Start("Python", ("python3", "bot.py"), "")
            students.append(one)
    students += [
        student(True, playing=1),
        student(False, name="Bob"),
        Student(key="c", name="Cy", alias="calm-bear"),
    ]
    students[-2].versions[0].reason = "only report.pdf"
    students.append(student(True, False, playing=1, name="Dee"))
    students[-1].versions[1].reason = "it does not compile: bot.c:1: error: expected ';'"
    console = SafeConsole(file=io.StringIO(), width=80, highlight=False)
    print_students(console, students)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    golden(VERSIONS / "table.txt", "\n".join(map(str.rstrip, text.split("\n"))))


def test_runs_of_a_day_are_numbered(tmp_path):
    """A second run of a day gets the number 2, and runs are in their order."""
    from c4_referee.classroom.runs import Runs

    runs, names = Runs(tmp_path), []
    for _ in range(11):
        names.append(runs.new_name())
        assert runs.open_one() is None
        runs.save(Run(name=names[-1]))
        assert runs.open_one().name == names[-1]
        runs.save(Run(name=names[-1], is_over=True))
    today = date.today().isoformat()
    assert names == [today, *(f"{today}-{number}" for number in range(2, 12))]
    assert [run.name for run in runs.all()] == names
    assert runs.last().name == names[-1]
    (tmp_path / "runs" / today).rename(tmp_path / "runs" / "2001-02-03")
    assert runs.all()[0].name == "2001-02-03"
