"""``c4-referee report``: pages of a contest that was played."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from c4_referee.records.storage.contests import read_contests
from commands import SCRIPTS
from sites import broken_links, read_page

STORED = Path(__file__).parents[1] / "golden" / "stored"
MATCH = ("match", "c4-bot --plays random", "c4-bot --level 1", "--variant", "5x4", "--games", "4",
         "--no-accuracy", "--time-ms", "60000")  # fmt: skip


@pytest.fixture
def played(c4_referee, tmp_path):
    """Return the folder of a match."""
    folder = tmp_path / "results"
    assert c4_referee(*MATCH, "--out", folder).returncode == 0
    return folder


def test_report_of_a_match(c4_referee, played):
    """The site of a match has working links, solved games and a board to play on.

    Without the board, one line says why, and the replays do not lead to it.
    """
    site, address = played / "site", '"b":"../board/"'
    made = c4_referee("report", played)
    assert (made.returncode, made.stderr) == (0, b"")
    assert made.stdout.decode() == f"{site / 'index.html'}\n"
    assert broken_links(site) == []
    assert "Accuracy" in "".join(read_page(site / "index.html").texts)
    assert (site / "board" / "index.html").is_file()
    assert address in (site / "games" / "1.html").read_text(encoding="utf-8")
    shutil.rmtree(site / "board")
    (site / "board").write_text("mine")
    made = c4_referee("report", played)
    assert (made.returncode, made.stderr.count(b"\n")) == (0, 1)
    assert made.stderr.startswith(b"c4-referee: the pages have no board to play on: ")
    assert address not in (site / "games" / "1.html").read_text(encoding="utf-8")
    assert (site / "board").read_text() == "mine"


def test_report_without_room_for_the_board(c4_referee, played, small_disk):
    """If only the board does not fit on the disk, one line says so, and the pages are written."""
    made = c4_referee("report", played, "--out", small_disk / "site")
    assert (made.returncode, made.stderr.count(b"\n")) == (0, 1)
    assert b"the disk is full: make room" in made.stderr
    assert [*(small_disk / "site" / "board").iterdir()] == []
    assert broken_links(small_disk / "site") == []


def test_report_of_c4_tune(c4_referee, tmp_path):
    """A folder of c4-tune gets the report of c4-tune, in that folder."""
    tune = [Path(sys.executable).parent / "c4-tune", "evolve", "--rounds", "3", "--depth", "1"]
    subprocess.run([*tune, "--out", tmp_path], check=True, capture_output=True)
    page = tmp_path / "report.html"
    before = page.read_bytes()
    page.unlink()
    made = c4_referee("report", tmp_path)
    assert (made.returncode, made.stdout.decode()) == (0, f"{page}\n")
    assert page.read_bytes()[:1000] == before[:1000]
    failed = c4_referee("report", tmp_path, "--out", "site", cwd=tmp_path)
    assert failed.returncode == 2
    assert b"runs of c4-tune" in failed.stderr


@pytest.mark.weekly
def test_ctrl_c_ends_the_analysis_only(c4_referee, tmp_path):
    """After Ctrl-C while positions are solved, the pages show the values found until then."""
    bots = ("c4-bot --plays random", "c4-bot --plays random --seed 1")
    settings = ("--games", "20", "--no-accuracy", "--out", "results")
    assert c4_referee("match", *bots, *settings, cwd=tmp_path).returncode == 0
    command = [SCRIPTS / "c4-referee", "report", "results", "--analysis-seconds", "600"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=tmp_path) as report:
        while not read_contests(tmp_path / "results")[0].solved:
            time.sleep(0.1)
        report.send_signal(signal.SIGINT)
        _, messages = report.communicate()
    assert report.returncode == 0
    assert messages.startswith(b"c4-referee: interrupted before all games were solved")
    assert messages.count(b"\n") == 1
    assert broken_links(tmp_path / "results" / "site") == []


@pytest.mark.parametrize("kind", ["match", "tournament"])
def test_folder_of_an_earlier_version(c4_referee, tmp_path, kind):
    """A folder of version 0.1 becomes a site, and is not changed without analysis."""
    folder = shutil.copytree(STORED / kind, tmp_path / "old")
    before = (folder / "arena.sqlite").read_bytes()
    made = c4_referee("report", folder, "--out", tmp_path / "site", "--analysis-seconds", "0")
    assert (made.returncode, made.stderr) == (0, b"")
    assert broken_links(tmp_path / "site") == []
    assert (folder / "arena.sqlite").read_bytes() == before
