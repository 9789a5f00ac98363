"""Folders, databases and disks that are damaged, locked or full lose no game."""

import random
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import orjson
import pytest
from c4_protocol.program.errors import ArenaError
from kept import KEYS, archive, change, keep, line, match, numbers, record


def fill(folder: Path, games: int) -> Iterator[int]:
    """Commit games, or fewer if the disk is full, and yield their numbers."""
    with archive(folder) as kept:
        for pairing in match(games):
            kept.issue(pairing.key)
            kept.commit(pairing.key, line(pairing.number))
            yield pairing.number


PAGE = 4096
"""Size of a page of SQLite, in bytes."""


def refused(folder: Path, reason: str) -> None:
    """Check that opening a folder raises an error of one line with this reason."""
    with pytest.raises(ArenaError) as caught:
        archive(folder)
    assert reason in str(caught.value)
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda whole: random.Random(1).randbytes(len(whole)), "damaged, or no database"),
        (lambda whole: b"my notes\n" * 999, "damaged, or no database"),
        (lambda whole: whole[:100], "damaged"),
        (lambda whole: whole[: len(whole) // 2], "damaged"),
        (lambda whole: b"", "holds lines that arena.sqlite does not"),
    ],
)
def test_damaged_database_is_reported_and_left_alone(tmp_path, damage, reason):
    """Any damage raises an error of one line. With a good copy of the file, all games are back."""
    assert len([*fill(tmp_path, 50)]) == 50
    base = tmp_path / "arena.sqlite"
    whole = base.read_bytes()
    base.write_bytes(damage(whole))
    refused(tmp_path, reason)
    base.write_bytes(whole)
    assert numbers(tmp_path) == list(range(1, 51))


def test_every_damaged_page_is_noticed(tmp_path):
    """Every page is checked when the folder is opened, even one that is not read then."""
    assert len([*fill(tmp_path, 50)]) == 50
    base = tmp_path / "arena.sqlite"
    whole = base.read_bytes()
    for start in range(0, len(whole), PAGE):
        base.write_bytes(whole[:start] + bytes(PAGE) + whole[start + PAGE :])
        refused(tmp_path, "damaged")


@pytest.mark.parametrize(
    "statement",
    ["PRAGMA user_version = 5", "PRAGMA user_version = 7", "CREATE TABLE notes (text)"],
)
def test_other_versions_and_other_databases_are_refused(tmp_path, statement):
    """A database with another schema is refused and not changed."""
    change(tmp_path, statement)
    before = (tmp_path / "arena.sqlite").read_bytes()
    refused(tmp_path, "it is of another version")
    assert (tmp_path / "arena.sqlite").read_bytes() == before


