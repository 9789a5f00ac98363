"""Games lost or doubled by a referee that is killed repeatedly.

A separate process plays a match or a round robin without the sandbox. Two of the bots stay alive
from game to game. The others fail in some way, or attack the referee (tests/bots/attacks.py). In
turn, the referee, one of its workers, or all of them at once are killed with SIGKILL at random
times, also while they start. After each kill, the referee is started again if necessary. Its last
life plays to the end, and its open files and memory are watched.

The benchmark prints one JSON object. The exit code is 1, and `problems` is not empty, in these
cases: a game is missing or stored twice in the database or in games.jsonl, the results differ from
those of a referee that was not killed, a process is left behind, or the referee's open files or
memory grow.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import islice
from pathlib import Path

from _shared import no_processes_left
from c4_referee.bots.contain.process_tree import children_of
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from c4_referee.contest.schedule import (
    Plan,
    Schedule,
    System,
    repetition_of_empty_board,
    round_robin,
)
from c4_referee.records.rounds import GameKey, Roster, Round

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))
from stored import count_results
from waiting import wait_for

PROGRAMS = Path(__file__).parent.parent / "bots"
MISBEHAVING, ATTACKS = "misbehaving.py", "attacks.py"
RUN = Path(__file__).with_name("run.py")
CONTESTS = {
    "match": ("good", "leaves_a_daemon"),
    "tournament": (
        "good",
        "rightmost",
        "exits_later",
        "endless_line",
        "leaves_a_daemon",
        "writes_to_the_output_of_the_worker",
    ),
}
"""Kinds of the bots in each contest. Each of them always plays the same moves."""
KEPT = ("good", "rightmost")
"""Kinds of the bots that play several games with one process."""
VICTIMS = ("referee", "worker", "both")
EARLY_SECONDS = 1.5
"""Maximum seconds of a life that ends early. On two processors the first game ends after 0.4 s."""
MOST_SECONDS = 60
"""Maximum seconds of any life that is killed, if the machine is so slow that few games end."""
KILLED_SHARE = 0.6
"""Share of the games during which the process is killed. The other games are watched for leaks."""
LEFT_SECONDS = 20
"""Maximum seconds until all processes of a referee have ended."""
MOST_BYTES_A_GAME = 16_384
"""Maximum growth of memory per game. A result held for the report takes about 4 kB."""
MIN_GAMES_OF_LEAKS = 100
"""Minimum number of games of a soak that is watched for leaks."""


def keys(contest: str, games: int) -> tuple[GameKey, ...]:
    """Return the keys of the first ``games`` games of a long round robin."""
    plan = Plan(Roster.of(len(CONTESTS[contest])), repetition_of_empty_board)
    return tuple(islice(round_robin.games_of_rounds(plan, games), games))


def schedule(contest: str, games: int, _: Plan) -> Schedule:
    """Yield the first ``games`` games as one round."""
    yield Round(keys(contest, games))
    return None


def bot(folder: Path, kind: str, mark: str) -> BotSpec:
    """Return a bot whose program is in this folder, without the sandbox."""
    is_attacker = f"def {kind}()" in (PROGRAMS / ATTACKS).read_text(encoding="utf-8")
    program = folder / (ATTACKS if is_attacker else MISBEHAVING)
    return BotSpec(
        name=kind,
        command=(sys.executable, "-S", "-E", str(program), kind),
        restart="never" if kind in KEPT else "game",
        env={"TARGETS": json.dumps({"mark": mark})} if is_attacker else {},
        sandbox=False,
    )


def play(folder: Path, contest: str, games: int) -> int:
    """Play the games that are not stored yet, as one life of the referee. Return the exit code."""
    bots = tuple(bot(folder, kind, "soak") for kind in CONTESTS[contest])
    with no_processes_left():
        played = Contest(bots, System(partial(schedule, contest, games)), concurrency=2).play(
            out=folder
        )
    return 0 if played.is_complete else 1


class Soak:
    """A folder, and the referee that is killed and restarted to fill it with games."""

    def __init__(self, folder: Path, contest: str, games: int, kills: int) -> None:
        self.folder, self.contest, self.games, self.kills = folder, contest, games, kills
        for name in (MISBEHAVING, ATTACKS):
            shutil.copy(PROGRAMS / name, folder)  # later edits change nothing here
        self.mark = f"SOAK={folder.name}-{os.getpid()}"
        self.samples: list[tuple[int, int, int]] = []
        """Samples of games, open files and bytes of memory, taken during the last life."""

    def start(self) -> subprocess.Popen[bytes]:
        """Start the referee."""
        words = [str(self.games), "--contest", self.contest, "--folder", self.folder]
        command = [sys.executable, RUN, "soak", *words]
        return subprocess.Popen(command, env=os.environ | dict([self.mark.split("=")]))

    def played(self) -> int:
        """Return the number of games in the database."""
        return count_results(self.folder)

    def kill(self, number: int) -> None:
        """Start the referee, and kill it or a worker, early enough to leave games for later."""
        victim = VICTIMS[number % len(VICTIMS)]
        most = max(0, self.games * KILLED_SHARE * number / self.kills - self.played())
        enough = self.played() + random.uniform(0, most)
        is_early = number % 2 == 0  # perhaps while it starts
        until = time.monotonic() + (random.uniform(0, EARLY_SECONDS) if is_early else MOST_SECONDS)
        with self.start() as referee:
            while time.monotonic() < until and self.played() < enough:
                time.sleep(0.002)
            time.sleep(random.uniform(0, 0.02))
            if referee.poll() is not None:
                raise SystemExit(f"life {number} ended by itself: exit code {referee.returncode}")
            workers = children_of(referee.pid)
            if victim == "worker" and workers:
                kill_all(random.sample(sorted(workers), 1))
                time.sleep(random.uniform(0, EARLY_SECONDS))
            kill_all([referee.pid] if victim == "referee" else [referee.pid, *workers])

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
        problems += lost_or_doubled(self.folder, self.contest, self.games)
        problems += self.differences()
        if not wait_for(lambda: not marked(self.mark), LEFT_SECONDS):
            problems.append(f"processes left: {marked(self.mark)}")
        return {
            "contest": self.contest,
            "games": self.games,
            "kills": self.kills,
            "games_before_last_life": after_kills,
            **leaks,
            "seconds": round(time.monotonic() - began, 1),
            "problems": problems,
        }

    def differences(self) -> list[str]:
        """Return a problem if the results differ from those of a referee that is not killed."""
        with tempfile.TemporaryDirectory() as new:
            other = Soak(Path(new), self.contest, self.games, 0)
            other.finish()
            expected, found = results(other.folder), results(self.folder)
        return [] if found == expected else [f"results: {found - expected}, {expected - found}"]

    def leaks(self, start: int) -> tuple[dict[str, object], list[str]]:
        """Return the growth of open files and memory in the last life, and the problems.

        There is none in a soak of few games, whose memory still grows as its caches fill.
        The second quarter of the life, when caches are filled, is compared with the last quarter.
        """
        if self.games < MIN_GAMES_OF_LEAKS:
            return {}, []
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


def kill_all(processes: Sequence[int]) -> None:
    """Halt processes, so that none of them can react to the end of another, and kill them."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in processes:
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def results(folder: Path) -> Counter[tuple[object, ...]]:
    """Return how often each result of two bots is stored in a folder."""
    lines = (folder / "games.jsonl").read_bytes().splitlines()
    names = ("first", "second", "moves", "winner", "ending")
    return Counter(tuple(json.loads(line)[name] for name in names) for line in lines)


