"""Submissions of a download become versions of students."""

import io
import shutil
import zipfile

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.classroom import publish
from c4_referee.classroom import take_in as module
from c4_referee.classroom.folder import opened
from c4_referee.classroom.students import Register
from c4_referee.classroom.take_in import take_in


@pytest.fixture
def taken(tmp_path):
    """Return a function that takes in the folder ``download``, and returns line and students."""

    def take() -> tuple[str, dict]:
        with opened(tmp_path) as room:
            line = take_in(room, tmp_path / "download")
        again = Register(tmp_path)  # what was stored
        return line, {student.name: student for student in again.students}

    return take


def hand_in(folder, name: str, text: str) -> None:
    """Write a submission of one file."""
    (folder / "download" / name).mkdir(parents=True, exist_ok=True)
    (folder / "download" / name / "bot.py").write_text(text, encoding="utf-8")


def test_versions_are_told_apart_by_content(tmp_path, taken):
    """The same content is the same version, also after another one."""
    hand_in(tmp_path, "ada", "1")
    hand_in(tmp_path, "bob", "1")
    line, students = taken()
    assert line == "2 submissions (plain): 2 new"
    alias = students["ada"].alias
    for text, latest in (("2", 2), ("2", 2), ("1", 1)):
        hand_in(tmp_path, "ada", text)
        _, students = taken()
        assert (students["ada"].latest, students["ada"].alias) == (latest, alias)
    version = students["ada"].versions[1]
    stored = tmp_path / "submissions" / alias / version.digest / "files" / "bot.py"
    assert stored.read_text(encoding="utf-8") == "2"


def test_failure_costs_one_submission_and_its_feedback(tmp_path, taken, monkeypatch):
    """The class goes on with others, if a submission or its feedback raises something."""
    hand_in(tmp_path, "ada", "1")
    hand_in(tmp_path, "vicky", "2")  # "bob" could also be a part of the alias of ada
    for where, name in ((module, "gather"), (publish, "account_of")):
        function = getattr(where, name)

        def fail(*words, function=function):
            return function(*words) if "vicky" in str(words) else int("x")

        monkeypatch.setattr(where, name, fail)
    _, students = taken()
    assert "(ValueError in take_in.py, line " in students["ada"].version.reason
    assert [students[name].version.refused for name in ("ada", "vicky")] == [True, False]
    with opened(tmp_path) as room:
        line = publish.publish(room)
    assert f"; no feedback for {students['ada'].alias}: c4-referee cannot use it" in line
    assert len([*(tmp_path / "feedback").glob("*/index.html")]) == 1


def test_missing_students_stay(tmp_path, taken):
    """Who is not in a download is missing, and keeps the version."""
    hand_in(tmp_path, "ada", "1")
    hand_in(tmp_path, "bob", "1")
    taken()
    shutil.rmtree(tmp_path / "download" / "ada")
    line, students = taken()
    assert "1 missing" in line
    assert (students["ada"].status, students["ada"].latest) == ("missing", 1)


def test_names_of_students_come_from_a_file(tmp_path, taken):
    """Folders get names, and students without a submission are listed."""
    text = "folder,name\nada,Ada Lovelace\ngrace,Grace Hopper\n"
    (tmp_path / "students.csv").write_text(text, encoding="utf-8")
    hand_in(tmp_path, "ada", "1")
    line, students = taken()
    assert {*students} == {"Ada Lovelace", "Grace Hopper"}
    assert (students["Grace Hopper"].status, "1 missing" in line) == ("missing", True)


def test_refused_archive_is_a_version_without_files(tmp_path, taken):
    """Its author is told why, and the rest of the class goes on."""
    hand_in(tmp_path, "bob", "1")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../evil.py", "1")
    (tmp_path / "download" / "ada.zip").write_bytes(packed.getvalue())
    for _ in range(2):
        line, students = taken()
        assert "1 refused" in line
        (version,) = students["ada"].versions
        assert "outside of its folder" in version.reason
        assert students["bob"].latest == 1
    assert not [*tmp_path.rglob("evil.py")]


@pytest.mark.parametrize("source", [".", "class", "class/submissions"])
def test_class_is_no_download(tmp_path, source):
    """A mistake on the command line does not make students of the files of the class."""
    with opened(tmp_path / "class") as room:
        with pytest.raises(UsageError, match="holds the class itself"):
            take_in(room, tmp_path / source)
        assert not room.register.students


def test_names_can_be_any_bytes(tmp_path, taken):
    """An archive made on another system can have names that are no UTF-8."""
    hand_in(tmp_path, "\udcfc", "1")
    hand_in(tmp_path, "bob", "1")
    for _ in range(2):
        _, students = taken()
        assert {name: each.latest for name, each in students.items()} == {"\\udcfc": 1, "bob": 1}


def test_feedback_under_a_former_name_is_removed(tmp_path, taken):
    """Nobody hands out old pages of a group that has grown. A folder of the instructor stays."""
    hand_in(tmp_path, "ada", "1")
    taken()
    for name in ("site.txt/mine", "other/mine"):
        (tmp_path / "feedback" / name).mkdir(parents=True)
    with opened(tmp_path) as room:
        for name in ("ada", "ada, bob"):
            room.register.students[0].name = name
            publish.publish(room)
    folders = [path.name for path in (tmp_path / "feedback").iterdir() if path.is_dir()]
    assert sorted(folders) == ["ada, bob", "other", "site.txt"]
