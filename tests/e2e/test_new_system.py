"""A tournament system that somebody adds is one file: everything else asks it."""

import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from c4_referee.classroom.plan import Pace, plan_run
from c4_referee.classroom.settings import ClassSettings
from c4_referee.contest import schedule
from sites import read_page

README = Path(__file__).parents[2] / "referee" / "README.md"
FILE = re.compile(r"`king_of_the_hill.py`:\n\n```python\n(.*?)```", re.DOTALL)
NAME, BOTS = "king-of-the-hill", 3
TABLES = "".join(
    f"[bots.bot-{number}]\ncommand = 'c4-bot --plays random --seed {number}'\n"
    for number in range(BOTS)
)
TOURNAMENT = f"system = '{NAME}'\nvariant = '4x4'\naccuracy = false\ntime_ms = 60000\n{TABLES}"
COMMAND = """\
import sys
from c4_referee.contest import schedule

schedule.__path__.append(sys.argv.pop(1))
from c4_referee.cli import main

sys.exit(main())
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the system that the page for developers shows."""
    path = tmp_path / "systems"
    path.mkdir()
    (path / "king_of_the_hill.py").write_text(FILE.search(README.read_text())[1])
    return path


def test_it_is_played_stored_and_shown(folder: Path, tmp_path: Path, c4_referee) -> None:
    """The help lists it, a tournament plays it, and the page has its order, also without the file.

    A second run plays nothing.
    """

    def run(*words: str) -> bytes:
        line = [sys.executable, "-c", COMMAND, str(folder), *words]
        return subprocess.run(line, cwd=tmp_path, stdout=subprocess.PIPE, check=True).stdout

    assert f"{NAME} (rounds: one less than bots): The bot that wins" in " ".join(
        run("tournament", "--help-all").decode().split()
    )
    (tmp_path / "cup.toml").write_text(TOURNAMENT)
    report = orjson.loads(run("tournament", "cup.toml", "--json"))
    assert (report["complete"], report["system"]) == (True, NAME)
    assert (report["scheduled"], report["standings"]["games"]) == (2 * (BOTS - 1),) * 2
    assert orjson.loads(run("tournament", "cup.toml", "--json"))["standings"] == report["standings"]
    run("report", "cup", "--out", "known")
    c4_referee("report", "cup", "--out", "unknown", cwd=tmp_path)
    known, unknown = (
        read_page(tmp_path / name / "index.html").texts for name in ("known", "unknown")
    )
    assert known == unknown
    assert NAME in " ".join(known)
    places = [known.index(row["bot"]) for row in report["standings"]["bots"]]
    assert places == sorted(places)


def test_class_announces_its_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings of a class may name it, and the plan of a run has its number of games."""
    monkeypatch.setattr(schedule, "__path__", [*schedule.__path__, str(folder)])
    monkeypatch.setattr(schedule, "names", schedule.names.__wrapped__)
    plan = plan_run(ClassSettings(system=NAME, pairs=3), [Pace(0.1, 0.1)] * 10, 1)
    assert (plan.system, plan.games, plan.may_grow) == (NAME, 2 * 3 * 9, False)
