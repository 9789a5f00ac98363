"""``c4-referee show``: a stored game in a terminal, with keys, and in a pipe."""

import io
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import termios
from pathlib import Path

import orjson
import pexpect
import pytest
from c4_referee.stats.analysis import analyse
from c4_referee.storage.contests import read_contests
from commands import SCRIPTS
from wheels import make_once

MATCH = (
    *("match", "c4-bot --level 2", "c4-bot --plays random --info", "--openings", "random:8"),
    *("--time-ms", "2000", "--no-accuracy", "--games", "4", "--out", "."),
)
LEFT, RIGHT, HOME, END = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F"
STORED = ("--analysis-seconds", "0")


def play(folder: Path) -> None:
    """Play a match into a folder, and solve all positions of its games."""
    referee = SCRIPTS / "c4-referee"
    subprocess.run([referee, *MATCH], cwd=folder, check=True, capture_output=True)
    for number in range(1, 5):
        words = [referee, "show", ".", str(number), "--analysis-seconds", "60"]
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


class Terminal:
    """A terminal in which a game is shown."""

    def __init__(self, folder: Path, *arguments: str, columns: int = 100) -> None:
        words = ["show", str(folder), *arguments, *STORED]
        # pytest-xdist sets the size of its own terminal in the environment.
        env = {
            name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}
        }
        self.child = pexpect.spawn(
            str(SCRIPTS / "c4-referee"), words, encoding="utf-8", timeout=30,
            dimensions=(24, columns), env={**env, "TERM": "xterm-256color"},
        )  # fmt: skip
        self.log = self.child.logfile_read = io.StringIO()
        self.settings = termios.tcgetattr(self.child.child_fd)

    def press(self, key: str, expected: str) -> str:
        """Press a key, and return what is drawn until the expected text."""
        self.child.send(key)
        self.child.expect_exact(expected)
        return self.child.before + self.child.after

    def end(self) -> int | None:
        """Wait for the end; return the exit code, with the terminal as it was before."""
        self.child.expect(pexpect.EOF)
        assert termios.tcgetattr(self.child.child_fd) == self.settings
        screens = re.findall(r"\x1b\[\?1049([hl])", self.log.getvalue())
        assert screens == ["h", "l"]
        self.child.close()
        return self.child.exitstatus


@pytest.fixture
def terminal(folder, changed, terminal_signals):
    """Return a terminal that steps through a game with a decisive move, at its beginning."""
    made = Terminal(folder, changed, "--step")
    made.child.expect_exact("The game begins.")
    yield made
    made.child.close(force=True)


def test_game_is_plain_text_in_a_pipe(folder, changed):
    """A pipe gets the result, the board, the decisive move and the moves, without escapes."""
    text = _shown(folder, changed)
    assert "\x1b" not in text
    lines = text.splitlines()
    assert re.match(r"Game \d: c4-bot .* \(X\) against c4-bot .* \(O\)$", lines[0])
    assert re.match(r"(1-0|0-1): .* wins with 4 in a row$", lines[1])
    assert " 1   2   3   4   5   6   7" in text
    assert text.count("(X)") + text.count("(O)") >= 2
    assert re.search(
        r"^Move \d+ of \d+: .* plays (\d)\?\?\n  Column \1 [^\n]*\.$", text, re.MULTILINE
    )
    assert re.search(r"^    [XO] \d\?\? threw away the (win|draw)", text, re.MULTILINE)
    assert re.search(r"^  refutation: \d", text, re.MULTILINE)
    assert re.search(r"^ ?\d+\. \d +opening +\d+\. \d +opening$", text, re.MULTILINE)
    assert all(line == line.rstrip() for line in lines)


def test_plain_text_does_not_depend_on_the_terminal(folder, changed):
    """The width of the terminal and its colours do not change what a pipe gets."""
    text = _shown(folder, changed)
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
    assert terminal.press("r", "Variation after")
    assert terminal.press(LEFT, "refutation:")
    assert terminal.press(HOME, "The game begins.")
    assert terminal.press(RIGHT, "Move 1 of")
    assert terminal.press(" ", "Move 2 of")
    assert terminal.press(LEFT, "Move 1 of")
    terminal.press(END, "q quit")
    terminal.child.send("q")
    assert terminal.end() == 0


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name
)
def test_signal_restores_the_terminal(terminal, number):
    """A signal that ends the program leaves the terminal as it was."""
    terminal.child.kill(number)
    assert terminal.end() == 1


