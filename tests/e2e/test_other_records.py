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


def test_games_that_cannot_be_shown_are_left_out(c4_referee, tmp_path):
    """Lines and games that cannot be read are reported, and the others are shown."""
    (tmp_path / "games.csv").write_text(
        "first,second,result,moves\na,b,1,1212121\na,b,?,1\na,b,1,\na,b,0,1212121\na,b,1,12\n"
    )
    done = c4_referee("report", "games.csv", "--out", "site", *FAST, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "games.csv:3: '?' is not a result: use 1-0, 0-1, 1/2-1/2 or *",
        "games.csv: game 2: the file does not list the moves of the game",
        "games.csv: game 3: the result is 0-1, but the moves give 1-0",
    ]
    assert sorted(path.name for path in (tmp_path / "site" / "games").iterdir()) == [
        "1.html",
        "4.html",
    ]
    shown = c4_referee("show", "games.csv", "4", *FAST, cwd=tmp_path).stdout.decode()
    assert "1-0: a wins: b forfeits, unknown reason" in shown
    assert "move 3, b: unknown reason (forfeit): the file of the game says no more" in shown


@pytest.mark.parametrize("arguments", [("report", "results", "--out", "site"), ("show", "damaged")])
def test_file_without_a_game_that_can_be_shown_is_refused(c4_referee, tmp_path, arguments):
    """A line says why its games cannot be shown, and the last line that there are no others."""
    (tmp_path / "results").write_text("first,second,result\na,b,1\n")
    (tmp_path / "damaged").write_text('{"name":"connectx",\n"steps":')
    failed = c4_referee(*arguments, cwd=tmp_path)
    assert (failed.returncode, failed.stdout, failed.stderr.count(b"\n")) == (2, b"", 2)
    assert failed.stderr.endswith(f"no game in {arguments[1]} can be shown\n".encode())
