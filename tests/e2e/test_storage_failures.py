"""Damaged records, locked databases and full disks lose no game and leave no process."""

import json
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from effort import sampled
from stored import wait_for_results

BOT = Path(__file__).parent.parent / "bots" / "misbehaving.py"
REFEREE = "import sys; from c4_referee.cli import main; sys.exit(main(sys.argv[1:]))"
SHORT_LOCK = """\
import c4_referee.records.storage.database as database, c4_referee.records.storage.store as store
database.MAX_BUSY_SECONDS, store.BUSY_SECONDS_OF_GAMES = 0.1, 0.5
"""
SMALL_FILES = """\
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
"""
"""Programs that change a limit and then run the command."""


class Match:
    """A match in the folder ``out``. Its processes have a mark."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.out = folder / "out"
        program = folder / "bot.py"
        program.write_bytes(BOT.read_bytes())
        self._bots = [f"{sys.executable} -S -E {program} {kind}" for kind in ("good", "column_7")]
        self._environment = environment

    def start(self, games: int, *more: str, setting: str = "") -> subprocess.Popen[bytes]:
        """Start the command after a setting."""
        command = [sys.executable, "-c", setting + REFEREE, "match", *self._bots, "--variant",
                   "4x4", "--games", str(games), "--json", "--out", self.out, *more]  # fmt: skip
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, **pipes, env=self._environment)

    def play(self, *arguments: object, **settings: str) -> subprocess.CompletedProcess[bytes]:
        """Run the command to its end."""
        with self.start(*arguments, **settings) as referee:
            return end_of(referee)

    def stored(self) -> list[int]:
        """Return the sorted numbers of the games in ``games.jsonl``."""
        lines = (self.out / "games.jsonl").read_bytes().split(b"\n")[:-1]
        return sorted(json.loads(line)["game"] for line in lines)

    def in_database(self) -> list[int]:
        """Return the sorted numbers of the games in the database."""
        with closing(sqlite3.connect(self.out / "arena.sqlite")) as base:
            query = "SELECT json_extract(record, '$.game') AS game FROM results ORDER BY game"
            return [number for (number,) in base.execute(query)]

    def lock(self) -> sqlite3.Connection:
        """Return a connection that locks the database until it is closed."""
        base = sqlite3.connect(self.out / "arena.sqlite", timeout=300, isolation_level=None)
        base.execute("BEGIN IMMEDIATE")
        return base


def end_of(referee: subprocess.Popen[bytes]) -> subprocess.CompletedProcess[bytes]:
    """Wait for the end of a command."""
    out, err = referee.communicate()
    return subprocess.CompletedProcess(referee.args, referee.returncode, out, err)


@pytest.fixture
def match(tmp_path, mark):
    """Return a match."""
    return Match(tmp_path, mark.environment)


@pytest.fixture
def check_failed(mark, wait_until):
    """Return a function that checks that a match failed with one line, and left no process."""

    def check(done: subprocess.CompletedProcess[bytes], reason: str) -> None:
        assert done.stderr.decode().splitlines()[-1].startswith("c4-referee: cannot ")
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
        assert reason in done.stderr.decode()
        assert wait_until(lambda: not mark.bearers())

    return check


def check_complete(match: Match, games: int) -> None:
    """Continue a match, and check that it has each game once."""
    done = match.play(games)
    assert (done.returncode, json.loads(done.stdout)["games"]) == (0, games)
    assert match.stored() == match.in_database() == list(range(1, games + 1))


RECORDS = ("", "notes", "{}", "null", '{"event":"move"}')


@pytest.mark.parametrize("record", sampled(RECORDS, ["{}"]))
@pytest.mark.parametrize("has_lines", sampled([True, False], [True]))
def test_damaged_record_is_named(match, check_failed, record, has_lines):
    """One line names the database and the result, and nothing is changed."""
    assert match.play(4).returncode == 0
    with closing(sqlite3.connect(match.out / "arena.sqlite")) as base, base:
        (whole,) = base.execute("SELECT record FROM results WHERE id = 3").fetchone()
        base.execute("UPDATE results SET record = ? WHERE id = 3", (record,))
    if not has_lines:
        (match.out / "games.jsonl").write_bytes(b"")
    files = [match.out / "arena.sqlite", match.out / "games.jsonl"]
    before = [path.read_bytes() for path in files[: 1 + has_lines]]
    reason = f"{match.out}/arena.sqlite: result 3 is not the record of a game"
    check_failed(match.play(4), reason)
    assert [path.read_bytes() for path in files[: 1 + has_lines]] == before
    with closing(sqlite3.connect(match.out / "arena.sqlite")) as base, base:
        base.execute("UPDATE results SET record = ? WHERE id = 3", (whole,))
    check_complete(match, 6)


def test_match_goes_on_after_a_lock(match):
    """A match waits for a program that locks the database for longer than the start would wait."""
    with match.start(40) as referee:
        wait_for_results(match.out)
        with closing(match.lock()):
            time.sleep(3)
            assert referee.poll() is None
            assert len(match.in_database()) < 40
        done = end_of(referee)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["games"] == 40
    assert match.stored() == match.in_database() == list(range(1, 41))


@pytest.mark.weekly
def test_match_ends_if_the_lock_stays(match, check_failed):
    """A database that stays locked ends a match with one line, and no game is lost."""
    with match.start(20, setting=SHORT_LOCK) as referee:
        wait_for_results(match.out)
        with closing(match.lock()):
            done = end_of(referee)
            before = match.in_database()
    check_failed(done, "arena.sqlite: another program has locked it")
    assert 0 < len(before) < 20
    assert set(before) <= set(match.in_database())
    check_complete(match, 20)


def test_database_that_cannot_grow_ends_the_match(match, check_failed):
    """If the system does not let the database grow, one line says so, and no game is lost."""
    check_failed(match.play(400, setting=SMALL_FILES), f"cannot use {match.out}/arena.sqlite: ")
    kept = len(match.in_database())
    assert 0 < kept < 400
    check_complete(match, kept + 5)


def test_full_disk_of_the_log_ends_the_match(match, check_failed, small_disk):
    """If the disk of the log is full, one line says so. With more room, the match continues."""
    log = small_disk / "events.jsonl"
    (small_disk / "other").write_bytes(bytes(280_000))
    done = match.play(400, "--events", str(log))
    check_failed(done, f"cannot write {log}: No space left on device")
    subprocess.run(["mount", "-o", "remount,size=9m", str(small_disk)], check=True)
    check_log(match, log, 0)


def parsed(line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line, or an empty one if the line is torn."""
    try:
        return dict(json.loads(line))
    except ValueError:
        return {}


def check_log(match: Match, log: Path, start: int) -> None:
    """Continue a match, and check that only one line of the log is torn."""
    kept = match.in_database()
    assert match.play(len(kept) + 4, "--events", str(log)).returncode == 0
    assert match.stored() == match.in_database() == list(range(1, len(kept) + 5))
    lines = log.read_bytes()[start:].strip(b"\0\n").split(b"\n")
    events = [event for event in map(parsed, lines) if event]
    assert len(lines) - len(events) <= 1
    ended = [event["game"] for event in events if event["event"] == "game_ended"]
    assert len(set(ended)) == len(ended) >= len(kept) + 3
