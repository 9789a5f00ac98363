"""All games that were played, in one SQLite file. This is the only module that contains SQL.

A *contest* is identified by a key, which is a hash of its identity. Therefore the same command
finds its own games again, and different settings begin a different contest in the same file. Tables
and columns call a contest an ``event``, because files of earlier versions have these names. The
*entrants* of a contest are all bots that have ever taken part. They are numbered from 0 in the
order in which they first took part. This number is the *place* of an entrant. A bot is identified
by its name and its fingerprint. A *roster* of a contest says which entrants take part, and how many
results the contest had when this began. A *game* is identified by its contest, the places of its
two players in order, the opening and the repetition, but not by its number in a schedule.

A game is *issued* by a row in ``games`` and *committed* by a row in ``results``. Each is a separate
transaction. A row in ``games`` without a result is rolled back. Results are never changed or
deleted. A record is stored as the JSON line that the worker wrote. The views ``moves``, ``faults``
and ``stderr`` show the parts of the records.

The journal is a write-ahead log with ``synchronous=NORMAL``. The kernel has the data of a commit
before the commit returns, so nothing is lost if the referee is killed. After a power failure the
last games may be missing, but the file is intact. These games are then played again.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from os.path import realpath
from pathlib import Path

from c4_protocol.errors import ArenaError, UsageError

from c4_referee.schedule import GameKey, Player
from c4_referee.storage.files import check_regular

BUSY_SECONDS = 2.0
"""Maximum time in seconds to wait while another program has locked the file, for example to copy
it. After this time, ``ArenaError`` is raised, except where a game is changed."""
BUSY_SECONDS_OF_GAMES = 30.0
"""Maximum time in seconds to wait for the lock to issue, commit or roll back a game. It is longer,
because a run that ends loses its unfinished games."""

GAMES_SCHEMA = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,       -- a hash of the settings
    settings TEXT NOT NULL,         -- JSON
    began TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE bots (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    command TEXT NOT NULL,          -- JSON, the words of the command line
    fingerprint TEXT NOT NULL,      -- SHA-256
    UNIQUE (name, fingerprint)
);
CREATE TABLE entrants (
    event INTEGER NOT NULL REFERENCES events,
    place INTEGER NOT NULL,         -- in the order of coming, from 0
    bot INTEGER NOT NULL REFERENCES bots,
    PRIMARY KEY (event, place)
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL,
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    opening TEXT NOT NULL,
    repetition INTEGER NOT NULL,
    UNIQUE (event, first, second, opening, repetition),
    FOREIGN KEY (event, first) REFERENCES entrants (event, place),
    FOREIGN KEY (event, second) REFERENCES entrants (event, place)
);
CREATE TABLE results (
    id INTEGER PRIMARY KEY,         -- grows in the order of the commits
    game INTEGER NOT NULL UNIQUE REFERENCES games,
    record TEXT NOT NULL            -- the JSON line of the game
);
CREATE VIEW faults AS
    SELECT game, json_extract(fault, '$.bot') AS bot, json_extract(fault, '$.fault') AS fault,
           json_extract(fault, '$.policy') AS policy, json_extract(fault, '$.ply') AS ply,
           json_extract(fault, '$.ms') AS ms, json_extract(fault, '$.detail') AS detail,
           json_extract(fault, '$.line') AS line
    FROM (SELECT game, json_extract(record, '$.fault') AS fault FROM results
          UNION ALL
          SELECT game, note.value FROM results, json_each(record, '$.notes') AS note)
    WHERE fault IS NOT NULL;
CREATE VIEW stderr AS
    SELECT game, said.key AS bot, said.value AS text
    FROM results, json_each(record, '$.stderr') AS said;
"""
ROSTERS_SCHEMA = """
CREATE TABLE rosters (
    event INTEGER NOT NULL,
    since INTEGER NOT NULL,         -- how many results the event had then
    seed INTEGER NOT NULL,          -- from 0, the best first
    place INTEGER NOT NULL,
    PRIMARY KEY (event, since, seed),
    FOREIGN KEY (event, place) REFERENCES entrants (event, place)
);
"""
MOVES_SCHEMA = """
DROP VIEW IF EXISTS moves;          -- that of older files is wrong where there is an opening
CREATE VIEW moves AS
    SELECT game, ply, ms, cpu_ms,
           CASE WHEN gravity THEN substr(moves, ply + 1, 1)
               ELSE json_extract(words, '$[' || ply || ']')
           END AS move
    FROM (
        SELECT game, moves, words, gravity, time.value AS ms,
               json_extract(record, '$.cpu_ms[' || time.key || ']') AS cpu_ms,
               time.key + CASE WHEN gravity THEN length(moves) ELSE json_array_length(words) END
                   - json_array_length(record, '$.ms') AS ply   -- those of the opening have no time
        FROM (
            SELECT game, record, json_extract(record, '$.variant.gravity') AS gravity,
                   json_extract(record, '$.moves') AS moves,
                   '["' || replace(json_extract(record, '$.moves'), ' ', '","') || '"]' AS words
            FROM results
        ), json_each(record, '$.ms') AS time
    );
"""
SCHEMAS = (GAMES_SCHEMA, ROSTERS_SCHEMA, MOVES_SCHEMA)
"""SQL that each version of the database added. In a file, ``user_version`` is the number of these
texts that were executed, or 0 if the file is new."""

