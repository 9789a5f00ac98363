"""A damaged or forged database is read, or raises the documented error, in one line."""

import json
import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from c4_protocol.program.errors import ArenaError
from c4_referee.records.storage.contests import read_contests
from c4_referee.report.site.pages import site_pages
from effort import examples
from hypothesis import given
from hypothesis import strategies as st

STORED = Path(__file__).parents[1] / "golden" / "stored" / "tournament" / "arena.sqlite"
COLUMNS = (
    *(("events", column) for column in ("id", "key", "settings", "began")),
    *(("bots", column) for column in ("id", "name", "command", "fingerprint")),
    *(("entrants", column) for column in ("event", "place", "bot")),
    *(("games", column) for column in ("event", "first", "second", "opening", "repetition")),
    *(("results", column) for column in ("id", "game", "record")),
    *(("rosters", column) for column in ("event", "since", "seed", "place")),
)
FIELDS = ("game", "first", "moves", "ms", "winner", "ending", "fault", "stderr", "variant")
VALUES = st.one_of(
    st.integers(-(2**63), 2**63 - 1), st.floats(), st.text(max_size=9), st.binary(max_size=9)
)


VALUES_IN_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)


def read(folder: Path) -> None:
    """Read a folder and write its pages; check that an error has one line."""
    reason = ""
    try:
        assert [*site_pages(read_contests(folder))]
    except ArenaError as error:
        reason = str(error)
    assert "\n" not in reason


@given(st.lists(st.tuples(st.sampled_from(COLUMNS), VALUES, st.booleans()), max_size=3))
@examples(100)
def test_any_values_in_the_tables_are_survived(changes) -> None:
    """Any values in the columns of the tables are read, left out, or named as damage."""
    with TemporaryDirectory() as folder:
        path = Path(shutil.copy(STORED, folder))
        with closing(sqlite3.connect(path, isolation_level=None)) as base:
            for (table, column), value, is_everywhere in changes:
                where = "" if is_everywhere else " WHERE rowid = 1"
                with suppress(sqlite3.Error, UnicodeEncodeError):
                    base.execute(f"UPDATE {table} SET {column} = ?{where}", (value,))
        read(Path(folder))


@given(st.randoms(use_true_random=False), st.integers(1, 30))
@examples(100)
def test_any_damaged_bytes_are_survived(chance: random.Random, number: int) -> None:
    """Any changed bytes of the file are noticed, or change nothing that a reader needs."""
    content = bytearray(STORED.read_bytes())
    for _ in range(number):
        content[chance.randrange(len(content))] = chance.randrange(256)
    with TemporaryDirectory() as folder:
        Path(folder, "arena.sqlite").write_bytes(content)
        read(Path(folder))


@given(st.sampled_from(FIELDS), VALUES_IN_JSON)
@examples(100)
def test_any_values_in_a_record_are_survived(field: str, value: object) -> None:
    """Any JSON in a field of a record is read, or the result is left out."""
    with TemporaryDirectory() as folder:
        path = Path(shutil.copy(STORED, folder))
        text = "UPDATE results SET record = json_set(record, ?, json(?)) WHERE id = 1"
        with (
            closing(sqlite3.connect(path, isolation_level=None)) as base,
            suppress(sqlite3.Error, UnicodeEncodeError),
        ):
            base.execute(text, (f"$.{field}", json.dumps(value)))
        read(Path(folder))
