"""``c4-referee rate`` with real files."""

import json
import re
import sys
from pathlib import Path

import pexpect
from bots import FAST, LIGHT
from c4_protocol.records.reports import Standings

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
    assert (first["bot"], second["bot"]) == (NEEDED, "light.py")
    assert first["rating"] == -second["rating"] > 0
    assert first["rating_low"] < first["rating"] < first["rating_high"]
    assert first["los"] > 0.9


def test_table_fits_a_terminal(tmp_path):
    """The table fits into 80 columns, even with long names."""
    rows = [f"python3 {'long/' * 30}{one}.py --depth 3,{two},1" for one in "ab" for two in "xyz"]
    command = str(Path(sys.executable).parent / "c4-referee")
    path = tmp_path / "games.csv"
    path.write_text("\n".join(["first,second,result", *rows, ""]))
    child = pexpect.spawn(
        command, ["rate", str(path)], dimensions=(40, 80), encoding="utf-8", timeout=300
    )
    child.expect(pexpect.EOF)
    text = re.sub(r"\x1b\[[0-9;]*m", "", child.before)
    assert max(map(len, text.splitlines())) <= 80
    assert "LOS" in text
