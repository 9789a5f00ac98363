"""A command with ``--out`` that is run again says how much is stored and left to play."""

import os
from pathlib import Path

import pytest


@pytest.fixture
def bot(misbehaving):
    """Return a function from a kind of bot to its table in a tournament's file."""
    return lambda kind: f'[bots.{kind}]\ncommand = "{misbehaving(kind)}"\n'


def test_match_says_what_is_kept(c4_referee, misbehaving, tmp_path) -> None:
    """A second run says how many games of how many were played before."""
    bots = [misbehaving("good"), misbehaving("column_7")]
    run = ["match", *bots, "--variant", "4x4", "--out", str(tmp_path / "out"), "--games"]
    first, longer, again = (c4_referee(*run, games) for games in ("2", "4", "4"))
    assert first.stderr == b""
    assert longer.stderr == b"2 of 4 games were played before\n"
    assert again.stderr == b"4 of 4 games were played before: there is nothing to play\n"
    assert b"4 games, " in again.stdout
    assert (first.returncode, longer.returncode, again.returncode) == (0, 0, 0)


def test_tournament_says_what_is_kept(c4_referee, bot, tmp_path) -> None:
    """A tournament says how many games were played before, also when a bot has joined."""
    path = tmp_path / "class.toml"
    head = 'variant = "4x4"\naccuracy = false\n'
    two = head + bot("good") + bot("column_7")
    told = [run_file(c4_referee, path, text) for text in (two, two, two + bot("full_column"))]
    assert told == [
        "",
        "2 of 2 games were played before: there is nothing to play\n",
        "2 of 6 games were played before\n",
    ]


def run_file(c4_referee, path: Path, text: str) -> str:
    """Run a tournament's file, and return what the command writes to standard error."""
    path.write_text(text)
    done = c4_referee("tournament", str(path), env={**os.environ, "COLUMNS": "200"})
    assert done.returncode == 0
    assert f"c4-referee report {path.with_suffix('')} --open  " in done.stdout.decode()
    return done.stderr.decode()
