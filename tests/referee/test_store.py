"""What is kept on disk: committed games stay, others go, and whatever is wrong is one line."""

import io
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import ArenaError, UsageError
from protocol.records import FaultRecord, GameEnded, VariantRecord
from protocol.variant import LINE8, STANDARD, Variant
from referee.archive import Archive, fingerprint, of_bots
from referee.bots import BotSpec
from referee.clock import TimeControl
from referee.commands.arguments import logs
from referee.eventlog import GamesFile, write_whole
from referee.schedule import GameKey, Pairing, turns
from referee.store import Entrant, Store

BOTS = [Entrant("a", "[]", "1"), Entrant("b", "[]", "2")]
SPECS = (BotSpec(name="a", command=("true",)), BotSpec(name="b", command=("false",)))
CONTROLS = (TimeControl(), TimeControl())
KEYS = [*turns(5)]
PAGE = 4096
"""Bytes of a page of SQLite's."""


def record(number: int = 1, variant: Variant = STANDARD, **settings: object) -> GameEnded:
    """The record of a game."""
    usual = {"moves": "", "ms": [], "cpu_ms": [], "fault": None, "notes": [], "stderr": {}}
    kept = VariantRecord.of(variant)
    return GameEnded(**{"game": number, "first": "a", "second": "b", "winner": 0,
                        "ending": "void", "variant": kept} | usual | settings)  # fmt: skip


def line(number: int = 1) -> bytes:
    """The JSON line of a game."""
    return orjson.dumps(record(number))


def archive(folder: Path, specs=SPECS, variant=STANDARD, controls=CONTROLS) -> Archive:
    """An archive of two bots."""
    return Archive(folder, of_bots(specs, variant, controls), specs)


def match(games: int) -> Iterator[Pairing]:
    """The games of a match, with their numbers."""
    return map(Pairing, count(1), turns(games))


def keep(folder: Path, pairing: Pairing, **settings: object) -> None:
    """Opens an archive and keeps a game there."""
    with archive(folder, **settings) as kept:
        kept.issue(pairing.key)
        kept.commit(pairing.key, line(pairing.number))


def numbers(folder: Path, games: int = 100, **settings: object) -> list[int]:
    """The numbers of the games that an archive has of a match."""
    with archive(folder, **settings) as kept:
        known = kept.results()
        return [pairing.number for pairing in match(games) if pairing.key in known]


@given(st.data())
def test_store_holds_what_was_committed(data):
    """Games are issued, committed, rolled back, and the file reopened, in any order."""
    issued: set[GameKey] = set()
    committed: dict[GameKey, bytes] = {}
    with TemporaryDirectory() as folder:
        for _ in range(data.draw(st.integers(1, 4), "lives")):
            issued.clear()
            with Store(Path(folder, "arena.sqlite")) as store:
                event = store.enter("key", "{}", BOTS)
                store.roll_back_all()
                for key in data.draw(st.lists(st.sampled_from(KEYS), max_size=9), "games"):
                    if key in committed:
                        continue
                    if key not in issued:
                        store.issue(event, key)
                        issued.add(key)
                        continue
                    issued.discard(key)
                    if data.draw(st.booleans(), "fails"):
                        store.roll_back(event, key)
                    else:
                        committed[key] = f"{len(committed)}".encode()
                        store.commit(event, key, committed[key])
                assert list(store.results(event)) == list(committed.items())
                assert list(store.records()) == list(committed.values())


def test_only_issued_games_are_committed(tmp_path):
    """A result without its game, a second result, and a game issued twice are refused."""
    with Store(tmp_path / "arena.sqlite") as store:
        event = store.enter("key", "{}", BOTS)
        with pytest.raises(KeyError):
            store.commit(event, KEYS[0], b"{}")
        store.issue(event, KEYS[0])
        store.commit(event, KEYS[0], b"{}")
        with pytest.raises(ArenaError, match="UNIQUE"):
            store.commit(event, KEYS[0], b"{}")
        with pytest.raises(ArenaError, match="UNIQUE"):
            store.issue(event, KEYS[0])
        with pytest.raises(ArenaError, match="FOREIGN KEY"):
            store.roll_back(event, KEYS[0])
        with pytest.raises(ArenaError, match="FOREIGN KEY"):
            store.issue(event, GameKey(0, 2))
        assert list(store.results(event)) == [(KEYS[0], b"{}")]


