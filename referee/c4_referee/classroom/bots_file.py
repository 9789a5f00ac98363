"""``bots.toml``: how each submission starts, as it was found, with the edits of the instructor.

The tables ``[bots.ALIAS]`` are those of every file of bots, so that ``c4-referee match ALIAS ALIAS
--bots bots.toml`` works. A key that the instructor has changed, added or removed stays so. The
table ``[main]`` names the main program of submissions that have several.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import tomlkit
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import visible
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Table

from c4_referee.system.safe_files import MAX_WRITTEN_BYTES, read_file, replace_file

BOTS_FILE = "bots.toml"
HEADING = """\
# How each submission starts, as it was found. c4-referee class writes this file at each run, and
# keeps what you change in it. If a submission has several programs, name the main one in [main],
# for example: amber-otter = "player.py"

[main]
"""


class BotsFile:
    """The file, read and changed in memory. Raises ``UsageError`` if it is not a TOML file."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / BOTS_FILE
        try:
            text = HEADING
            with suppress(FileNotFoundError):
                text = read_file(self._path, MAX_WRITTEN_BYTES).decode().replace("\r\n", "\n")
            self._document = tomlkit.parse(text)
        except (OSError, ValueError, TOMLKitError) as error:
            raise UsageError(f"cannot read {self._path}: {error}") from None

    def main_of(self, alias: str) -> str:
        """Return the main program that the instructor has chosen, or ""."""
        chosen = self._table("main").get(alias, "")
        if not isinstance(chosen, str):
            raise UsageError(f"{self._path}: main.{alias} is not a path in quotes")
        return str(chosen)

    def edited(self, alias: str, written: Mapping[str, Any]) -> dict[str, Any]:
        """Return the keys of a bot's table that differ from the table that was ``written``."""
        return {
            key: value
            for key, value in self.table_of(alias).items()
            if written.get(key, tomlkit) != value
        }

    def table_of(self, alias: str) -> dict[str, Any]:
        """Return the table of a bot, which is empty if there is none."""
        table = self._table("bots").get(alias, {})
        if not isinstance(table, Mapping):
            raise UsageError(f"{self._path}: bots.{alias} is not a table")
        return dict(cast(Any, table).unwrap()) if table else {}

    def put(
        self, alias: str, comment: str, found: Mapping[str, Any], written: Mapping[str, Any]
    ) -> None:
        """Write what was found for a bot, and keep edits of the table that was ``written``.

        A run that was killed may have written what was found already.
        """
        bots = self._table("bots")
        if alias not in bots:
            table = tomlkit.table()
            table.comment(visible(comment))
            bots[alias], written = table, {}
        table = cast(Table, bots[alias])
        for key in {*written, *found}:
            is_edited = table.get(key) not in (written.get(key), found.get(key))
            if key in found and not is_edited:
                table[key] = found[key]
            elif key in table and not is_edited:
                del table[key]

    def remove(self, alias: str) -> None:
        """Remove all that is written for a bot."""
        for name in ("bots", "main"):
            if alias in self._table(name):
                del self._table(name)[alias]

    def save(self) -> None:
        """Write the file. Raises ``UsageError`` if this is not possible."""
        try:
            replace_file(self._path, tomlkit.dumps(self._document).encode())
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from None

    def _table(self, name: str) -> Table:
        if name not in self._document:
            self._document[name] = tomlkit.table(is_super_table=name == "bots")
        table = self._document[name]
        if not isinstance(table, Mapping):
            raise UsageError(f"{self._path}: {name} is not a table")
        return cast(Table, table)
