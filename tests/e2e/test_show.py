"""``c4-referee show``: a stored game in a terminal, with keys, and in a pipe."""

import os
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path

import orjson
import pexpect
import pytest
from c4_referee.records.stats.analysis import analyse
from c4_referee.records.storage.contests import read_contests
from commands import SCRIPTS
from screens import Screen
from wheels import make_once

MATCH = (
    *("match", "c4-bot --level 2", "c4-bot --plays random --info", "--openings", "random:12"),
    *("--time-ms", "60000", "--no-accuracy", "--games", "4", "--out", "."),
)
LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"
STORED = ("--analysis-seconds", "0")


def play(folder: Path) -> None:
    """Play a match into a folder, and solve all positions of its games."""
    referee = SCRIPTS / "c4-referee"
    subprocess.run([referee, *MATCH], cwd=folder, check=True, capture_output=True)
    for number in range(1, 5):
        words = [referee, "show", ".", str(number), "--analysis-seconds", "600"]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)


@pytest.fixture
def folder(of_this_run, tmp_path):
    """Return a folder with a match of four games whose positions are solved."""
    return Path(shutil.copytree(make_once(of_this_run / "shown", play), tmp_path / "match"))


@pytest.fixture
def changed(folder):
    """Return the number of a game of ``folder`` with a decisive move."""
    (contest,) = read_contests(folder)
    games = (game for game in contest.games if analyse(game, contest.solved).decisive)
    return str(next(games).game)


def _shown(folder: Path, *arguments: str, **environment: str) -> str:
    """Return what ``show`` prints in a pipe."""
    words = [SCRIPTS / "c4-referee", "show", folder, *arguments, *STORED]
    done = subprocess.run(words, check=True, capture_output=True, env={**os.environ, **environment})
    assert done.stderr == b""
    return done.stdout.decode()


@pytest.fixture
def terminal(folder, changed):
    """Return a terminal that steps through a game with a decisive move, at its beginning."""
    made = Screen("c4-referee", "show", str(folder), changed, "--step", *STORED, columns=100)
    made.child.expect_exact("The game begins.")
    yield made
    made.child.close(force=True)


@pytest.mark.weekly
def test_plain_text_does_not_depend_on_the_terminal(folder, changed):
    """The width of the terminal and its colours do not change what a pipe gets."""
    text = _shown(folder, changed)
    assert "\x1b" not in text
    assert _shown(folder, changed, COLUMNS="30", TERM="dumb") == text
    assert _shown(folder, changed, COLUMNS="300", NO_COLOR="1") == text


def test_values_above_the_columns_are_those_of_the_solver(folder, changed, c4_solve):
    """Every position's row of values has the scores of ``c4-solve --all``."""
    (contest,) = read_contests(folder)
    moves = contest.game(int(changed)).moves
    steps = _shown(folder, changed, "--step").split("\n\n")[1:-1]
    assert len(steps) == len(moves) + 1
    games = "\n".join(moves[:ply] for ply in range(1, len(moves)))
    answers = c4_solve("--all", "--json", stdin=games.encode()).stdout.splitlines()
    for step, answer in zip(steps[1:-1], answers, strict=True):
        row = step.splitlines()[0].ljust(28)
        shown = [row[at : at + 4].strip() for at in range(0, 28, 4)]
        scores = orjson.loads(answer)["scores"]
        assert [int(text) if text else None for text in shown] == scores


def test_keys_lead_to_the_refutation_and_back(terminal):
    """``d`` shows the decisive move, ``r`` plays its refutation, and ``left`` leads back."""
    assert "Column" in terminal.press("d", "refutation:")
    for key, expected in (
        ("r", "Variation after"),
        (LEFT, "refutation:"),
        (HOME, "The game begins."),
        (RIGHT, "Move 1 of"),
        (" ", "Move 2 of"),
        (LEFT, "Move 1 of"),
        (END, "q quit"),
    ):
        assert terminal.press(key, expected)
    terminal.child.send("q")
    terminal.end(0)


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_signal_restores_the_terminal(terminal, number):
    """A signal that ends the program leaves the terminal as it was."""
    terminal.child.kill(number)
    terminal.end(1)


def test_control_c_restores_the_terminal(terminal):
    r"""Ctrl-C ends the program and leaves the terminal as it was. Ctrl-Z and Ctrl-\ do nothing."""
    terminal.child.send("\x1a\x1c")
    terminal.press(RIGHT, "Move 1 of")
    terminal.child.sendintr()
    terminal.end(1)


def test_screen_follows_the_size_of_the_terminal(terminal):
    """A terminal that becomes narrow gets a new screen, with the help on two lines."""
    terminal.child.setwinsize(20, 40)
    terminal.child.expect(r"arrows, home, end \| d next \? or \?\? \| r *\r?\n")
    terminal.child.send("q")
    terminal.end(0)


def test_values_are_solved_once_and_stored(c4_referee, folder):
    """Values that are missing are solved within the time given, and are stored."""
    before = _shown(folder, "1", "--step")
    database = sqlite3.connect(folder / "arena.sqlite")
    with database:
        database.execute("DELETE FROM solved")
    database.close()
    assert not read_contests(folder)[0].solved
    assert _shown(folder, "1", "--step") != before
    done = c4_referee("show", str(folder), "1", "--step", "--analysis-seconds", "600")
    assert (done.returncode, done.stderr) == (0, b"")
    assert _shown(folder, "1", "--step") == done.stdout.decode() == before


def test_values_that_cannot_be_stored_are_shown(c4_referee, folder):
    """While another program has locked the database, values are shown and a line says why."""
    expected = _shown(folder, "1")
    database = sqlite3.connect(folder / "arena.sqlite")
    with database:
        database.execute("DELETE FROM solved")
    database.execute("BEGIN IMMEDIATE")
    done = c4_referee("show", str(folder), "1", "--analysis-seconds", "600")
    database.close()
    assert done.stdout.decode() == expected
    assert done.stderr.startswith(b"c4-referee: values are not stored: ")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)


def test_interrupted_solving_stores_its_values(folder):
    """Ctrl-C while positions are solved ends the program, and leaves a folder that can be read."""
    words = [SCRIPTS / "c4-referee", "match", "c4-bot --plays random", "c4-bot --plays random"]
    settings = ("--games", "1", "--variant", "9x7", "--no-accuracy", "--out", "large")
    subprocess.run([*words, *settings], cwd=folder, check=True, capture_output=True)
    show = ["show", str(folder / "large"), "1", "--analysis-seconds", "600"]
    child = pexpect.spawn(str(SCRIPTS / "c4-referee"), show, encoding="utf-8", timeout=300)
    child.expect_exact("solving")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, "Game 1" in child.before) == (1, False)
    assert "Game 1: " in _shown(folder / "large", "1")