def test_control_c_restores_the_terminal(terminal):
    r"""Ctrl-C ends the program and leaves the terminal as it was. Ctrl-Z and Ctrl-\ do nothing."""
    terminal.child.send("\x1a\x1c")
    terminal.press(RIGHT, "Move 1 of")
    terminal.child.sendintr()
    assert terminal.end() == 1


def test_screen_follows_the_size_of_the_terminal(terminal):
    """A terminal that becomes narrow gets a new screen, with the help on two lines."""
    terminal.child.setwinsize(20, 40)
    terminal.child.expect(r"arrows, home, end \| d next \? or \?\? \| r *\r?\n")
    terminal.child.send("q")
    assert terminal.end() == 0


def test_values_are_solved_once_and_stored(c4_referee, folder):
    """Values that are missing are solved within the time given, and are stored."""
    before = _shown(folder, "1", "--step")
    database = sqlite3.connect(folder / "arena.sqlite")
    with database:
        database.execute("DELETE FROM solved")
    database.close()
    assert not read_contests(folder)[0].solved
    assert _shown(folder, "1", "--step") != before
    done = c4_referee("show", str(folder), "1", "--step", "--analysis-seconds", "60")
    assert (done.returncode, done.stderr) == (0, b"")
    assert _shown(folder, "1", "--step") == done.stdout.decode() == before


def test_values_that_cannot_be_stored_are_shown(c4_referee, folder):
    """While another program has locked the database, values are shown and a line says why."""
    expected = _shown(folder, "1")
    database = sqlite3.connect(folder / "arena.sqlite")
    with database:
        database.execute("DELETE FROM solved")
    database.execute("BEGIN IMMEDIATE")
    done = c4_referee("show", str(folder), "1", "--analysis-seconds", "60")
    database.close()
    assert done.stdout.decode() == expected
    assert done.stderr.startswith(b"c4-referee: values are not stored: ")
    assert (done.returncode, done.stderr.count(b"\n")) == (0, 1)


def test_interrupted_solving_stores_its_values(folder):
    """Ctrl-C while positions are solved ends the program, and leaves a folder that can be read."""
    words = [SCRIPTS / "c4-referee", "match", "c4-bot --plays random", "c4-bot --plays random"]
    settings = ("--games", "1", "--variant", "9x7", "--no-accuracy", "--out", "large")
    subprocess.run([*words, *settings], cwd=folder, check=True, capture_output=True)
    show = ["show", str(folder / "large"), "1", "--analysis-seconds", "99"]
    child = pexpect.spawn(str(SCRIPTS / "c4-referee"), show, encoding="utf-8", timeout=30)
    child.expect_exact("solving")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert (child.exitstatus, "Game 1" in child.before) == (1, False)
    assert "Game 1: " in _shown(folder / "large", "1")


def test_last_of_several_contests_is_shown(c4_referee, tmp_path):
    """The last of several contests is shown, and a line on standard error says so."""
    for size in ("4x4", "5x4"):
        words = ("match", "c4-bot --plays random", "c4-bot --plays random --seed 2", "--games", "1")
        c4_referee(*words, "--variant", size, "--no-accuracy", "--out", "two", cwd=tmp_path)
    last = c4_referee("show", "two", "1", cwd=tmp_path)
    assert last.stderr == b"two holds 2 contests: this is the last (see --contest)\n"
    assert b"variant: 5x4x4;" in last.stdout
    first = c4_referee("show", "two", "1", "--contest", "1", cwd=tmp_path)
    assert (first.returncode, first.stderr) == (0, b"")
    assert b"variant: 4x4x4;" in first.stdout
    third = c4_referee("show", "two", "1", "--contest", "3", cwd=tmp_path)
    assert (third.returncode, third.stderr) == (
        2, b"c4-referee: --contest 3: two holds 2 contests\n"
    )  # fmt: skip
