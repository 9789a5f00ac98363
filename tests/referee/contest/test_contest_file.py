"""Files of tournaments: their settings, and errors of one line."""

from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.clock import TimeControl
from c4_referee.contest import schedule
from c4_referee.contest.contest_file import read_tournament

BOTS = """
[bots.a]
command = "a"
[bots.b]
command = "b --fast"
time_ms = 20
"""
MISTAKES = (Path(__file__).parent / "mistakes.txt").read_text(encoding="utf-8").split("\n\n")[1:]


def tournament(folder: Path, text: str, bots: str = BOTS) -> Path:
    """Write a file with settings and bots, and return its path."""
    path = folder / "autumn.toml"
    path.write_text(text + bots, encoding="utf-8")
    return path


def test_little_needs_to_be_said(tmp_path):
    """A file with only bots is a round robin whose name and folder are those of the file."""
    found = read_tournament(tournament(tmp_path, ""))
    assert (found.name, found.system, found.out) == (
        "autumn",
        "round-robin",
        str(tmp_path / "autumn"),
    )
    assert found.entrants == ["a", "b"]
    assert found.bots["b"].command == ("b", "--fast")
    assert found.control == TimeControl()


def test_judge_does_not_play(tmp_path):
    """A judge does not play, unless ``enter`` names it."""
    three = BOTS + "[bots.c]\ncommand = 'c'"
    assert read_tournament(tournament(tmp_path, 'judge = "a"', three)).entrants == ["b", "c"]
    both = 'judge = "a"\nenter = ["a", "b"]'
    assert read_tournament(tournament(tmp_path, both)).entrants == ["a", "b"]


def test_all_can_be_said(tmp_path):
    """All settings of a file are used, and the command line overrides them."""
    text = """
        name = "Autumn, second try"
        system = "swiss"
        rounds = 3
        tc = "60+0.5"
        startup_ms = 500
        enter = ["b", "a"]
        concurrency = 3
    """
    found = read_tournament(tournament(tmp_path, text), concurrency=7, out="there")
    assert (found.system, found.rounds, found.entrants) == ("swiss", 3, ["b", "a"])
    assert found.control == TimeControl(0, 60_000, 500, None, 500)
    assert (found.concurrency, found.out) == (7, "there")


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_wrong_is_told_with_its_key(tmp_path, mistake):
    """A mistake causes one line with the file and the reason, which names the key and the bot."""
    text, _, expected = mistake.rstrip("\n").partition("\n-> ")
    path = tournament(tmp_path, text, "" if "[bots" in text or "bots = " in text else BOTS)
    with pytest.raises(UsageError) as refused:
        read_tournament(path)
    told = str(refused.value)
    assert expected in told
    assert str(path) in told
    assert "\n" not in told


def test_a_file_of_windows_is_read(tmp_path):
    """A file from Windows is read, with its byte order mark and line endings."""
    path = tmp_path / "autumn.toml"
    path.write_bytes(b"\xef\xbb\xbf" + BOTS.replace("\n", "\r\n").encode())
    assert read_tournament(path).entrants == ["a", "b"]


def test_missing_file_is_told(tmp_path):
    """A missing file is named in the error."""
    path = tmp_path / "nowhere.toml"
    with pytest.raises(UsageError) as caught:
        read_tournament(path)
    assert str(caught.value) == f"cannot read the tournament: there is no file {path}"


def test_unreadable_file_is_told(tmp_path):
    """An unreadable file is named in the error, with the system's reason."""
    with pytest.raises(UsageError) as caught:
        read_tournament(tmp_path)
    assert str(caught.value) == f"cannot read the tournament of {tmp_path}: Is a directory"


@pytest.mark.parametrize("name", schedule.names())
def test_every_system_can_be_asked_for(tmp_path, name):
    """Every system can be chosen by the name of its module."""
    assert read_tournament(tournament(tmp_path, f"system = '{name}'")).system == name