KEY = "event = ? AND first = ? AND second = ? AND opening = ? AND repetition = ?"
REASONS = {
    sqlite3.SQLITE_NOTADB: "it is damaged, or no database: move it away, or put back a copy",
    sqlite3.SQLITE_CORRUPT: "it is damaged: move it away, or put back a copy",
    sqlite3.SQLITE_BUSY: "another program has locked it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it cannot be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
}
"""Explanations of SQLite's primary error codes for users."""
SIDE_FILES = ("-journal", "-wal", "-shm")
"""Endings that SQLite adds to the name of a database for its other files."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Bot as the store knows it.

    ``name`` and ``fingerprint`` together identify the bot. ``command`` has the words of its command
    line as JSON, for people who look into the file.
    """

    name: str
    command: str
    fingerprint: str


class Store:
    """Context manager for an open database, which is created if its file does not exist.

    A ``Player`` is the place of an entrant. Every error of SQLite is raised as ``ArenaError``.
    ``UsageError`` is raised for a file of another program or of an unknown version.

    ``UsageError`` is also raised if the database or a side file is not a regular file with one name
    (``storage.files``). SQLite itself opens the files, by their names, a moment after this check.
    In this moment, another program that may write to the folder could still exchange a file. A link
    does not get further: SQLite refuses it as a side file, and a database behind a link is refused
    before it is read. A hard link would be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        for file in database_files(path):
            check_regular(file)
        with self._readable_errors():
            place = Path(realpath(path.parent), path.name)
            self._base = sqlite3.connect(place, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._check_not_linked(place)
                self._prepare()
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def enter(self, key: str, settings: str, bots: Sequence[Entrant]) -> int:
        """Return the number of the contest with this key, and create the contest if it is new.

        From now on, ``bots`` take part, and this is stored. The best seed is first.
        """
        with self._readable_errors(), self._base:
            self._base.execute("BEGIN IMMEDIATE")
            self._base.execute(
                "INSERT OR IGNORE INTO events (key, settings) VALUES (?, ?)", (key, settings)
            )
            query = "SELECT id FROM events WHERE key = ?"
            contest = int(self._base.execute(query, (key,)).fetchone()[0])
            self._record_roster(contest, tuple(self._place(contest, bot) for bot in bots))
            return contest

    def entrants(self, contest: int) -> dict[Player, Entrant]:
        """Return all entrants of a contest, in the order of their places."""
        query = """SELECT place, name, command, fingerprint
                   FROM entrants JOIN bots ON bots.id = bot WHERE event = ? ORDER BY place"""
        with self._readable_errors():
            rows = self._base.execute(query, (contest,)).fetchall()
        return {Player(place): Entrant(*bot) for place, *bot in rows}

    def rosters(self, contest: int) -> tuple[tuple[int, tuple[Player, ...]], ...]:
        """Return the rosters of a contest, in the form of ``Roster.changes``."""
        query = "SELECT since, place FROM rosters WHERE event = ? ORDER BY since, seed"
        with self._readable_errors():
            rows = self._base.execute(query, (contest,)).fetchall()
        groups = groupby(rows, key=itemgetter(0))
        return tuple((since, tuple(Player(place) for _, place in group)) for since, group in groups)

    def count_results(self, contest: int) -> int:
        """Return the number of committed games of a contest."""
        query = "SELECT count(*) FROM results JOIN games ON games.id = game WHERE event = ?"
        with self._readable_errors():
            return int(self._base.execute(query, (contest,)).fetchone()[0])

    def issue(self, contest: int, game: GameKey) -> None:
        """Record that a game begins."""
        self._change_games("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?)", (contest, *game))

    def commit(self, contest: int, game: GameKey, record: bytes) -> None:
        """Add the result of a game as a JSON line. Raise ``KeyError`` if the game is not issued."""
        insert = f"INSERT INTO results SELECT NULL, id, ? FROM games WHERE {KEY}"
        if self._change_games(insert, (record.decode(), contest, *game)) != 1:
            raise KeyError(game)

    def roll_back(self, contest: int, game: GameKey) -> None:
        """Delete an issued game."""
        self._change_games(f"DELETE FROM games WHERE {KEY}", (contest, *game))

    def roll_back_all(self) -> None:
        """Delete all issued games without a result, because their referee has ended."""
        with self._readable_errors():
            self._base.execute("DELETE FROM games WHERE id NOT IN (SELECT game FROM results)")

    def results(self, contest: int) -> Iterator[tuple[GameKey, int, bytes]]:
        """Generate the committed games of a contest, in the order of their commits.

        Each has the row id and the record of its result.
        """
        query = """SELECT first, second, opening, repetition, results.id, CAST(record AS BLOB)
                   FROM results JOIN games ON games.id = game WHERE event = ? ORDER BY results.id"""
        with self._readable_errors():
            for first, second, *start, row, record in self._base.execute(query, (contest,)):
                yield GameKey(Player(first), Player(second), *start), row, record

    def records(self) -> Iterator[tuple[int, bytes]]:
        """Generate the records of all contests with their row ids, in the order of their commits.

        A record that was changed by hand may be anything.
        """
        query = "SELECT id, CAST(record AS BLOB) FROM results ORDER BY id"
        with self._readable_errors():
            for row, record in self._base.execute(query):  # noqa: UP028 - it would close the cursor
                yield row, record

    def _check_not_linked(self, place: Path) -> None:
        """Raise ``UsageError`` if SQLite followed a link when it opened the database ``place``."""
        (_, _, opened) = self._base.execute("PRAGMA database_list").fetchone()
        if opened != str(place):
            raise UsageError(f"cannot use {self._path}: it is a link: move it away")

    def _change_games(self, statement: str, values: Sequence[object]) -> int:
        """Execute a statement that changes games, and return the number of changed rows.

        While another program has locked the file, wait for ``BUSY_SECONDS_OF_GAMES``.
        """
        deadline = time.monotonic() + BUSY_SECONDS_OF_GAMES
        while True:
            try:
                return self._base.execute(statement, values).rowcount
            except sqlite3.Error as error:
                # SQLite has waited for BUSY_SECONDS. It is not asked to wait for longer, because
                # Ctrl-C has no effect until it returns.
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise self._readable(error) from None

    def _prepare(self) -> None:
        """Check that the file is an intact database of this program, then update its version."""
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not 0 <= version <= len(SCHEMAS) or (version == 0 and tables):
            raise UsageError(
                f"cannot use {self._path}: it is of another version ({version}, not "
                f"{len(SCHEMAS)}): take another folder"
            )
        (check,) = self._base.execute("PRAGMA quick_check(1)").fetchone()
        if check != "ok":
            raise UsageError(f"cannot use {self._path}: {REASONS[sqlite3.SQLITE_CORRUPT]}")
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        self._base.execute("PRAGMA foreign_keys = ON")
        if missing := "".join(SCHEMAS[version:]):
            self._base.executescript(f"BEGIN;{missing}PRAGMA user_version = {len(SCHEMAS)};COMMIT;")

    def _place(self, contest: int, bot: Entrant) -> Player:
        """Return the place of an entrant. A new entrant gets the next free place."""
        values = (bot.name, bot.command, bot.fingerprint)
        self._base.execute("INSERT OR IGNORE INTO bots VALUES (NULL, ?, ?, ?)", values)
        query = "SELECT id FROM bots WHERE name = ? AND fingerprint = ?"
        (number,) = self._base.execute(query, (bot.name, bot.fingerprint)).fetchone()
        query = "SELECT place FROM entrants WHERE event = ? AND bot = ?"
        if known := self._base.execute(query, (contest, number)).fetchone():
            return Player(known[0])
        query = "SELECT count(*) FROM entrants WHERE event = ?"
        (place,) = self._base.execute(query, (contest,)).fetchone()
        self._base.execute("INSERT INTO entrants VALUES (?, ?, ?)", (contest, place, number))
        return Player(place)

    def _record_roster(self, contest: int, places: tuple[Player, ...]) -> None:
        """Store which entrants take part from now on, if the last roster is different."""
        rosters = self.rosters(contest)
        if rosters and rosters[-1][1] == places:
            return
        since = self.count_results(contest) if rosters else 0
        self._base.execute("DELETE FROM rosters WHERE event = ? AND since = ?", (contest, since))
        self._base.executemany(
            "INSERT INTO rosters VALUES (?, ?, ?, ?)",
            [(contest, since, seed, place) for seed, place in enumerate(places)],
        )

    @contextmanager
    def _readable_errors(self) -> Iterator[None]:
        """Replace an error of SQLite by an ``ArenaError`` of one line."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._readable(error) from None

    def _readable(self, error: sqlite3.Error) -> ArenaError:
        """Return an error of one line with the reason of an error of SQLite."""
        reason = REASONS.get(_code(error), " ".join(str(error).split()))
        return ArenaError(f"cannot use {self._path}: {reason}")


def database_files(path: Path) -> list[Path]:
    """Return the paths of a database and of the files that SQLite writes beside it."""
    return [path, *(path.with_name(path.name + ending) for ending in SIDE_FILES)]


def _code(error: sqlite3.Error) -> int:
    """Return the primary code of an error, or 0 for an error of the module ``sqlite3`` itself."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
