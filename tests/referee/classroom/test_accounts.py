"""Which version of a submission plays, and what its author is told."""

from datetime import date
from pathlib import Path

import orjson
from c4_referee.classroom.accounts import account_of
from c4_referee.classroom.check_versions import choose
from c4_referee.classroom.entries import Row
from c4_referee.classroom.runs import Run
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.students_table import reason
from c4_referee.classroom.submissions.compiling import Compiled

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
        account = account_of(one, register, settings, Run(name="2026-11-23"))
        text += f"{one.playing} {account.tone}, {one.status}: {account.happened} ({reason(one)})\n"
    golden(VERSIONS / "versions.txt", text)


def test_bot_that_gave_up_is_named_to_its_author(tmp_path):
    """Its author reads this, and which version the games are of."""
    row = Row("amber-otter", 1, 2, 0, 0, gave_up=True)
    run = Run(name="2026-11-23", versions={"amber-otter": 1}, rows=(row,))
    account = account_of(student(True, True, playing=2), Register(tmp_path), ClassSettings(), run)
    assert "gave up" in account.notes[0]
    assert "those of version 1" in account.notes[1]


def test_several_main_programs_are_named_to_both(tmp_path):
    """The instructor reads the line that decides, and the author what to hand in."""
    unclear = student(False)
    unclear.versions[0].mains = ("a.py", "b.py")
    unclear.versions[0].reason = "several programs could be its main one: a.py, b.py"
    assert 'amber-otter = "a.py" under [main] in bots.toml' in reason(unclear)
    account = account_of(unclear, Register(tmp_path), ClassSettings(), None)
    assert "a.py, b.py" in account.todo[0]
    assert "bots.toml" not in account.todo[0]


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
