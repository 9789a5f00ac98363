"""Submissions become bots, or get a reason for their authors."""

import shutil

import pytest
from c4_referee.classroom import choice
from c4_referee.classroom.prepare import NotCompiled, is_submission, prepared
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.start import Unclear
from c4_referee.classroom.submissions.tree import Refused

BOT = "import sys\nfor line in sys.stdin:\n    print('{\"move\":3}', flush=True)\n"
needs_gcc = pytest.mark.skipif(not shutil.which("gcc"), reason="gcc is not installed")


@pytest.fixture
def submission(tmp_path):
    """Return a folder of a submission with these files."""

    def make(**files: str):
        folder = tmp_path / "four"
        folder.mkdir()
        for name, text in files.items():
            (folder / name.replace("__", ".")).write_text(text)
        return folder

    return make


def test_folders_and_files_that_cannot_run_are_submissions(tmp_path, monkeypatch):
    """A program is a command line, and so is a path that does not exist."""
    monkeypatch.chdir(tmp_path)
    for name in ("bot.py", "run.sh"):
        (tmp_path / name).write_text(BOT)
    (tmp_path / "run.sh").chmod(0o755)
    assert is_submission(str(tmp_path))
    assert is_submission("bot.py")
    assert not any(map(is_submission, ("run.sh", "./run.sh", "nothing", "python3 bot.py")))


def test_folder_becomes_a_bot(submission, tmp_path):
    """A bot runs where it was unpacked."""
    spec = prepared(
        submission(player__py=BOT),
        "four",
        tmp_path / "work",
        "/usr",
        ClassSettings(),
        sandboxed=False,
    )
    assert spec.name == "four"
    assert str(tmp_path / "work") in str(spec.working_folder)


@pytest.mark.parametrize("fault", ["", "it is late"])
def test_of_two_programs_the_one_that_plays_is_graded(submission, tmp_path, monkeypatch, fault):
    """If both fail the check, the submission is no bot, and the reason says so."""
    monkeypatch.setattr(choice, "fault_of", lambda *_, **__: fault)
    files = submission(one__py=BOT, two__py=BOT)
    if not fault:
        spec = prepared(files, "four", tmp_path / "work", "/usr", ClassSettings(), sandboxed=False)
        assert spec.command[-1] == "one.py"
        return
    with pytest.raises(Unclear, match=r"one\.py: it is late; two\.py: it is late"):
        prepared(files, "four", tmp_path / "work", "/usr", ClassSettings(), sandboxed=False)


@needs_gcc
def test_submission_that_does_not_compile_gets_the_messages(submission, tmp_path):
    """The messages of the compiler are in the reason, in lines."""
    files = submission(player__c="int main(void) { return x; }\n")
    with pytest.raises(NotCompiled) as raised:
        prepared(files, "four", tmp_path / "work", "/usr", ClassSettings(), sandboxed=False)
    first, *messages = str(raised.value).splitlines()
    assert first == "It does not compile:"
    assert any("player.c:1" in line for line in messages)


def test_archive_that_is_refused_gets_the_reason(tmp_path):
    """A file that is no archive, although its name says so, is refused in one line."""
    (tmp_path / "bot.zip").write_bytes(b"no archive")
    with pytest.raises(Refused) as raised:
        prepared(
            tmp_path / "bot.zip", "bot", tmp_path / "work", "/usr", ClassSettings(), sandboxed=False
        )
    assert "\n" not in str(raised.value)
