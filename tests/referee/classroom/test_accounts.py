"""Which version of a submission plays, and what its author is told."""

from datetime import date

import pytest
from c4_referee.classroom.accounts import account_of
from c4_referee.classroom.check import choose
from c4_referee.classroom.entries import Row
from c4_referee.classroom.runs import Run
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.summary import reason
from c4_referee.submissions.compiling import Compiled

OK = Compiled(True, "", 0.1)


def student(*ready: bool, playing: int = 0, **values: object) -> Student:
    """Return a student with versions that are ready or not."""
    versions = [
        Version(digest=str(number), handed_in="2026-11-23", is_ready=each, compiled=OK, checked="x")
        for number, each in enumerate(ready)
    ]
    given = {"key": "k", "name": "Ada", "alias": "amber-otter", "is_here": True, **values}
    return Student(versions=versions, latest=len(ready), playing=playing, **given)


@pytest.fixture
def told(tmp_path):
    """Return a function from a student and settings to what plays and the first sentence."""

    def tell(one: Student, run: Run | None = None, **settings: object) -> tuple[int, str]:
        register = Register(tmp_path)
        register.class_of.students = {one.key: one}
        choose(register, made := ClassSettings(**settings))
        account = account_of(one, register, made, run)
        expected = "not" if not one.playing else "plays" if one.playing == one.latest else "earlier"
        assert account.tone == expected
        return one.playing, account.happened

    return tell


def test_first_version_plays(told):
    """A version that is ready plays."""
    assert told(student(True)) == (1, "Version 1 is ready and plays.")


def test_version_that_is_not_ready_leaves_the_last_one_in_play(told):
    """The last version that was ready plays on, unless the settings withdraw it."""
    after = "Version 3 is not ready. Version 2 plays on."
    assert told(student(True, True, False, playing=2)) == (2, after)
    assert told(student(True, False, False, playing=1))[0] == 1
    withdrawn = told(student(True, False, playing=1), on_failure="withdraw")
    assert withdrawn == (0, "Version 2 is not ready. You have no bot in play.")


def test_version_that_is_no_longer_ready_gives_way_to_an_earlier_one(told):
    """After a change of the conditions, an earlier version that is ready plays."""
    assert told(student(True, False, False, playing=2))[0] == 1
    assert told(student(False, False, playing=1))[0] == 0


def test_late_version_plays_as_the_settings_say(told):
    """Late submissions play, or the version before them plays on."""
    late = student(True, True, playing=1)
    late.versions[1].late = True
    assert told(late, late="leave out") == (
        1,
        "Version 2 came late and does not play. Version 1 plays on.",
    )
    assert reason(late) == "late, so it is left out; version 1 plays"
    assert told(late)[0] == 2
    assert reason(late) == "late, but it plays"


def test_late_version_that_is_left_out_never_plays(told):
    """It does not take the place of a later version that is not ready."""
    late = student(True, False)
    late.versions[0].late = True
    assert told(late, late="leave out")[0] == 0
    assert told(late)[0] == 1


def test_who_is_missing_today_stays(told):
    """Without a submission in the download, the bot plays on."""
    absent = student(True, playing=1, is_here=False)
    text = "The last download has nothing from you. Version 1 plays on."
    assert told(absent) == (1, text)
    assert (absent.status, reason(absent)) == ("missing", "not in this download; version 1 plays")


def test_unchanged_version_is_no_news(told):
    """The feedback of a run says what is new in it, also if it is written again."""
    same = student(True, playing=1, told=1, told_in="2026-11-22")
    run = Run(name="2026-11-23")
    assert told(same, run) == (1, "You handed in nothing new. Version 1 plays on.")
    same.told_in = run.name
    assert told(same, run) == (1, "Version 1 is ready and plays.")


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
