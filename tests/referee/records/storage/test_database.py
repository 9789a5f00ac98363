"""A database that somebody else has made neither hangs nor misleads its reader."""

import os
import signal
import struct
import subprocess
import sys
from functools import partial

import pytest
from c4_protocol.program.errors import ArenaError
from c4_referee.records.storage import database
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.database import Database
from c4_referee.system.safe_files import MAX_STORED_BYTES
from kept import archive, change, keep, match

ENDLESS = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x FROM t)"
IN_PLACE = "ALTER TABLE {table} RENAME TO old; CREATE VIEW {table} AS " + ENDLESS
CHANGES = {
    "view in place of the contests": IN_PLACE.format(table="events") + "SELECT x id FROM t",
    "view in place of the games": IN_PLACE.format(table="results") + "SELECT x id FROM t",
    "another view": f"DROP VIEW faults; CREATE VIEW faults AS {ENDLESS} SELECT * FROM t",
    "trigger": f"CREATE TRIGGER late AFTER INSERT ON solved BEGIN INSERT INTO runs SELECT"
    f" x, x, x, x FROM ({ENDLESS} SELECT x FROM t); END",
    "generated column": "ALTER TABLE bots ADD COLUMN more AS (zeroblob(900000000))",
    "index": "CREATE INDEX more ON games (second)",
    "virtual table": "CREATE VIRTUAL TABLE more USING fts5(x)",
    "statistics": "ANALYZE",
    "missing table": "DROP TABLE solved",
    "column without its rule": "DROP TABLE runs; CREATE TABLE runs"
    " (event INTEGER PRIMARY KEY, ended, report, conditions)",
}


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a game."""
    keep(tmp_path, next(match(1)))
    return tmp_path


def refused(use, reason: str) -> None:
    """Check that a use of a folder raises an error of one line with a reason."""
    with pytest.raises(ArenaError, match=reason) as caught:
        use()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", CHANGES)
def test_other_schema_is_refused(folder, kind):
    """A schema that this program does not write is refused, by readers and by a next contest."""
    change(folder, CHANGES[kind])
    before = (folder / "arena.sqlite").read_bytes()
    for use in (read_contests, archive):
        refused(partial(use, folder), r"cannot use .*(is not one that c4-arena makes|it lacks)")
    assert (folder / "arena.sqlite").read_bytes() == before


def test_journal_that_names_a_file_is_refused(folder):
    """A journal cannot make SQLite delete a file of the user, as a journal of a crash can."""
    precious = folder / "precious"
    precious.write_bytes(b"grades")
    name, pages = os.fsencode(precious), (folder / "arena.sqlite").stat().st_size // 4096
    magic = database.SUPER_JOURNAL_MAGIC
    header = magic + struct.pack(">5I", 0, 0, pages, 512, 4096)
    end = name + struct.pack(">2I", len(name), sum(name)) + magic
    journal = header.ljust(512, b"\0") + struct.pack(">I", (1 << 30) // 4096 + 1) + end
    (folder / "arena.sqlite-journal").write_bytes(journal)
    for use in (read_contests, archive):
        refused(partial(use, folder), "it would make SQLite delete another file")
    assert precious.exists()


def test_huge_file_and_value_are_refused(folder, monkeypatch):
    """A file that is larger than any honest one is refused, and so is a large value."""
    monkeypatch.setattr(database, "MAX_VALUE_BYTES", 5000)
    change(folder, "UPDATE events SET settings = zeroblob(9999)")
    refused(partial(read_contests, folder), "a value in it is too large")
    os.truncate(folder / "arena.sqlite", MAX_STORED_BYTES + 1)
    refused(partial(read_contests, folder), "it is larger than 64 GiB")


def test_endless_statement_ends(folder, monkeypatch):
    """A statement that needs too many steps raises an error of one line. The next one works."""
    monkeypatch.setattr(database, "MAX_STEPS", 10**6)
    with Database(folder / "arena.sqlite", read_only=True) as base:
        with pytest.raises(ArenaError, match="keeps SQLite busy"), base.snapshot() as opened:
            opened.execute(f"{ENDLESS} SELECT count(*) FROM t").fetchall()
        with base.snapshot() as opened:
            assert opened.execute("SELECT count(*) FROM results").fetchone() == (1,)


PROGRAM = f"""
import sys
from pathlib import Path
from c4_protocol.program.commands import raise_on_signals
from c4_referee.records.storage import database
from c4_referee.records.storage.database import Database
database.MAX_STEPS = 10**15
raise_on_signals()
try:
    with Database(Path(sys.argv[1]), read_only=True) as base, base.snapshot() as opened:
        print("reads", flush=True)
        opened.execute("{ENDLESS} SELECT count(*) FROM t").fetchall()
except KeyboardInterrupt:
    sys.exit(7)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_a_statement(folder, number):
    """Ctrl-C and SIGTERM interrupt a statement that SQLite still executes."""
    command = [sys.executable, "-c", PROGRAM, folder / "arena.sqlite"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
        assert reader.stdout.readline() == b"reads\n"
        reader.send_signal(number)
        assert reader.wait(timeout=300) == 7
