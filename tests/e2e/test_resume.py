"""``c4-referee match --out DIR`` continues where it stopped."""

import json
import sys
from pathlib import Path

import pytest
from stored import stored_games

PROGRAM = Path(__file__).parent.parent / "bots" / "misbehaving.py"


@pytest.fixture
def bots(tmp_path):
    """Return two good bots in a separate folder, where no one edits their program."""
    program = tmp_path / "bot.py"
    program.write_bytes(PROGRAM.read_bytes())
    return [f"{sys.executable} -S -E {program} {kind}" for kind in ("good", "starts_slowly")]


@pytest.fixture
def match(c4_referee, bots, tmp_path):
    """Return a function that runs a match of small games in the folder ``out``."""
    return lambda games, *more: c4_referee(
        "match", *bots, "--variant", "4x4", "--games", str(games), "--json", "--out", "out", *more,
        cwd=tmp_path,
    )  # fmt: skip


def numbers(folder: Path) -> list[int]:
    """Return the sorted game numbers in ``games.jsonl``."""
    return sorted(game["game"] for game in stored_games(folder))


def test_second_run_plays_only_what_is_new(match, tmp_path):
    """A second run plays only games that are missing, and its report covers all games."""
    assert json.loads(match(2).stdout)["games"] == 2
    before = "{} of {} games were played before"
    for total, new in ((4, [3, 4]), (4, []), (3, [])):
        events = tmp_path / f"{total}-{len(new)}.jsonl"
        done = match(total, "--events", str(events))
        told = [json.loads(line) for line in events.read_bytes().splitlines()]
        report = json.loads(done.stdout)
        assert sorted(e["game"] for e in told if e["event"] == "game_ended") == new
        assert (report["games"], report["complete"], done.returncode) == (total, True, 0)
        said = before.format(total - len(new), total) + (not new) * ": there is nothing to play"
        assert done.stderr.decode() == f"{said}\n"
    assert numbers(tmp_path / "out") == [1, 2, 3, 4]
