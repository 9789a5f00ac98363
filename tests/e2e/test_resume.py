"""``c4-referee match --out DIR`` continues where it stopped."""

import json
import sys
from pathlib import Path

from stored import stored_games

PROGRAM = Path(__file__).parent.parent / "bots" / "misbehaving.py"


def test_second_run_plays_only_what_is_new(c4_referee, tmp_path):
    """A second run plays only games that are missing, and its report covers all games."""
    bots = [f"{sys.executable} -S -E {PROGRAM} {kind}" for kind in ("good", "starts_slowly")]
    words = ("match", *bots, "--variant", "4x4", "--json", "--out", str(tmp_path / "out"))
    assert json.loads(c4_referee(*words, "--games", "2").stdout)["games"] == 2
    before = "{} of {} games were played before"
    for total, new in ((4, [3, 4]), (4, []), (3, [])):
        events = tmp_path / f"{total}-{len(new)}.jsonl"
        done = c4_referee(*words, "--games", str(total), "--events", str(events))
        told = [json.loads(line) for line in events.read_bytes().splitlines()]
        report = json.loads(done.stdout)
        assert sorted(e["game"] for e in told if e["event"] == "game_ended") == new
        assert (report["games"], report["complete"], done.returncode) == (total, True, 0)
        said = before.format(total - len(new), total) + (not new) * ": there is nothing to play"
        assert done.stderr.decode() == f"{said}\n"
    assert sorted(game["game"] for game in stored_games(tmp_path / "out")) == [1, 2, 3, 4]
