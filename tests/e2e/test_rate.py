"""``c4-referee rate`` with real files."""

import json
import re
import sys
from pathlib import Path

import pexpect
from bots import FAST, LIGHT
from c4_protocol.records.reports import Standings
from c4_referee.site.exports import games_csv, games_jsonl, games_pgn
from c4_referee.storage.contests import read_contests

NEEDED = "c4-bot --plays needed --depth 2"


def test_games_of_a_match_are_rated(c4_referee, tmp_path):
    """A match's games from --out and from --events have the same ratings."""
    out, events = tmp_path / "out", tmp_path / "events.jsonl"
    c4_referee(
        "match", LIGHT, NEEDED, "--games", "16", *FAST, "--out", str(out), "--events", str(events)
    )
    done, from_events = (c4_referee("rate", str(path), "--json") for path in (out, events))
    assert done.returncode == 0
    assert done.stdout == from_events.stdout
    found = json.loads(done.stdout)
    assert set(found) == set(Standings.__slots__)
    assert found["games"] == 16
    first, second = found["bots"]
    assert (first["bot"], second["bot"]) == (NEEDED, LIGHT)
    assert first["rating"] == -second["rating"] > 0
    assert first["rating_low"] < first["rating"] < first["rating_high"]
    assert first["los"] > 0.9


def test_exports_of_a_match_are_rated_like_its_folder(c4_referee, tmp_path):
    """The table, PGN and JSON lines of a folder have the same ratings as the folder."""
    out = tmp_path / "out"
    absent = f"{sys.executable} -c pass"
    c4_referee("match", LIGHT, NEEDED, "--games", "4", *FAST, "--out", str(out))
    c4_referee("match", LIGHT, absent, "--games", "2", *FAST, "--out", str(out))
    folder = c4_referee("rate", str(out), "--csv")
    assert folder.stdout.count(b"\n") == 4
    for export in (games_csv, games_pgn, games_jsonl):
        paths = [tmp_path / f"{export.__name__} {number}" for number in (1, 2)]
        for path, contest in zip(paths, read_contests(out), strict=True):
            path.write_text("".join(export(contest)), encoding="utf-8")
        assert c4_referee("rate", *map(str, paths), "--csv").stdout == folder.stdout


def test_table_fits_a_terminal(tmp_path):
    """The table fits into 80 columns, even with long names."""
    rows = [f"python3 {'long/' * 30}{one}.py --depth 3,{two},1" for one in "ab" for two in "xyz"]
    command = str(Path(sys.executable).parent / "c4-referee")
    path = tmp_path / "games.csv"
    path.write_text("\n".join(["first,second,result", *rows, ""]))
    child = pexpect.spawn(command, ["rate", str(path)], dimensions=(40, 80), encoding="utf-8")
    child.expect(pexpect.EOF)
    text = re.sub(r"\x1b\[[0-9;]*m", "", child.before)
    assert max(map(len, text.splitlines())) <= 80
    assert "LOS" in text
