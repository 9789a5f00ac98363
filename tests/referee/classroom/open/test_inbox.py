"""The inbox: what is acknowledged is complete, and nothing else is there."""

import os

import pytest
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.inbox import HandIn

pytestmark = pytest.mark.linux
ONE = HandIn(alias="amber-otter", time="2026-11-23 10:00", names=("bot.py",))


def test_what_was_acknowledged_is_read_in_its_order(tmp_path):
    """Several hand-ins of a bot stay apart, also after a restart."""
    inbox.prepare(tmp_path)
    for text in (b"1", b"2"):
        inbox.put(tmp_path, ONE, [text])
    inbox.prepare(tmp_path)
    found = inbox.waiting(tmp_path)
    assert [alias for _, alias in found] == ["amber-otter"] * 2
    read = [*inbox.read([path for path, _ in found])]
    assert [(path / "0").read_bytes() for path, _ in read] == [b"1", b"2"]
    assert [hand_in for _, hand_in in read] == [ONE] * 2


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_full_disk_leaves_nothing(tmp_path, monkeypatch, call):
    """A hand-in that could not be stored is not there, and others are."""
    inbox.prepare(tmp_path)
    inbox.put(tmp_path, ONE, [b"1"])

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    if call == "rename":
        monkeypatch.setattr("pathlib.Path.rename", fail)
    with pytest.raises(OSError, match="No space"):
        inbox.put(tmp_path, ONE, [b"2"])
    assert len([*(tmp_path / "inbox").iterdir()]) == len(inbox.waiting(tmp_path)) == 1


def test_rest_of_a_killed_server_is_removed(tmp_path):
    """A hand-in without its final name was never acknowledged. One that cannot be read is kept."""
    (tmp_path / "inbox" / ".0001-amber-otter").mkdir(parents=True)
    (tmp_path / "inbox" / "0002-amber-otter").mkdir()
    inbox.prepare(tmp_path)
    assert [*inbox.read([path for path, _ in inbox.waiting(tmp_path)])] == []
    inbox.prepare(tmp_path)
    assert [path.name for path in (tmp_path / "inbox").iterdir()] == [".unread-0002-amber-otter"]
