"""The tournament file in docs/tournament.md can be played as it is."""

import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.documented

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "tournament.md").read_text(encoding="utf-8")


def test_shown_file_is_a_tournament(c4_referee, tmp_path):
    """Every two bots of the file meet as often as its comments say, without a forfeit."""
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "shown.toml").write_text(shown, encoding="utf-8")
    done = c4_referee("tournament", str(tmp_path / "shown.toml"), "--json", cwd=ROOT)
    assert (done.stderr, done.returncode) == (b"", 0)
    report = json.loads(done.stdout)
    assert report["complete"]
    assert report["scheduled"] == 3 * 2 * 2
    bots = {bot["bot"]: bot for bot in report["standings"]["bots"]}
    assert set(bots) == {"minimal", "centre", "easy"}
    assert not any(bot["forfeits"] for bot in bots.values())
