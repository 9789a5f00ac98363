"""An open database: its file, its version, and its errors as texts for people.

The journal is a write-ahead log with ``synchronous=NORMAL``. The kernel has the data of a commit
before the commit returns, so nothing is lost if the referee is killed. After a power failure the
last games may be missing, but the file is intact. These games are then played again.

Somebody else may have made the file, which holds more than rows. A view, a trigger or the default
of a column is code that SQLite executes when a table is read or written, and this code may never
end. A journal beside the file can name another file, which SQLite then deletes. Therefore a file is
used only if

- no journal beside it names another file,
- its schema is one that this program writes (``storage.database_schema``),
- a statement needs at most ``MAX_STEPS`` steps of SQLite, and a value at most ``MAX_VALUE_BYTES``.

The functions of the schema may not have side effects (``trusted_schema``), in case that the schema
is changed after it was compared.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import realpath
from pathlib import Path
from typing import Self

from c4_protocol.program.errors import ArenaError, UsageError

from c4_referee.records.storage.database_schema import (
    CHOSEN,
    SCHEMA,
    VERSION,
    SchemaItem,
    difference_from_schema,
)
from c4_referee.system.safe_files import check_readable, open_regular

DATABASE_FILE = "arena.sqlite"
"""Name of the database in a folder of ``--out``."""
MAX_BUSY_SECONDS = 2.0
"""Maximum time in seconds to wait while another program has locked the file, for example to copy
it. After this time, ``ArenaError`` is raised, except where a game is changed."""
REASONS_BY_ERROR = {
    sqlite3.SQLITE_NOTADB: "it is damaged, or no database: move it away, or put back a copy",
    sqlite3.SQLITE_CORRUPT: "it is damaged: move it away, or put back a copy",
    sqlite3.SQLITE_BUSY: "another program has locked it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it cannot be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_TOOBIG: "a value in it is too large: put back a copy",
    sqlite3.SQLITE_INTERRUPT: "it keeps SQLite busy for too long: put back a copy",
}
"""Explanations of SQLite's primary error codes for users."""
JOURNAL_SUFFIX = "-journal"
MAX_SCHEMA_ITEMS = 1000
"""Maximum number of tables, indexes, views and triggers that are read, more than a file has."""
SIDE_FILE_SUFFIXES = (JOURNAL_SUFFIX, "-wal", "-shm")
"""Endings that SQLite adds to the name of a database for its other files."""
MAX_STEPS = 2 * 10**8
"""Maximum number of steps of SQLite's virtual machine for one statement, which is then stopped.
Reading all games of a contest takes 23 steps for each game, so 8 million games can be read."""
STEPS_BETWEEN_CHECKS = 10**5
"""Number of steps between two checks of a statement, about a millisecond."""
MAX_VALUE_BYTES = 1 << 28
"""Maximum size of a value in bytes. A statement that reads or writes a larger value fails. The
largest values are reports of tournaments: 100 MB for 1,000 bots that have all met."""
SUPER_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
"""Last bytes of a journal that names another file."""


class _GuardedConnection(sqlite3.Connection):
    """Connection whose statements end, and can be interrupted by signals.

    A statement that ended with ``SQLITE_INTERRUPT`` had too many steps if ``has_used_all_steps`` is
    true. Otherwise a signal has raised ``KeyboardInterrupt`` while it was executed, which SQLite
    hides.
    """

    def __init__(self, address: Path | str, *, uri: bool = False) -> None:
        super().__init__(address, timeout=MAX_BUSY_SECONDS, isolation_level=None, uri=uri)
        self._checks = 0
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        self.set_progress_handler(self._must_stop, STEPS_BETWEEN_CHECKS)
        self.execute("PRAGMA trusted_schema = OFF")

    @property
    def has_used_all_steps(self) -> bool:
        """True if the last statement has used all steps that it may use."""
        return self._checks * STEPS_BETWEEN_CHECKS >= MAX_STEPS

    def execute(self, *arguments: object) -> sqlite3.Cursor:
        """Execute a statement, which may use ``MAX_STEPS`` steps until its last row is read."""
        self._checks = 0
        return super().execute(*arguments)  # type: ignore[arg-type]

    def _must_stop(self) -> bool:
        """Return whether the statement must end. Python runs handlers of signals here."""
        self._checks += 1
        return self.has_used_all_steps


