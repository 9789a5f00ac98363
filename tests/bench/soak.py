"""Kills a referee again and again and looks whether it forgets anything.

    python tests/bench/soak.py [games [kills]]

A round robin of three bots, two that live on from game to game and one that is killed, writes
without end or leaves, is played in a process of its own, 2,000 games unless told otherwise. That
process is killed with SIGKILL at 100 random moments, start-up included, and started again each
time; the last life plays on to the end and is watched. Prints one JSON object; exit code 1 and a
list of ``problems`` if a game is missing or there twice, in the database or in ``games.jsonl``, if
a process is left, or if the referee keeps more and more open files or memory.
"""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path

from c4_referee.bots.process_tree import adopt_orphans, kill_children
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.schedule import GameKey, Plan, Roster, Round, Schedule, repeated, round_robin

PROGRAM = Path(__file__).parent.parent / "bots" / "misbehaving.py"
BOTS = 3
LIFE_SECONDS = 1.5
"""No life that ends by a kill is longer; on two processors the first game ends after 0.4 s."""
KILLED_SHARE = 0.6
"""The part of the games after which no more kills come: the rest is for looking at leaks."""
MOST_BYTES_A_GAME = 16_384
"""Results are held for the report, about 4 kB each; what grows faster is a leak."""


def keys(games: int) -> tuple[GameKey, ...]:
    """The first games of a long round robin."""
    return tuple(islice(round_robin.games(Plan(Roster.of(BOTS), repeated), games), games))


def schedule(games: int, _: Plan) -> Schedule:
    """These games as one round."""
    yield Round(keys(games))
    return None


def bots(program: Path) -> tuple[BotSpec, ...]:
    """Two good bots, and one that does its worst in one of three ways."""
    good = f"{sys.executable} -S -E {program} good"
    moods = "$(shuf -n1 -e killed endless_line exits_later)"
    moody = f"exec {sys.executable} -S -E {program} {moods}"
    return (
        BotSpec(name="good", command=good, restart="never"),
        BotSpec(name="better", command=good, restart="never"),
        BotSpec(name="moody", command=("sh", "-c", moody)),
    )


def play(folder: Path, games: int) -> int:
    """One life of the referee: plays what is left to play."""
    adopt_orphans()
    try:
        entrants = bots(folder / PROGRAM.name)
        contest = Contest(entrants, partial(schedule, games), concurrency=2)
        played = contest.play(out=folder)
    finally:
        kill_children()
    return 0 if played.is_complete else 1


