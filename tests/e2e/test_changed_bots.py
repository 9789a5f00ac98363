"""Tournaments that go on after their bots were changed, added or removed, or are missing."""

import csv
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import product
from pathlib import Path

import pytest
from bots import LIGHT
from effort import one_in, sampled
from sites import read_page
from stored import stored_games

HEAD = 'variant = "4x4"\naccuracy = false\nconcurrency = 1\ntime_ms = 60000\n'
WARNING = "Sandbox: off (--no-sandbox); bots can read and change your files and use the network"
MUTE = """
import sys, time
with open("starts", "a") as starts:
    starts.write("x")
time.sleep(60)
"""


def table(name: str, command: str = LIGHT, more: str = "") -> str:
    """Return the table of a bot."""
    return f"[bots.{name}]\ncommand = {json.dumps(command)}\n{more}"


OTHERS = table("b") + table("c") + table("d")


@pytest.fixture
def play(c4_referee, tmp_path, monkeypatch):
    """Return a function that plays a tournament, and returns its exit code, report and messages."""
    monkeypatch.chdir(tmp_path)

    def run(system: str, bots: str, settings: str = "", *options: str):
        text = f'system = "{system}"\n{HEAD}{settings}\n{bots}'
        Path("cup.toml").write_text(text, encoding="utf-8")
        done = c4_referee("tournament", "cup.toml", "--json", "--no-sandbox", *options)
        message = done.stderr.decode().replace(f"{WARNING}\n", "")
        return done.returncode, json.loads(done.stdout or b"null"), message

    return run


def script(name: str = "mine.py", text: str = "") -> str:
    """Write a bot with a file of its own. Return its command."""
    path = Path(LIGHT.split()[-1])
    Path(name).write_text(text or path.read_text(encoding="utf-8"), encoding="utf-8")
    return f"{sys.executable} {name}"


def stored() -> dict[int, str]:
    """Return the moves of the stored games by their numbers."""
    games = stored_games(Path("cup"))
    assert len({game["game"] for game in games}) == len(games)
    return {game["game"]: game["first"] + game["moves"] for game in games}


@pytest.mark.parametrize(
    "system", sampled(["round-robin", "gauntlet", "double-round-robin"], ["gauntlet"])
)
def test_changed_bot_plays_its_games_again_under_other_numbers(play, c4_referee, system):
    """The games of the former version keep their numbers, and are listed apart."""
    bots = table("mine", script()) + OTHERS
    play(system, bots)
    before = stored()
    Path("mine.py").write_text("# changed\n" + Path("mine.py").read_text())
    code, report, _ = play(system, bots)
    assert (code, report["complete"]) == (0, True)
    rows = {row["bot"]: row for row in report["standings"]["bots"]}
    assert rows.keys() == {"mine", "b", "c", "d"}
    again = rows["mine"]["games"]
    assert report["standings"]["apart"]["mine (withdrawn)"] == again
    assert len(stored()) == len(before) + again
    assert {number: stored()[number] for number in before} == before
    shown = c4_referee("show", "cup", str(max(before) + 1), "--analysis-seconds", "0").stdout
    assert b"mine" in shown


@pytest.mark.parametrize(
    ("change", "system"),
    one_in(6, product(["change", "add", "remove"], ["swiss", "knockout"])),
)
def test_ended_tournament_whose_bots_change_asks_for_another_folder(play, system, change):
    """Nothing is stored by the refused run, and the bots as they were give the same report."""
    bots = table("mine", script()) + OTHERS
    _, report, _ = play(system, bots)
    if change == "change":
        Path("mine.py").write_text("# changed\n" + Path("mine.py").read_text())
    changed = {"add": bots + table("e"), "remove": OTHERS, "change": bots}[change]
    games = stored()
    code, _, message = play(system, changed)
    assert (code, message.count("\n")) == (2, 1)
    assert "--out" in message
    assert stored() == games
    if change == "change":
        script()
    code, again, _ = play(system, bots)
    assert (code, again["standings"]) == (0, report["standings"])
    assert play(system, changed, "", "--out", "other")[0] == 0


SYSTEMS = ("round-robin", "gauntlet", "swiss", "ladder", "knockout")


@pytest.mark.parametrize("system", sampled(SYSTEMS, ["knockout"]))
def test_tournament_goes_on_without_a_missing_bot(play, system):
    """Its stored games stay, the exit code is 1, and later it takes part again."""
    settings = "" if system == "knockout" else "rounds = 1"
    bots = OTHERS + table("mine", script())
    play(system, bots, settings)
    before = stored()
    Path("mine.py").rename("hidden")
    more = settings.replace("1", "2") + ("\npairs = 1" if settings else "")
    code, report, message = play(system, bots, more)
    assert code == 1
    assert "bot 'mine': there is no file 'mine.py'" in message
    assert "goes on without it" in message
    assert [*report["missing"]] == ["mine"]
    assert before.items() <= stored().items()
    rows = {row["bot"].removesuffix(" (withdrawn)"): row for row in report["standings"]["bots"]}
    assert rows["mine"]["games"] == sum("mine" in each for each in rows["mine"]["against"]) + sum(
        encounter["wins"] + encounter["draws"] + encounter["losses"]
        for encounter in rows["mine"]["against"].values()
    )
    assert rows["mine"]["games"] > 0
    Path("hidden").rename("mine.py")
    code, report, _ = play(system, bots, more)
    assert (code, report["missing"], report["complete"]) == (0, {}, True)
    assert "mine" in {row["bot"] for row in report["standings"]["bots"]}


