"""The benchmark that writes the page about the strength of the players."""

import re
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[1] / "bench" / "run.py"


def page(folder: Path, *arguments: str) -> str:
    """Return what a small run prints."""
    command = [sys.executable, str(RUN), "strength", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_page_has_a_rating_for_each_player_and_each_time(tmp_path):
    """Each player has a row in the table of a board, with a cell for each time."""
    target = tmp_path / "strength.md"
    printed = page(tmp_path / "games", "3x3x3", "--times", "40:1,80:1", "--page", str(target))
    assert printed == ""
    text = target.read_text(encoding="utf-8")
    assert text.startswith("# How strong the players are")
    assert "It plays 84 games" in text
    assert text.count("| Player | 40 ms | 80 ms |") == 1
    for name in ("random", "needed", "perfect"):
        assert re.search(rf"^\| `{name}` \|[^|]*\(\d+\) \|[^|]*\(\d+\) \|$", text, re.MULTILINE)
    anchor = r"^\| `sequences` \| \*\*0\*\* \(\d+\) \| \*\*0\*\* \(\d+\) \|$"
    assert re.search(anchor, text, re.MULTILINE)
