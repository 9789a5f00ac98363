"""The tournament of a course: twelve bots in six languages from one file, killed and resumed."""

import json
import re
import shutil
import subprocess
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from commands import SCRIPTS
from stored import count_results, stored_games, wait_for_results

ROOT = Path(__file__).parents[2]
NEEDS = {"one-ahead": "node", "open-threes": "javac", "look-ahead": "cc", "monte-carlo": "perl"}
"""Maps a bot to the program that it needs. Without the program, the bot does not take part."""
MISBEHAVING = {"debug-text": "bad line", "loops-for-ever": "late", "crashes": "exited"}


def shortened(text: str) -> str:
    """Return the same tournament with short games, by openings of many moves."""
    text = text.replace("double-round-robin", "round-robin").replace("random:4", "random:22")
    names = re.findall(r"^\[bots\.(.*)\]", text, re.MULTILINE)
    assert len(names) == 12
    there = [name for name in names if name not in NEEDS or shutil.which(NEEDS[name])]
    head, tables = text.split("[bots.", 1)
    return f"{head}enter = {json.dumps(there)}\n[bots.{tables}"


@pytest.mark.weekly
@pytest.mark.timeout(600)
def test_course_is_played_to_its_end(tmp_path):
    """Every two bots meet with both colours, although the referee is killed once."""
    path = tmp_path / "course.toml"
    text = shortened((ROOT / "examples" / "course.toml").read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    command = [SCRIPTS / "c4-referee", "tournament", path, "--json"]
    folder = tmp_path / "course"
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=ROOT) as referee:
        wait_for_results(folder, 8)
        referee.kill()
    before = count_results(folder)
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=False)
    report = json.loads(done.stdout)
    assert (done.returncode, report["complete"]) == (0, True)
    games = stored_games(folder)
    rows = {row["bot"]: row for row in report["standings"]["bots"]}
    assert 8 <= before < len(games)
    assert Counter((game["first"], game["second"]) for game in games) == Counter(
        permutations(rows, 2)
    )
    well_behaved = [name for name in rows if name not in MISBEHAVING]
    for name in well_behaved:  # a busy machine may have made a bot late
        assert {*rows[name]["forfeits"]} <= {"late", "late first answer"}
    for name, row in rows.items():
        assert row["rating_low"] < row["rating"] < row["rating_high"]
        assert len(row["against"]) == len(rows) - 1
        assert name not in MISBEHAVING or MISBEHAVING[name] in row["forfeits"]
    assert report["accuracy"]["judged_games"] == report["accuracy"]["games"] > len(rows)
    assert all(report["accuracy"]["bots"][name]["total"]["judged"] for name in well_behaved)