@pytest.mark.parametrize("thing", sampled(["pipe", "socket", "tree"], ["pipe"]))
def test_folder_that_cannot_be_read_makes_its_bot_missing(play, thing):
    """A bot that leaves a pipe, a socket or a very deep tree does not stop the tournament."""
    home = Path("home")
    home.mkdir()
    command = script("home/mine.py").replace("home/", "")
    bots = OTHERS + table("mine", command, 'folder = "home"\n')
    assert play("round-robin", bots)[0] == 0
    if thing == "pipe":
        os.mkfifo(home / "pipe")
    elif thing == "socket":
        with socket.socket(socket.AF_UNIX) as end:
            end.bind(str(home / "socket"))
    else:
        place = os.open(home, os.O_RDONLY)
        for _ in range(3000):
            os.mkdir("d", dir_fd=place)
            inner = os.open("d", os.O_RDONLY, dir_fd=place)
            os.close(place)
            place = inner
        os.close(place)
    code, report, message = play("round-robin", bots, "rounds = 2")
    subprocess.run(["rm", "-rf", home], check=True)  # pytest cannot remove a deep tree
    assert (code, [*report["missing"]]) == (1, ["mine"]), message
    rows = {row["bot"]: row["games"] for row in report["standings"]["bots"]}
    assert rows == {"b": 10, "c": 10, "d": 10, "mine": 6}


@pytest.mark.parametrize(("settings", "starts"), one_in(2, [("", 3), ("give_up = 0", 8)]))
def test_bot_that_never_answers_costs_its_waiting_time_three_times(play, settings, starts):
    """A bot that gave up is not started again, and none of its games counts."""
    command = script("mute.py", MUTE)
    mute = table("mute", command, 'restart = "game"\ntime_ms = 2000\n')
    bots = mute + "".join(map(table, "bcde"))
    code, report, _ = play("round-robin", bots, f"startup_ms = 1000\n{settings}")
    assert code == 0
    assert len(Path("starts").read_text()) == starts
    last = report["standings"]["bots"][-1]
    gave_up = {} if settings else {"mute": "late first answer"}
    assert (last["bot"], last["games"], last["gave_up"]) == (
        "mute",
        8 * bool(settings),
        not settings,
    )
    assert report["gave_up"] == gave_up
    assert report["forfeits"]["mute"][0]["games"] == starts
    assert report["standings"]["games"] == 12 + 8 * bool(settings)


@pytest.mark.weekly
def test_pages_of_a_killed_swiss_know_its_bye(c4_referee, tmp_path, monkeypatch):
    """In the second round of three bots, the page gives the points of both byes."""
    monkeypatch.chdir(tmp_path)
    text = (
        f'system = "swiss"\n{HEAD}{table("b")}{table("c")}{table("mute", script("mute.py", MUTE))}'
    )
    Path("cup.toml").write_text(f'enter = ["b", "c", "mute"]\n{text}')
    command = [Path(sys.executable).with_name("c4-referee"), "tournament", "cup.toml"]
    with subprocess.Popen([*command, "--no-sandbox"], stderr=subprocess.DEVNULL) as referee:
        while not Path("starts").exists():  # the bot with the bye plays in the second round
            time.sleep(0.01)
        referee.kill()
    c4_referee("report", "cup", "--analysis-seconds", "0")
    rows = csv.DictReader(Path("cup/site/exports/standings.csv").read_text().splitlines())
    points = {row["bot"]: float(row["points"]) for row in rows}
    assert (points["mute"], sum(points.values())) == (2, 6)  # 2 games, and the byes of 2 rounds
    assert "has not ended" in " ".join(read_page(tmp_path / "cup/site/index.html").texts)


@pytest.mark.parametrize("system", sampled(["swiss", "ladder", "knockout"], ["knockout"]))
def test_wrong_folder_changes_nothing(play, system):
    """If fewer than two bots are there, as in a wrong folder, nothing is played or stored."""
    settings = "" if system == "knockout" else "rounds = 1"
    names = [f"{name}.py" for name in "abcd"]
    bots = "".join(table(name[0], script(name)) for name in names)
    play(system, bots, settings)
    games = stored()
    if system == "knockout":  # its last game is missing
        with closing(sqlite3.connect("cup/arena.sqlite")) as base, base:
            base.execute("DELETE FROM results WHERE id = (SELECT max(id) FROM results)")
            base.execute("UPDATE progress SET complete = 0")
        lines = Path("cup/games.jsonl").read_bytes().splitlines(keepends=True)
        Path("cup/games.jsonl").write_bytes(b"".join(lines[:-1]))
        games = stored()
    for name in names:
        Path(name).rename(f"{name}.hidden")
    code, _, message = play(system, bots, settings.replace("1", "2"))
    assert (code, message.count("\n")) == (2, 1)
    assert stored() == games
    for name in names:
        Path(f"{name}.hidden").rename(name)
    assert play(system, bots, settings.replace("1", "2"))[0] == 0
    assert games.items() < stored().items()


@pytest.mark.weekly
def test_limit_for_giving_up_stays_as_it_was_at_the_beginning(play):
    """Another limit would change rounds that were played."""
    bots = OTHERS + table("bad", script("bad.py", "import sys\nprint(len(sys.stdin.readline()))"))
    code, report, _ = play("swiss", bots, "give_up = 0\nrounds = 3")
    assert (code, report["gave_up"]) == (0, {})
    for _ in range(2):
        code, again, _ = play("swiss", bots, "rounds = 3")
        assert (code, again["standings"]) == (0, report["standings"])
    code, _, message = play("swiss", bots, "give_up = 3\nrounds = 3")
    assert (code, "give_up was 0" in message) == (2, True)
    code, report, _ = play("round-robin", bots, "give_up = 0")
    assert (code, report["gave_up"]) == (0, {})
    code, report, _ = play("round-robin", bots, "pairs = 2\ngive_up = 3")
    assert [*report["gave_up"]] == ["bad"]