@pytest.mark.parametrize(
    ("variant", "moves", "opening", "each"),
    [
        (STANDARD, "445", "", ["4", "4", "5"]),
        (LINE8, "d4 d5 a8", "", ["d4", "d5", "a8"]),
        (STANDARD, "7272445", "7272", ["4", "4", "5"]),
        (LINE8, "a1 h8 d4 d5 a8", "a1  h08", ["d4", "d5", "a8"]),  # as somebody's file writes it
    ],
)
def test_views_take_records_apart(tmp_path, variant, moves, opening, each):
    """Moves of the bots with their times, faults and notes, and what was on standard error."""
    fault = FaultRecord("b", "late", "forfeit", 3, 9.5, 1.5, "too late", "x")
    note = FaultRecord("a", "ignored the end of the game", "note", 3, 0.0, 0.0, "went on")
    keep_one(tmp_path, record(1, variant, moves=moves, opening=opening, ms=[1.5, 2.5, 3.5],
                              cpu_ms=[1.0, 2.0, 3.0], fault=fault, notes=[note],
                              stderr={"a": "hello\n"}))  # fmt: skip
    with closing(sqlite3.connect(tmp_path / "arena.sqlite")) as base:
        rows = base.execute("SELECT ply, move, ms, cpu_ms FROM moves").fetchall()
        faults = base.execute("SELECT bot, fault, policy, ply, line FROM faults").fetchall()
        said = base.execute("SELECT bot, text FROM stderr").fetchall()
    first = len(opening.split() if variant is LINE8 else opening)
    plies = range(first, first + 3)
    assert rows == list(zip(plies, each, [1.5, 2.5, 3.5], [1.0, 2.0, 3.0], strict=True))
    assert faults == [("b", "late", "forfeit", 3, "x"),
                      ("a", "ignored the end of the game", "note", 3, None)]  # fmt: skip
    assert said == [("a", "hello\n")]


def keep_one(folder: Path, game: GameEnded) -> None:
    """Makes a store that holds one game."""
    with Store(folder / "arena.sqlite") as store:
        event = store.enter("key", "{}", BOTS)
        store.issue(event, KEYS[0])
        store.commit(event, KEYS[0], orjson.dumps(game))


@pytest.mark.parametrize(("version", "lacks"), [(1, "DROP TABLE rosters;"), (2, "")])
def test_older_file_is_brought_up(tmp_path, version, lacks):
    """Its games stay, and whatever later versions have added or mended is there."""
    base = tmp_path / "arena.sqlite"
    game = record(moves="72724", opening="7272", ms=[1.5], cpu_ms=[1.0])
    keep_one(tmp_path, game)
    with closing(sqlite3.connect(base)) as older:
        older.executescript(
            f"{lacks} DROP VIEW moves; PRAGMA user_version = {version};"
            "CREATE VIEW moves AS SELECT game, 0 AS ply, '7' AS move FROM results;"
        )
    with Store(base) as store:
        event = store.enter("key", "{}", BOTS)
        assert list(store.results(event)) == [(KEYS[0], orjson.dumps(game))]
        assert store.rosters(event) == ((0, (0, 1)),)
    with closing(sqlite3.connect(base)) as reader:
        assert reader.execute("SELECT game, ply, move FROM moves").fetchall() == [(1, 4, "4")]
        assert reader.execute("PRAGMA user_version").fetchone() == (3,)


def test_longer_match_is_the_same_event(tmp_path):
    """Games are found again whatever length of schedule asks for them."""
    for pairing in match(3):
        keep(tmp_path, pairing)
    assert numbers(tmp_path, 100) == [1, 2, 3]
    assert numbers(tmp_path, 2) == [1, 2]


