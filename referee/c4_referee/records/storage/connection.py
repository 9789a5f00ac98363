"""Connections to databases that somebody else may have made.

A file of SQLite holds more than rows. A view, a trigger or the default of a column is code that
SQLite executes when a table is read or written, and this code may never end. A journal beside the
file can name another file, which SQLite then deletes. Therefore a file is used only if

- no journal beside it names another file,
- its schema is one that this program writes (``storage.schema``),
- a statement needs at most ``MAX_STEPS`` steps of SQLite, and a value at most ``MAX_VALUE_BYTES``.

The functions of the schema may not have side effects (``trusted_schema``), in case that the schema
is changed after it was compared.
"""

import os
import sqlite3
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.system.safe_files import open_regular

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


class GuardedConnection(sqlite3.Connection):
    """Connection whose statements end, and can be interrupted by signals.

    A statement that ended with ``SQLITE_INTERRUPT`` had too many steps if ``has_used_all_steps`` is
    true. Otherwise a signal has raised ``KeyboardInterrupt`` while it was executed, which SQLite
    hides.
    """

    def __init__(self, *arguments: object, **settings: object) -> None:
        super().__init__(*arguments, **settings)  # type: ignore[arg-type]
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


def check_journal(path: Path) -> None:
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
