"""The store keeps committed games only, and its views show the parts of their records."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.records.events import FaultRecord, GameEnded
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_referee.records.rounds import GameKey
from c4_referee.records.storage.database import SIDE_FILE_SUFFIXES
from c4_referee.records.storage.store import Entrant, Store
from hypothesis import given
from hypothesis import strategies as st
from kept import KEYS, record

BOTS = [Entrant("a", "[]", "1"), Entrant("b", "[]", "2")]


@given(st.data())
def test_store_holds_what_was_committed(data):
    """The store holds exactly the committed games, after any steps and restarts."""
    issued: set[GameKey] = set()
    committed: dict[GameKey, bytes] = {}
    with TemporaryDirectory() as folder:
        for _ in range(data.draw(st.integers(1, 4), "lives")):
            issued.clear()
            with Store(Path(folder, "arena.sqlite")) as store:
                contest = store.enter("key", "{}", BOTS)
                store.roll_back_all()
                for key in data.draw(st.lists(st.sampled_from(KEYS), max_size=9), "games"):
                    if key in committed:
                        continue
                    if key not in issued:
                        store.issue(contest, key)
                        issued.add(key)
                        continue
                    issued.discard(key)
                    if data.draw(st.booleans(), "fails"):
                        store.roll_back(contest, key)
                    else:
                        committed[key] = f"{len(committed)}".encode()
                        store.commit(contest, key, committed[key])
                rows = list(enumerate(committed.items(), 1))
                assert list(store.records()) == [(row, record) for row, (_, record) in rows]
                results = [(key, row, record) for row, (key, record) in rows]
                assert list(store.results(contest)) == results


def test_only_issued_games_are_committed(tmp_path):
    """A result without its game, a second result, and a game issued twice are refused."""
    with Store(tmp_path / "arena.sqlite") as store:
        contest = store.enter("key", "{}", BOTS)
        with pytest.raises(KeyError):
            store.commit(contest, KEYS[0], b"{}")
        store.issue(contest, KEYS[0])
        store.commit(contest, KEYS[0], b"{}")
        with pytest.raises(ArenaError, match="UNIQUE"):
            store.commit(contest, KEYS[0], b"{}")
        with pytest.raises(ArenaError, match="UNIQUE"):
            store.issue(contest, KEYS[0])
        with pytest.raises(ArenaError, match="FOREIGN KEY"):
            store.roll_back(contest, KEYS[0])
        with pytest.raises(ArenaError, match="FOREIGN KEY"):
            store.issue(contest, GameKey(0, 2))
        assert list(store.results(contest)) == [(KEYS[0], 1, b"{}")]


def test_link_after_the_check_is_noticed(tmp_path, monkeypatch):
    """A database that is exchanged for a link after the first check is refused unchanged."""
    monkeypatch.setattr("c4_referee.records.storage.database.check_readable", lambda _: None)
    keep_one(tmp_path, record())
    before = (tmp_path / "arena.sqlite").read_bytes()
    (tmp_path / "arena.sqlite").rename(tmp_path / "precious.sqlite")
    (tmp_path / "arena.sqlite").symlink_to("precious.sqlite")
    with pytest.raises(UsageError, match="it is a link: move it away"):
        keep_one(tmp_path, record(2))
    assert (tmp_path / "precious.sqlite").read_bytes() == before


@pytest.mark.parametrize("ending", SIDE_FILE_SUFFIXES)
def test_sqlite_does_not_follow_links_of_side_files(tmp_path, monkeypatch, ending):
    """A side file that is exchanged for a link after the first check is not written."""
    monkeypatch.setattr("c4_referee.records.storage.database.check_readable", lambda _: None)
    keep_one(tmp_path, record())
    (tmp_path / "precious").write_bytes(b"grades")
    (tmp_path / f"arena.sqlite{ending}").symlink_to("precious")
    with pytest.raises(ArenaError):
        keep_one(tmp_path, record(2))
    assert (tmp_path / "precious").read_bytes() == b"grades"


def test_folder_behind_a_link_is_used(tmp_path, monkeypatch):
    """The folder of a database may be a link, and its path may be relative."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    monkeypatch.chdir(tmp_path)
    keep_one(Path("link"), record())
    assert (tmp_path / "folder" / "arena.sqlite").exists()


@pytest.mark.parametrize(
    ("variant", "moves", "opening", "each"),
    [
        (STANDARD, "445", "", ["4", "4", "5"]),
        (LINE8, "d4 d5 a8", "", ["d4", "d5", "a8"]),
        (STANDARD, "7272445", "7272", ["4", "4", "5"]),
        (LINE8, "a1 h8 d4 d5 a8", "a1  h08", ["d4", "d5", "a8"]),  # spelled as in a user's file
    ],
)
def test_views_take_records_apart(tmp_path, variant, moves, opening, each):
    """Views show the moves with their times, the faults and notes, and standard error."""
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
    """Create a store with one game."""
    with Store(folder / "arena.sqlite") as store:
        contest = store.enter("key", "{}", BOTS)
        store.issue(contest, KEYS[0])
        store.commit(contest, KEYS[0], orjson.dumps(game))