@pytest.mark.parametrize(
    "settings",
    [
        {"variant": Variant.parse("8x7")},
        {"controls": (TimeControl(5), TimeControl())},
        {"specs": SPECS[::-1]},
        {"specs": (SPECS[0].model_copy(update={"name": "c"}), SPECS[1])},
        {"specs": (SPECS[0].model_copy(update={"command": ("true", "x")}), SPECS[1])},
        {"specs": (SPECS[0].model_copy(update={"env": {"LEVEL": "2"}}), SPECS[1])},
    ],
)
def test_other_settings_are_another_event(tmp_path, settings):
    """Another variant, time control, order or bot: its games are its own, in the same folder."""
    keep(tmp_path, next(match(1)))
    assert numbers(tmp_path, **settings) == []
    keep(tmp_path, next(match(1)), **settings)
    assert numbers(tmp_path) == numbers(tmp_path, **settings) == [1]
    assert (tmp_path / "games.jsonl").read_bytes() == 2 * (line() + b"\n")


def test_edited_bot_is_another_bot(tmp_path):
    """The fingerprint covers the files that a command names, from the folder it runs in."""
    (tmp_path / "bot.py").write_text("one")
    bot = BotSpec(name="a", command=("python3", "bot.py", "no file", "x" * 5000), cwd=str(tmp_path))
    before = fingerprint(bot)
    assert fingerprint(bot) == before
    (tmp_path / "bot.py").write_text("two")
    assert fingerprint(bot) != before


def test_game_of_a_dead_referee_is_issued_again(tmp_path):
    """A game that was issued and has no result is forgotten when the folder is opened again."""
    for _ in range(2):
        with archive(tmp_path) as kept:
            kept.issue(KEYS[0])
    assert numbers(tmp_path) == []


def test_line_is_written_whole():
    """A stream that takes three bytes at a time, as a nearly full disk may, gets all of them."""

    class Narrow(io.BytesIO):
        def write(self, data):
            return super().write(data[:3])

    stream = Narrow()
    write_whole(stream, b"a whole line\n")
    assert stream.getvalue() == b"a whole line\n"


@pytest.mark.parametrize("kept", [0, 1, 2])
@pytest.mark.parametrize("torn", [0, 1, 40, len(line())])
def test_games_file_is_mended(tmp_path, kept, torn):
    """Killed between database and file, or in the midst of a line: what is missing is added."""
    games = tmp_path / "games.jsonl"
    for pairing in match(3):
        keep(tmp_path, pairing)
    whole = games.read_bytes()
    lines = whole.splitlines(keepends=True)
    games.write_bytes(b"".join(lines[:kept]) + lines[kept][:torn])
    assert numbers(tmp_path) == [1, 2, 3]
    assert games.read_bytes() == whole


def test_strange_games_file_is_left_alone(tmp_path):
    """Games that are not of the database were somebody's: nothing is overwritten."""
    keep(tmp_path, next(match(1)))
    (tmp_path / "games.jsonl").write_bytes(b"{}\n")
    with pytest.raises(UsageError, match="move it away"):
        archive(tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == b"{}\n"
    (tmp_path / "games.jsonl").unlink()
    assert numbers(tmp_path) == [1]


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize(
    "name", ["out/games.jsonl", "out/arena.sqlite", "out/../out/games.jsonl", "link/games.jsonl"]
)
def test_events_do_not_ruin_the_folder(tmp_path, name, there):
    """A file of the folder takes no events, by whatever way it is named; another one there does."""
    out = tmp_path / "out"
    (tmp_path / "link").symlink_to(out)
    if there:
        keep(out, next(match(1)))
    with ExitStack() as stack:
        with pytest.raises(UsageError, match="games are kept there"):
            logs(str(tmp_path / name), out, stack)
        assert logs(str(out / "events.jsonl"), out, stack)
    assert numbers(out) == [1] * there


def test_folder_belongs_to_one_referee(tmp_path):
    """A second one is told so; when the first has gone, by whatever way, it may play."""
    program = (
        "import sys, time; from pathlib import Path; from referee.eventlog import GamesFile;"
        "kept = GamesFile(Path(sys.argv[1])); print(flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "games.jsonl")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout.readline()
            with pytest.raises(UsageError, match="is in use: another referee plays there"):
                archive(tmp_path)
        finally:
            other.kill()
    with GamesFile(tmp_path / "games.jsonl"):
        pass
    assert numbers(tmp_path) == []


def refused(folder: Path, reason: str) -> None:
    """Opening a folder raises one line with that reason."""
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
        (lambda whole: whole[:5000] + bytes(len(whole) - 5000), "damaged"),
        (lambda whole: whole[:-100] + bytes(100), "damaged"),
        (lambda whole: b"", "holds games that arena.sqlite does not"),
    ],
)
def test_damaged_database_is_told_and_left_alone(tmp_path, damage, reason):
    """Whatever the damage, one line; with the good file back, its games are there again."""
    for pairing in match(50):
        keep(tmp_path, pairing)
    base = tmp_path / "arena.sqlite"
    whole = base.read_bytes()
    base.write_bytes(damage(whole))
    refused(tmp_path, reason)
    base.write_bytes(whole)
    assert numbers(tmp_path) == list(range(1, 51))


