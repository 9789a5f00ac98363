"""Matches that are kept without ``--out``: their folders, and which are removed."""

import os
import shutil
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.bots.spec import BotSpec
from c4_referee.records.storage import kept
from c4_referee.records.storage.eventlog import GamesFile


def new_match() -> Path:
    """Return a new folder of a match, with a database."""
    folder = kept.new_folder([])
    (folder / "arena.sqlite").touch()
    return folder


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    """Return an empty state folder, which is the user's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "c4-arena" / "matches"


def test_last_folder_is_the_newest(state):
    """Each match has a folder of its own, and the last one is found first."""
    with pytest.raises(UsageError, match="no match is kept yet"):
        kept.last_folder()
    folders = [new_match() for _ in range(3)]
    assert kept.kept_folders() == folders[::-1]
    assert kept.last_folder() == folders[-1]
    assert all(folder.parent == state and kept.is_kept_folder(folder) for folder in folders)


def test_oldest_matches_are_removed_unless_they_are_played(monkeypatch):
    """At most ``MAX_FOLDERS`` stay, and a match that is played stays as well."""
    monkeypatch.setitem(kept.MAX_FOLDERS, kept.MATCHES, 3)
    folders = [new_match() for _ in range(3)]
    with GamesFile(folders[0] / "games.jsonl"):
        folders.append(new_match())
        assert kept.kept_folders() == folders[::-1]
    folders.append(new_match())
    assert kept.kept_folders() == folders[:1:-1]


def test_large_matches_are_removed(monkeypatch):
    """Older matches are removed if all take too much room. The last one stays."""
    monkeypatch.setattr(kept, "MAX_BYTES", 1000)
    first, second = (kept.new_folder([]) for _ in range(2))
    (first / "arena.sqlite").write_bytes(bytes(900))
    (second / "arena.sqlite").write_bytes(bytes(900))
    third = new_match()
    assert kept.kept_folders() == [third, second]


def test_folder_that_a_bot_could_change_is_refused(state):
    """A match is not kept in the folder of a bot or of its program. The line names a way out."""
    program = state.parent.parent / "bot.py"
    program.touch()
    for bot in (
        BotSpec("b", ("true",), folder=str(program.parent)),
        BotSpec("b", ("python3", str(program))),
    ):
        with pytest.raises(UsageError, match=r"folder of bot 'b', .*--out.* XDG_STATE_HOME"):
            kept.new_folder([bot])


def test_folder_without_games_does_not_hide_the_last_match(state):
    """Empty folders and links are not the last match, and a link is not followed or removed."""
    folder, other = new_match(), state.parent / "other"
    kept.new_folder([])
    (state / "zzz").mkdir()
    shutil.copytree(folder, other)
    (state / "2000-link").symlink_to(other)
    assert kept.kept_folders() == [folder]
    assert kept.kept_folder(kept.short_name(folder)) == folder


def test_two_matches_may_remove_the_oldest_at_the_same_time(state, monkeypatch):
    """A folder or a file that another referee removes is passed over, and a link stays."""
    monkeypatch.setitem(kept.MAX_FOLDERS, kept.MATCHES, 2)
    target = state.parent / "other"
    target.mkdir(parents=True)
    state.mkdir()
    (state / "2000").symlink_to(target)
    folders = [new_match() for _ in range(2)]
    real = Path.lstat

    def lstat(path: Path) -> os.stat_result:
        if path.parent in folders:
            shutil.rmtree(path.parent)
        return real(path)

    monkeypatch.setattr(Path, "lstat", lstat)
    assert kept.new_folder([]).is_dir()
    assert (state / "2000").is_symlink()
    assert not [*target.iterdir()]


def test_folder_that_cannot_be_made_is_a_usage_error(state):
    """A state folder that is a file is reported in one line."""
    state.parent.parent.mkdir(exist_ok=True)
    state.parent.touch()
    with pytest.raises(UsageError, match=f"cannot write {state}: Not a directory"):
        kept.new_folder([])
