"""Contests are run several times with other bots. After each run, all outputs say the same."""

import csv
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from c4_referee.contest import schedule
from c4_referee.report.texts import points_text
from commands import SCRIPTS
from effort import THOROUGH, sampled
from sites import read_page
from stored import stored_games

BOT = """
import json, sys
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    if {fault}:
        sys.exit("a fault")
    free = [n for n, column in enumerate(grid) if not all(column)]
    print(json.dumps({{"move": free[sum(map(sum, grid)) * {seed} % len(free)]}}), flush=True)
"""
HEAD = 'variant = "4x4"\naccuracy = false\nconcurrency = 2\nstartup_ms = 5000\n'
RUNS = 6 if THOROUGH else 3


class Evening:
    """A tournament whose bots change between its runs."""

    def __init__(self, folder: Path, system: str) -> None:
        self._folder, self._random = folder, random.Random(f"{system} 4")
        self._head = f'system = "{system}"\n{HEAD}'
        self._names: list[str] = []
        for _ in range(2 if system == "match" else 4):
            self.add()

    def add(self) -> None:
        """Add a bot."""
        self._names.append(f"bot{len(list(self._folder.glob('*.py')))}")
        self.write(self._names[-1])

    def write(self, name: str, fault: str = "False") -> None:
        """Write the file of a bot, or change it."""
        text = BOT.format(seed=self._random.randrange(1, 10**6), fault=fault)
        (self._folder / f"{name}.py").write_text(text)

    def change_something(self) -> None:
        """Change, break, add, remove, hide or bring back a bot."""
        name = self._random.choice(self._names)
        path = self._folder / f"{name}.py"
        action = self._random.choice(["change", "break", "add", "remove", "hide", "nothing"])
        if action == "add":
            self.add()
        elif action == "remove" and len(self._names) > 2:
            self._names.remove(name)
        elif action == "hide" and path.exists():
            path.rename(path.with_suffix(".hidden"))
        elif action in {"change", "break"}:
            self.write(name, "True" if action == "break" else "False")
        for hidden in self._folder.glob("*.hidden"):
            if action != "hide":
                hidden.rename(hidden.with_suffix(".py"))

    def run(self) -> tuple[int, str, dict | None]:
        """Run the tournament. Return its exit code, what it printed, and its report."""
        tables = (
            f'[bots.{name}]\ncommand = "{sys.executable} {name}.py"\n' for name in self._names
        )
        (self._folder / "cup.toml").write_text(self._head + "".join(tables))
        events = self._folder / "events"
        events.unlink(missing_ok=True)
        done = self.command("tournament", "cup.toml", "--no-sandbox", "--events", "events")
        ended = events.exists() and events.read_bytes().splitlines()[-1:]
        event = json.loads(ended[0]) if ended else {}
        return done.returncode, done.stdout, event.get("report")

    def command(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a command of the referee that must not show a traceback."""
        command = [str(SCRIPTS / "c4-referee"), *words]
        environment = {"COLUMNS": "200", "PATH": "/usr/bin:/bin"}
        done = subprocess.run(
            command, cwd=self._folder, capture_output=True, text=True, env=environment, check=False
        )
        assert "Traceback" not in done.stderr
        return done


def table_of(folder: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of an export."""
    path = folder / "cup/site/exports" / name
    return [*csv.DictReader(path.read_text().splitlines())] if path.exists() else []


def counts_of(rows) -> dict[str, tuple[str, ...]]:
    """Return rank, points and results of each bot, as text, from records or rows of a table."""
    keys = ("rank", "points", "games", "wins", "draws", "losses")
    return {row["bot"]: tuple(f"{float(row[key]):g}" for key in keys) for row in rows}


def points_of(games: list[dict[str, str]]) -> Counter[str]:
    """Return the points of each bot, counted by hand from a table of games."""
    points = Counter[str]()
    for game in games:
        if game["result"] != "*":
            first = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[game["result"]]
            points[game["first"]] += first
            points[game["second"]] += 1 - first
    return points


def check_outputs(evening: Evening, folder: Path, printed: str, report: dict) -> None:
    """Check that terminal, report, pages, exports, ratings and games agree."""
    standings = report["standings"]
    rows = counts_of(standings["bots"])
    read_page.cache_clear()
    assert evening.command("report", "cup", "--analysis-seconds", "0").returncode == 0
    assert counts_of(table_of(folder, "standings.csv")) == rows
    games, apart = table_of(folder, "games.csv"), table_of(folder, "apart.csv")
    extra = {row["bot"]: row["extra_points"] for row in standings["bots"]}
    points = points_of(games)
    for bot, (rank, shown, *_) in rows.items():
        assert float(shown) == points[bot] + extra[bot]
        pattern = rf"^ *{rank}  {re.escape(bot)} .* {points_text(float(shown))} "
        assert re.search(pattern, printed, re.MULTILINE), (bot, printed)
    texts = " ".join(" ".join(read_page(folder / "cup/site/index.html").texts).split())
    table = texts[texts.index("Longest") :]
    places = [re.search(rf" {re.escape(bot)} (?!\()", table).start() for bot in rows]
    assert places == sorted(places)
    assert ("has not ended" in texts) == (not report["complete"])
    rated = json.loads(evening.command("rate", "cup", "--json").stdout or '{"bots": []}')
    compared = {row["bot"]: (row["wins"], row["draws"], row["losses"]) for row in rated["bots"]}
    assert compared == {
        row["bot"]: (row["wins"], row["draws"], row["losses"])
        for row in standings["bots"]
        if row["games"] or row["bot"] in compared
    }
    assert not rated["bots"] or rated["apart"] == standings["apart"]
    check_numbers(evening, folder, games, apart)


def check_numbers(evening: Evening, folder: Path, games: list, apart: list) -> None:
    """Check that every stored game is counted or listed apart once, under the same number."""
    stored = stored_games(folder / "cup")
    moves = {game["game"]: game["moves"] for game in stored}
    assert len(moves) == len(stored) == len(games) + len(apart)
    assert {int(game["number"]): game["moves"] for game in (*games, *apart)} == moves
    for game in (*games[-1:], *apart[-1:]):
        shown = evening.command("show", "cup", game["number"], "--analysis-seconds", "0").stdout
        page = " ".join(read_page(folder / f"cup/site/games/{game['number']}.html").texts)
        for name in (game["first"], game["second"]):
            assert name in shown
            assert name in page


@pytest.mark.parametrize("system", sampled(schedule.names(), ["swiss"]))
def test_outputs_agree_after_each_run(tmp_path: Path, system: str) -> None:
    """Bots are changed, broken, added, removed and hidden: the outputs agree after each run."""
    evening = Evening(tmp_path, system)
    begun = False
    for _ in range(RUNS):
        code, printed, report = evening.run()
        assert code in ({0, 1} if report else {2})
        if report:
            begun = True
            check_outputs(evening, tmp_path, printed, report)
        elif begun:
            before = table_of(tmp_path, "standings.csv")
            assert evening.command("report", "cup", "--analysis-seconds", "0").returncode == 0
            assert table_of(tmp_path, "standings.csv") == before
        evening.change_something()