def test_locked_database_is_reported(tmp_path, monkeypatch):
    """A database that stays locked by another program is reported."""
    monkeypatch.setattr("c4_referee.records.storage.database.MAX_BUSY_SECONDS", 0.1)
    keep(tmp_path, next(match(1)))
    with closing(sqlite3.connect(tmp_path / "arena.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused(tmp_path, "another program has locked it")
    assert numbers(tmp_path) == [1]


WHOLE = orjson.loads(line(2))


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff",
        b"notes",
        line(2)[:-1],
        line(2) + b"\n",
        b"[]",
        b"null",
        *(
            orjson.dumps(WHOLE | wrong)
            for wrong in [
                {"moves": 5},
                {"moves": "8"},
                {"moves": "1111111"},
                {"winner": 3},
                {"ending": "sold"},
                {"fault": "late"},
                {"notes": [{"bot": "a"}]},
                {"stderr": []},
                {"variant": WHOLE["variant"] | {"width": 0}},
            ]
        ),
    ],
)
def test_damaged_record_is_reported(tmp_path, damaged):
    """A record that no game can have is reported with its number, also without its line."""
    for pairing in match(3):
        keep(tmp_path, pairing)
    statement = "UPDATE results SET record = CAST(? AS TEXT) WHERE id = 2"
    change(tmp_path, statement, (damaged,))
    lines = (tmp_path / "games.jsonl").read_bytes()
    refused(tmp_path, "arena.sqlite: result 2 is not the record of a game")
    assert (tmp_path / "games.jsonl").read_bytes() == lines
    (tmp_path / "games.jsonl").write_bytes(b"")
    with pytest.raises(ArenaError, match=r"arena\.sqlite: result 2 is not the record of a game"):
        numbers(tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == b""
    change(tmp_path, statement, (line(2),))
    assert numbers(tmp_path) == [1, 2, 3]
    assert (tmp_path / "games.jsonl").read_bytes() == lines


@pytest.mark.parametrize("more", [{"later": "version"}, {"winner": "0"}, {"absent_ms": 1}])
def test_record_with_other_types_is_read(tmp_path, more):
    """A record with a further key, or with a number as a text, is read as a game."""
    with archive(tmp_path) as kept:
        kept.issue(KEYS[1])
        kept.commit(KEYS[1], orjson.dumps(WHOLE | more))
    expected = record(2, first="b", second="a", absent_ms=more.get("absent_ms", 0.0))
    with archive(tmp_path) as kept:
        assert kept.results() == {KEYS[1]: expected}


@pytest.mark.parametrize("forged", [{"winner": 1}, {"first": "a", "second": "b"}])
def test_forged_record_is_reported(tmp_path, forged):
    """A record whose result does not follow, or that is of other bots than its row, is named."""
    with archive(tmp_path) as kept:
        kept.issue(KEYS[1])
        kept.commit(KEYS[1], orjson.dumps(WHOLE | forged))
    with archive(tmp_path) as kept, pytest.raises(ArenaError, match="result 1 is not the record"):
        kept.results()


@pytest.mark.parametrize("step", ["issue", "commit", "roll_back"])
@pytest.mark.parametrize("is_long", [True, False])
def test_game_waits_for_a_lock(tmp_path, monkeypatch, step, is_long):
    """A game is changed when another program's lock ends. If it does not end, it is reported."""
    monkeypatch.setattr("c4_referee.records.storage.database.MAX_BUSY_SECONDS", 0.05)
    monkeypatch.setattr(
        "c4_referee.records.storage.store.BUSY_SECONDS_OF_GAMES", 0.2 if is_long else 60
    )
    with archive(tmp_path) as kept:
        pairing = next(match(1))
        if step != "issue":
            kept.issue(pairing.key)
        other = sqlite3.connect(
            tmp_path / "arena.sqlite", isolation_level=None, check_same_thread=False
        )
        other.execute("BEGIN IMMEDIATE")
        end_of_lock = threading.Timer(60 if is_long else 0.3, other.close)
        end_of_lock.start()
        act = partial(getattr(kept, step), pairing.key, *[line()] * (step == "commit"))
        if is_long:
            with pytest.raises(ArenaError, match="another program has locked it"):
                act()
            end_of_lock.cancel()
            other.close()
        else:
            act()
            end_of_lock.join()
    assert numbers(tmp_path) == [1] * (step == "commit" and not is_long)


@pytest.mark.linux
@pytest.mark.parametrize("folder", ["/proc", "/proc/arena", "/dev/null/arena"])
def test_folder_that_cannot_be_written_is_reported(folder):
    """A folder in which not even root may create files is refused."""
    refused(Path(folder), "cannot write")


def test_full_disk_loses_nothing(small_disk):
    """A full disk loses no committed game, and more games follow when there is room."""
    done: list[int] = []
    with pytest.raises(ArenaError, match="disk is full"):
        done.extend(fill(small_disk, 10_000))
    assert 0 < len(done) < 10_000
    subprocess.run(["mount", "-o", "remount,size=9m", str(small_disk)], check=True)
    known = numbers(small_disk, 10_000)
    assert known == done
    keep(small_disk, list(match(10_000))[len(known)])
    lines = (small_disk / "games.jsonl").read_bytes().splitlines()
    assert [orjson.loads(text)["game"] for text in lines] == list(range(1, len(known) + 2))


def test_read_only_disk_is_reported(small_disk):
    """A folder on a read-only disk is refused, and keeps its games."""
    keep(small_disk, next(match(1)))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused(small_disk, "Read-only file system")
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert numbers(small_disk) == [1]
