"""``rate``, ``report`` and ``show`` with the records of other programs."""

import json
import re
from pathlib import Path

import pytest
from sites import broken_links, read_page

RECORDS = sorted((Path(__file__).parents[1] / "golden" / "records").iterdir())
"""One game in the form of each program: four in a row at the bottom, from the fourth column on."""
PGN = Path(__file__).parents[1] / "golden" / "records" / "cutechess.pgn"
MOVES = "4455667"
FAST = ("--analysis-seconds", "0")


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_record_of_each_program_is_shown(c4_referee, path):
    """A file of each program is shown. A file with one game needs no number."""
    done = c4_referee("show", path, *FAST)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode()
    assert re.search("1-0: .+ wins with 4 in a row", shown)
    assert "7. 7" in shown
    assert "standard error" not in shown.lower()


def test_records_of_all_programs_are_rated(c4_referee):
    """Files of several programs are rated together. The winner is the same in each of them."""
    done = c4_referee("rate", *RECORDS, "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    bots = json.loads(done.stdout)["bots"]
    assert sum(bot["wins"] for bot in bots) == len(RECORDS)
    assert all(bot["wins"] == 0 or bot["losses"] == 0 for bot in bots)


def test_records_become_pages(c4_referee, tmp_path):
    """Games of several programs become one site, with an analysis, and its exports are rated."""
    site = tmp_path / "site"
    done = c4_referee("report", *RECORDS, "--out", site)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == f"{site / 'index.html'}\n"
    assert broken_links(site) == []
    first = " ".join(read_page(site / "index.html").texts)
    assert "anna" in first
    assert "games from files" in first
    assert "Began" not in first
    games = [(site / "games" / f"{n}.html").read_text() for n in range(1, len(RECORDS) + 1)]
    assert all(MOVES in game for game in games)
    assert all('"v":[' in game for game in games)
    rated = {
        c4_referee("rate", site / "exports" / name, "--csv").stdout
        for name in ("games.csv", "games.pgn", "games.jsonl")
    }
    assert len(rated) == 1


def test_times_and_remarks_of_cutechess_are_shown(c4_referee):
    """The comments of cutechess give times, remarks and the opening."""
    shown = c4_referee("show", PGN, "1", *FAST).stdout.decode()
    assert "opening: 44" in shown
    assert re.search(r"3\. 5 +1200 ms", shown)
    assert "X 5: +0.35/12 1.2s" in shown


def test_one_game_of_a_file_is_one_page(c4_referee, tmp_path):
    """--game writes the page of a game of a file, and standard input is a file."""
    page = tmp_path / "game.html"
    done = c4_referee("report", "-", "--game", "1", "--out", page, *FAST, stdin=PGN.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert MOVES in page.read_text(encoding="utf-8")
    shown = c4_referee("show", "-", *FAST, stdin=PGN.read_bytes()).stdout
    assert b"anna wins" in shown