def lost_or_doubled(folder: Path, contest: str, games: int) -> list[str]:
    """Return the problems of the games that a folder holds."""
    lines = (folder / "games.jsonl").read_bytes().splitlines()
    query = """SELECT first, second, opening, repetition, record
               FROM results JOIN games ON games.id = game ORDER BY results.id"""
    with closing(sqlite3.connect(folder / "arena.sqlite")) as base:
        (issued,) = base.execute("SELECT count(*) FROM games").fetchone()
        rows = base.execute(query).fetchall()
    problems = []
    if sorted(row[:4] for row in rows) != sorted(map(tuple, keys(contest, games))):
        problems.append("the database does not hold every scheduled game once")
    if issued != games:
        problems.append(f"{issued} games issued, of {games}")
    if [row[4].encode() for row in rows] != lines:
        problems.append("games.jsonl differs from the database")
    if sorted(json.loads(line)["game"] for line in lines) != list(range(1, games + 1)):
        problems.append("games.jsonl does not hold every number once")
    return problems


def marked(mark: str) -> list[int]:
    """Return all processes with a mark in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
    return found


def main(
    games: int = 2000, kills: int = 100, *, contest: str = "tournament", folder: str = ""
) -> int:
    """Play a ``contest``, "match" or "tournament", and return the exit code.

    With a folder, only one life of the referee runs in it.
    """
    if folder:
        return play(Path(folder), contest, games)
    with tempfile.TemporaryDirectory() as new:
        outcome = Soak(Path(new), contest, games, kills).run()
    print(json.dumps(outcome))
    return 1 if outcome["problems"] else 0