class Database:
    """Context manager for an open database, which is created if its file does not exist.

    A database that is ``read_only`` is not created or changed, and another program may write to it
    at the same time. ``is_empty`` is true if it has no tables, because its file is new.

    Every error of SQLite is raised as ``ArenaError``. ``UsageError`` is raised for a file of
    another program or of an unknown version, and for a file that this program has not made as it is
    (see the module). A signal can interrupt every statement.

    ``UsageError`` is also raised if the database or a side file is not a regular file with one name
    (``system.safe_files``), or is larger than ``MAX_STORED_BYTES``. SQLite itself opens the files,
    by their names, a moment after this check. In this moment, another program that may write to the
    folder could still exchange a file. A link does not get further: SQLite refuses it as a side
    file, and a database behind a link is refused before it is read. A hard link would be used.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        for file in database_files(path):
            check_readable(file)
        _check_journal(path.with_name(path.name + JOURNAL_SUFFIX))
        with self.readable_errors():
            place = Path(realpath(path.parent), path.name)
            self._base = _open_connection(place, read_only)
            try:
                self.is_empty = not self._checked_version(place)
                if not read_only:
                    self._prepare_writing()
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Return a context manager for the connection, whose changes are made together or not."""
        with self.readable_errors(), self._base:
            self._base.execute("BEGIN IMMEDIATE")
            yield self._base

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Return a context manager for the connection, which sees no changes of other programs."""
        with self.readable_errors(), self._base:
            self._base.execute("BEGIN")
            yield self._base

    @contextmanager
    def readable_errors(self) -> Iterator[None]:
        """Replace an error of SQLite by an ``ArenaError`` of one line."""
        try:
            yield
        except sqlite3.Error as error:
            raise self.readable_error(error) from None
        except UnicodeDecodeError:  # the message of an error quotes bytes of a damaged file
            raise self.damage_error() from None

    def damage_error(self) -> UsageError:
        """Return the error for a file whose contents are not those that this program writes."""
        return UsageError(f"cannot use {self._path}: {REASONS_BY_ERROR[sqlite3.SQLITE_CORRUPT]}")

    def readable_error(self, error: sqlite3.Error) -> ArenaError:
        """Return an error of one line with the reason of an error of SQLite.

        Raises ``KeyboardInterrupt`` if a signal has interrupted a statement.
        """
        if error_code(error) == sqlite3.SQLITE_INTERRUPT and not self._base.has_used_all_steps:
            raise KeyboardInterrupt from None
        reason = REASONS_BY_ERROR.get(error_code(error), " ".join(str(error).split()))
        return ArenaError(f"cannot use {self._path}: {reason}")

    def _checked_version(self, place: Path) -> int:
        """Return the version if the file is an intact database of this program, or is new.

        SQLite must not have followed a link when it opened the database ``place``. The schema is
        compared first. Nothing else is read from a file with another schema.
        """
        (_, _, opened) = self._base.execute("PRAGMA database_list").fetchone()
        if opened != str(place):
            raise UsageError(f"cannot use {self._path}: it is a link: move it away")
        with self.snapshot():
            (version,) = self._base.execute("PRAGMA user_version").fetchone()
            query = "SELECT type, name, tbl_name, sql FROM sqlite_master LIMIT ?"
            items: list[SchemaItem] = self._base.execute(query, (MAX_SCHEMA_ITEMS,)).fetchall()
            if version != VERSION and (version or items):
                raise UsageError(
                    f"cannot use {self._path}: it is of another version ({version}, not {VERSION}):"
                    " take another folder, or use the c4-arena that has written this one"
                )
            if version and (other := difference_from_schema(items)):
                raise UsageError(
                    f"cannot use {self._path}: {other}: put back a copy, or take another folder"
                )
            (check,) = self._base.execute("PRAGMA quick_check(1)").fetchone()
        if check != "ok":
            raise self.damage_error()
        return int(version)

    def _prepare_writing(self) -> None:
        """Make the tables of a new file, and choose how SQLite writes."""
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        self._base.execute("PRAGMA foreign_keys = ON")
        if self.is_empty:
            self._base.executescript(f"BEGIN;{SCHEMA}PRAGMA user_version = {VERSION};COMMIT;")
            self.is_empty = False
        else:
            self._base.executescript(CHOSEN)  # files from before this table have the same version


def _check_journal(path: Path) -> None:
    """Raise ``UsageError`` if a journal names another file. SQLite would delete that file.

    SQLite writes such a journal only for a transaction in several databases.
    """
    try:
        with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as journal:
            journal.seek(max(0, os.fstat(journal.fileno()).st_size - len(SUPER_JOURNAL_MAGIC)))
            end = journal.read(len(SUPER_JOURNAL_MAGIC))
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot use {path}: {error.strerror}") from None
    if end == SUPER_JOURNAL_MAGIC:
        raise UsageError(f"cannot use {path}: it would make SQLite delete another file: remove it")


def _open_connection(place: Path, read_only: bool) -> _GuardedConnection:
    """Open the file of a database."""
    if not read_only:
        return _GuardedConnection(place)
    # SQLite's own read-only mode would leave side files behind.
    base = _open_read_only(place, "mode=rw")
    try:
        base.execute("PRAGMA user_version")
    except sqlite3.OperationalError:
        base.close()
        # SQLite cannot make the side files in a folder that it may not write to. They are not
        # needed if no program can be writing.
        journal = place.with_name(place.name + "-wal")
        if journal.exists() and journal.stat().st_size:
            raise
        return _open_read_only(place, "immutable=1")
    return base


def _open_read_only(place: Path, parameters: str) -> _GuardedConnection:
    base = _GuardedConnection(f"{place.as_uri()}?{parameters}", uri=True)
    base.execute("PRAGMA query_only = ON")
    return base


def database_files(path: Path) -> list[Path]:
    """Return the paths of a database and of the files that SQLite writes beside it."""
    return [path, *(path.with_name(path.name + ending) for ending in SIDE_FILE_SUFFIXES)]


def error_code(error: sqlite3.Error) -> int:
    """Return the primary code of an error, or 0 for an error of the module ``sqlite3`` itself."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