class Soak:
    """A folder, and the lives of the referee that fills it."""

    def __init__(self, folder: Path, games: int, kills: int) -> None:
        self.folder, self.games, self.kills = folder, games, kills
        shutil.copy(PROGRAM, folder)  # whoever edits it meanwhile would begin another event
        self.mark = f"SOAK={folder.name}-{os.getpid()}"
        self.samples: list[tuple[int, int, int]] = []
        """Games that were played, open files and bytes of memory of the last life."""

    def start(self) -> subprocess.Popen[bytes]:
        """A new life."""
        command = [sys.executable, __file__, "play", str(self.folder), str(self.games)]
        return subprocess.Popen(command, env=os.environ | dict([self.mark.split("=")]))

    def played(self) -> int:
        """How many games ``games.jsonl`` has."""
        with suppress(FileNotFoundError):
            return (self.folder / "games.jsonl").read_bytes().count(b"\n")
        return 0

    def kill(self, number: int) -> None:
        """A life that ends at a random moment, so early that later ones have games left."""
        enough = self.games * KILLED_SHARE * number / self.kills
        until = time.monotonic() + random.uniform(0, LIFE_SECONDS)
        with self.start() as referee:
            while time.monotonic() < until and self.played() < enough:
                time.sleep(0.002)
            time.sleep(random.uniform(0, 0.02))
            if referee.poll() is not None:
                raise SystemExit(f"life {number} ended by itself: exit code {referee.returncode}")
            referee.kill()

    def finish(self) -> int:
        """The last life; its exit code."""
        with self.start() as referee:
            while referee.poll() is None:
                with suppress(OSError):  # it may end between two looks
                    self.samples.append((self.played(), *open_files_and_memory(referee.pid)))
                time.sleep(0.05)
        return referee.returncode

    def run(self) -> dict[str, object]:
        """All lives; what was seen, and what is wrong with it."""
        began = time.monotonic()
        for number in range(1, self.kills + 1):
            self.kill(number)
        after_kills = self.played()
        code = self.finish()
        leaks, problems = self.leaks(after_kills)
        if code != 0:
            problems.append(f"the last life ended with exit code {code}")
        problems += lost_or_doubled(self.folder, self.games)
        if left := left_behind(self.mark):
            problems.append(f"processes left: {left}")
        return {
            "games": self.games,
            "kills": self.kills,
            "games_before_last_life": after_kills,
            **leaks,
            "seconds": round(time.monotonic() - began, 1),
            "problems": problems,
        }

    def leaks(self, start: int) -> tuple[dict[str, object], list[str]]:
        """Open files and memory in the last life: its second quarter, when all is warm, and end."""
        quarter = (self.games - start) / 4
        warm = [s for s in self.samples if start + quarter <= s[0] < start + 2 * quarter]
        late = [s for s in self.samples if s[0] >= start + 3 * quarter]
        files, memory = ([max(s[i] for s in part) for part in (warm, late)] for i in (1, 2))
        a_game = round((memory[1] - memory[0]) / (late[-1][0] - warm[0][0]))
        figures = {"open_files": files, "memory_bytes": memory, "memory_bytes_a_game": a_game}
        problems = []
        if files[1] > files[0]:
            problems.append(f"open files: {files}")
        if a_game > MOST_BYTES_A_GAME:
            problems.append(f"memory: {a_game} bytes more for each game")
        return figures, problems


def open_files_and_memory(pid: int) -> tuple[int, int]:
    """Of a process; bytes resident. Raises ``OSError`` if it is gone."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return len(list(Path(f"/proc/{pid}/fd").iterdir())), pages * os.sysconf("SC_PAGE_SIZE")


def lost_or_doubled(folder: Path, games: int) -> list[str]:
    """What is wrong with the games that a folder holds."""
    lines = (folder / "games.jsonl").read_bytes().splitlines()
    query = """SELECT first, second, opening, repetition, record
               FROM results JOIN games ON games.id = game ORDER BY results.id"""
    with closing(sqlite3.connect(folder / "arena.sqlite")) as base:
        (issued,) = base.execute("SELECT count(*) FROM games").fetchone()
        rows = base.execute(query).fetchall()
    problems = []
    if sorted(row[:4] for row in rows) != sorted(map(tuple, keys(games))):
        problems.append("the database does not hold every scheduled game once")
    if issued != games:
        problems.append(f"{issued} games issued, of {games}")
    if [row[4].encode() for row in rows] != lines:
        problems.append("games.jsonl differs from the database")
    if sorted(json.loads(line)["game"] for line in lines) != list(range(1, games + 1)):
        problems.append("games.jsonl does not hold every number once")
    return problems


def left_behind(mark: str, seconds: float = 20) -> list[int]:
    """Processes with a mark in their environment that do not end in that time."""
    until = time.monotonic() + seconds
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def marked(mark: str) -> list[int]:
    """All processes with a mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def main(arguments: list[str]) -> int:
    """Plays a life, or runs the whole; the exit code."""
    if arguments[:1] == ["play"]:
        return play(Path(arguments[1]), int(arguments[2]))
    games, kills = map(int, arguments + ["2000", "100"][len(arguments) :])
    with tempfile.TemporaryDirectory() as folder:
        outcome = Soak(Path(folder), games, kills).run()
    print(json.dumps(outcome))
    return 1 if outcome["problems"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
