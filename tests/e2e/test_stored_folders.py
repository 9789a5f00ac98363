"""Folders that version 0.2.0 stored are continued by the same commands.

It wrote ``tests/golden/stored``: four games of a match and four of a tournament. Its bots are
scripts with relative paths, so that their fingerprints are the same on every machine.
"""

import shutil
from pathlib import Path

import orjson
import pytest

STORED = Path(__file__).parents[1] / "golden" / "stored"
MATCH = (
    *("match", "bots/left", "bots/right", "--variant", "4x4", "--time-ms", "60000"),
    *("--openings", "random:4", "--no-accuracy", "--out", "match", "--games", "6"),
)
TOURNAMENT = ("tournament", "class.toml", "--out", "tournament")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Copy what was stored, and change to the copy."""
    copy = tmp_path / "stored"
    shutil.copytree(STORED, copy)
    monkeypatch.chdir(copy)
    return copy


@pytest.mark.parametrize(("command", "games"), [(MATCH, 6), (TOURNAMENT, 8)])
def test_stored_games_are_kept_and_the_others_are_played(c4_referee, folder, command, games):
    """Stored games stay unchanged, and the report counts them together with the new games."""
    kept = folder / command[-1 if command is TOURNAMENT else -3] / "games.jsonl"
    before = kept.read_bytes()
    file = folder / "class.toml"
    file.write_text("rounds = 2\n" + file.read_text())
    done = c4_referee(*command, "--json")
    assert b"4 of %d games were played before" % games in done.stderr
    assert done.returncode == 0
    after = kept.read_bytes()
    assert after.startswith(before)
    assert (before.count(b"\n"), after.count(b"\n")) == (4, games)
    report = orjson.loads(done.stdout)
    assert report["complete"]
    assert report.get("standings", report)["games"] == games
