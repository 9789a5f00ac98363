"""Matches that are kept without ``--out``: their folders, and which are removed."""

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.spec import BotSpec
from c4_referee.storage import kept
from c4_referee.storage.eventlog import GamesFile


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """Return an empty state folder, which is the user's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "c4-arena" / "matches"


def test_last_folder_is_the_newest(state):
    """Each match has a folder of its own, and the last one is found first."""
    with pytest.raises(UsageError, match="no match is kept yet"):
        kept.last_folder()
    folders = [kept.new_folder([]) for _ in range(3)]
    assert kept.kept_folders() == folders[::-1]
    assert kept.last_folder() == folders[-1]
    assert all(folder.parent == state and kept.is_kept_folder(folder) for folder in folders)


def test_oldest_matches_are_removed_unless_they_are_played(monkeypatch):
    """At most ``MAX_MATCHES`` stay, and a match that is played stays as well."""
    monkeypatch.setattr(kept, "MAX_MATCHES", 3)
    folders = [kept.new_folder([]) for _ in range(3)]
    with GamesFile(folders[0] / "games.jsonl"):
        folders.append(kept.new_folder([]))
        assert kept.kept_folders() == folders[::-1]
    folders.append(kept.new_folder([]))
    assert kept.kept_folders() == folders[:1:-1]


def test_large_matches_are_removed(monkeypatch):
    """Older matches are removed if all take too much room. The last one stays."""
    monkeypatch.setattr(kept, "MAX_BYTES", 1000)
    first, second = (kept.new_folder([]) for _ in range(2))
    (first / "arena.sqlite").write_bytes(bytes(900))
    (second / "arena.sqlite").write_bytes(bytes(900))
    third = kept.new_folder([])
    assert kept.kept_folders() == [third, second]


def test_folder_that_a_bot_could_change_is_refused(state):
    """A match is not kept where one of its bots may write."""
    bot = BotSpec("b", ("true",), folder=str(state.parent.parent))
    with pytest.raises(UsageError, match="bot 'b' could change it"):
        kept.new_folder([bot])


def test_folder_that_cannot_be_made_is_a_usage_error(state):
    """A state folder that is a file is reported in one line."""
    state.parent.parent.mkdir(exist_ok=True)
    state.parent.touch()
    with pytest.raises(UsageError, match=f"cannot write {state}: Not a directory"):
        kept.new_folder([])