def test_no_damaged_page_goes_unnoticed(tmp_path):
    """Also a page that is read first when a game is committed hours later, as an index is."""
    for pairing in match(50):
        keep(tmp_path, pairing)
    base = tmp_path / "arena.sqlite"
    whole = base.read_bytes()
    for start in range(0, len(whole), PAGE):
        base.write_bytes(whole[:start] + bytes(PAGE) + whole[start + PAGE :])
        refused(tmp_path, "damaged")


@pytest.mark.parametrize("statement", ["PRAGMA user_version = 7", "CREATE TABLE notes (text)"])
def test_other_versions_and_other_databases_are_refused(tmp_path, statement):
    """A schema that is not ours is not touched."""
    with closing(sqlite3.connect(tmp_path / "arena.sqlite")) as base:
        base.execute(statement)
    before = (tmp_path / "arena.sqlite").read_bytes()
    refused(tmp_path, "it is of another version")
    assert (tmp_path / "arena.sqlite").read_bytes() == before


def test_locked_database_is_told(tmp_path, monkeypatch):
    """Another program that holds the file is waited for, then told of."""
    monkeypatch.setattr("referee.store.BUSY_SECONDS", 0.1)
    keep(tmp_path, next(match(1)))
    with closing(sqlite3.connect(tmp_path / "arena.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused(tmp_path, "another program has locked it")
    assert numbers(tmp_path) == [1]


def test_copy_can_be_read_meanwhile(tmp_path):
    """Whoever only reads disturbs nobody, and sees each game that was committed."""
    with archive(tmp_path) as kept:
        kept.issue(KEYS[0])
        with closing(sqlite3.connect(tmp_path / "arena.sqlite", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM results").fetchone() == (0,)
            kept.commit(KEYS[0], line())
            reader.execute("COMMIT")
            assert reader.execute("SELECT count(*) FROM results").fetchone() == (1,)


@pytest.mark.parametrize("folder", ["/proc", "/proc/arena", "/dev/null/arena"])
def test_folder_that_cannot_be_written_is_told(folder):
    """Folders where nobody may make files, not even root."""
    refused(Path(folder), "cannot write")


def fill(folder: Path) -> list[int]:
    """Keeps games until the disk is full; the numbers of those that were committed."""
    done = []
    with archive(folder) as kept:
        try:
            for pairing in match(10_000):
                kept.issue(pairing.key)
                kept.commit(pairing.key, line(pairing.number))
                done.append(pairing.number)
        except ArenaError as error:
            assert re.search("disk is full|No space left", str(error))  # noqa: PT017 - after a loop
    return done


def test_full_disk_loses_nothing(small_disk):
    """Games that were committed are there again when there is room."""
    done = fill(small_disk)
    assert 0 < len(done) < 10_000
    subprocess.run(["mount", "-o", "remount,size=9m", str(small_disk)], check=True)
    known = numbers(small_disk, 10_000)
    assert known[: len(done)] == done
    assert len(known) <= len(done) + 1  # a commit whose line found no room
    keep(small_disk, list(match(10_000))[len(known)])
    lines = (small_disk / "games.jsonl").read_bytes().splitlines()
    assert [orjson.loads(text)["game"] for text in lines] == list(range(1, len(known) + 2))


def test_read_only_disk_is_told(small_disk):
    """A disk that was mounted for reading only is told of; its games are there."""
    keep(small_disk, next(match(1)))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    refused(small_disk, "Read-only file system")
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    assert numbers(small_disk) == [1]
