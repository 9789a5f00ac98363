"""Games lost or doubled by a referee that is killed repeatedly.

A separate process plays a round robin of three bots. Two of the bots stay alive from game to game.
The third bot gets killed, writes without end, or exits. The referee's process is killed with
SIGKILL at random times, also while it starts, and is started again each time. Its last life plays
to the end, and its open files and memory are watched.

The benchmark prints one JSON object. The exit code is 1, and `problems` is not empty, in these
cases: a game is missing or stored twice in the database or in games.jsonl, a process is left
behind, or the referee's open files or memory grow.
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

from _shared import no_processes_left
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.schedule import GameKey, Plan, Roster, Round, Schedule, repeated, round_robin

PROGRAM = Path(__file__).parent.parent / "bots" / "misbehaving.py"
RUN = Path(__file__).with_name("run.py")
BOTS = 3
LIFE_SECONDS = 1.5
"""Maximum seconds of a life that is killed. On two processors the first game ends after 0.4 s."""
KILLED_SHARE = 0.6
"""Share of the games during which the process is killed. The other games are watched for leaks."""
MOST_BYTES_A_GAME = 16_384
"""Maximum growth of memory per game. A result held for the report takes about 4 kB."""


def keys(games: int) -> tuple[GameKey, ...]:
    """Return the keys of the first ``games`` games of a long round robin."""
    return tuple(islice(round_robin.games(Plan(Roster.of(BOTS), repeated), games), games))


def schedule(games: int, _: Plan) -> Schedule:
    """Yield the first ``games`` games as one round."""
    yield Round(keys(games))
    return None


def bots(program: Path) -> tuple[BotSpec, ...]:
    """Return two bots without faults, and one that fails in one of three ways."""
    good = f"{sys.executable} -S -E {program} good"
    fault = "$(shuf -n1 -e killed endless_line exits_later)"
    faulty = f"exec {sys.executable} -S -E {program} {fault}"
    return (
        BotSpec(name="good", command=good, restart="never"),
        BotSpec(name="better", command=good, restart="never"),
        BotSpec(name="faulty", command=("sh", "-c", faulty)),
    )


def play(folder: Path, games: int) -> int:
    """Play the games that are not stored yet, as one life of the referee. Return the exit code."""
    entrants = bots(folder / PROGRAM.name)
    contest = Contest(entrants, partial(schedule, games), concurrency=2)
    with no_processes_left():
        return 0 if contest.play(out=folder).is_complete else 1


class Soak:
    """A folder, and the referee that is killed and restarted to fill it with games."""

    def __init__(self, folder: Path, games: int, kills: int) -> None:
        self.folder, self.games, self.kills = folder, games, kills
        shutil.copy(PROGRAM, folder)  # later edits change nothing here
        self.mark = f"SOAK={folder.name}-{os.getpid()}"
        self.samples: list[tuple[int, int, int]] = []
        """Samples of games, open files and bytes of memory, taken during the last life."""

    def start(self) -> subprocess.Popen[bytes]:
        """Start the referee."""
        command = [sys.executable, RUN, "soak", str(self.games), "--folder", self.folder]
        return subprocess.Popen(command, env=os.environ | dict([self.mark.split("=")]))

    def played(self) -> int:
        """Return the number of games in ``games.jsonl``."""
        with suppress(FileNotFoundError):
            return (self.folder / "games.jsonl").read_bytes().count(b"\n")
        return 0

    def kill(self, number: int) -> None:
        """Start the referee and kill it at a random time, early enough to leave games for later."""
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
        """Let the last life play to its end, and return its exit code."""
        with self.start() as referee:
            while referee.poll() is None:
                with suppress(OSError):  # the process may have ended since the last check
                    self.samples.append((self.played(), *open_files_and_memory(referee.pid)))
                time.sleep(0.05)
        return referee.returncode

    def run(self) -> dict[str, object]:
        """Run all lives, and return the figures with the list of problems."""
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
        """Return the growth of open files and memory in the last life, and the problems.

        The second quarter of the life, when caches are filled, is compared with the last quarter.
        """
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
    """Return a process's number of open files and its resident bytes.

    Raises ``OSError`` if the process has ended.
    """
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return len(list(Path(f"/proc/{pid}/fd").iterdir())), pages * os.sysconf("SC_PAGE_SIZE")


def lost_or_doubled(folder: Path, games: int) -> list[str]:
    """Return the problems of the games that a folder holds."""
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
    """Return the processes with a mark in their environment that are alive after ``seconds``."""
    until = time.monotonic() + seconds
    while (found := marked(mark)) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def marked(mark: str) -> list[int]:
    """Return all processes with a mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


def main(games: int = 2000, kills: int = 100, *, folder: str = "") -> int:
    """Run the benchmark and return the exit code.

    With a folder, only one life of the referee runs in it.
    """
    if folder:
        return play(Path(folder), games)
    with tempfile.TemporaryDirectory() as new:
        outcome = Soak(Path(new), games, kills).run()
    print(json.dumps(outcome))
    return 1 if outcome["problems"] else 0
