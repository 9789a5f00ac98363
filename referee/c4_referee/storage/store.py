"""Everything that was played, in one SQLite file: the only module that knows SQL.

An *event* is told by a key, a hash of the settings that make it, so that the same command finds its
own games again and other settings begin another event in the same file. Its *entrants* are the bots
that have ever taken part, in the order in which they came, and its *rosters* tell who took part
from how many results on. How many games are played is no part of it: a *game* is told by its event,
who plays first, who second, the opening and the repetition, whichever number a schedule gives it.

A game is *issued* by a row in ``games`` and *committed* by a row in ``results``, one transaction
each; a row without its result is rolled back. Results are only ever added. A record is kept as the
JSON line it was told in, and the views ``moves``, ``faults`` and ``stderr`` take it apart.

The journal is a write-ahead log with ``synchronous=NORMAL``: a commit has been handed to the
kernel before it returns, so that killing the referee loses nothing. A power cut may take the last
games with it, which are played again then; the file stays whole.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from c4_protocol.errors import ArenaError, UsageError

from c4_referee.schedule import GameKey

BUSY_SECONDS = 2.0
"""How long another program may hold the file, as one that makes a copy of it does."""

GAMES = """
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
ROSTERS = """
CREATE TABLE rosters (
    event INTEGER NOT NULL,
    since INTEGER NOT NULL,         -- how many results the event had then
    seed INTEGER NOT NULL,          -- from 0, the best first
    place INTEGER NOT NULL,
    PRIMARY KEY (event, since, seed),
    FOREIGN KEY (event, place) REFERENCES entrants (event, place)
);
"""
MOVES = """
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
SCHEMAS = (GAMES, ROSTERS, MOVES)
"""What each version of the file has added. The number of those it has is in ``user_version``; 0 is
a file that nobody has written to."""

KEY = "event = ? AND first = ? AND second = ? AND opening = ? AND repetition = ?"
REASONS = {
    sqlite3.SQLITE_NOTADB: "it is damaged, or no database: move it away, or put back a copy",
    sqlite3.SQLITE_CORRUPT: "it is damaged: move it away, or put back a copy",
    sqlite3.SQLITE_BUSY: "another program has locked it",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it cannot be written",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
}
"""What SQLite's primary error codes mean for people."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of an event: its name, the words of its command as JSON, and its fingerprint."""

    name: str
    command: str
    fingerprint: str


class Store:
    """An open file, made if need be; a context manager.

    Whatever SQLite reports is raised as ``ArenaError``; a file that is not ours as ``UsageError``.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._told():
            self._base = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._base.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    def enter(self, key: str, settings: str, bots: Sequence[Entrant]) -> int:
        """The number of the event with that key, written down if it is new.

        ``bots`` are those that take part from now on, the best seed first.
        """
        with self._transaction():
            self._base.execute(
                "INSERT OR IGNORE INTO events (key, settings) VALUES (?, ?)", (key, settings)
            )
            query = "SELECT id FROM events WHERE key = ?"
            event = int(self._base.execute(query, (key,)).fetchone()[0])
            self._take_part(event, [self._place(event, bot) for bot in bots])
            return event

    def entrants(self, event: int) -> list[Entrant]:
        """All bots that have ever taken part in an event, by their place."""
        query = """SELECT name, command, fingerprint FROM entrants JOIN bots ON bots.id = bot
                   WHERE event = ? ORDER BY place"""
        with self._told():
            return [Entrant(*row) for row in self._base.execute(query, (event,))]

    def rosters(self, event: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Who took part in an event from how many results on, by their places."""
        query = "SELECT since, place FROM rosters WHERE event = ? ORDER BY since, seed"
        with self._told():
            rows = self._base.execute(query, (event,)).fetchall()
        since = groupby(rows, key=itemgetter(0))
        return tuple((results, tuple(place for _, place in of)) for results, of in since)

    def played(self, event: int) -> int:
        """Return how many games of an event have been committed."""
        query = "SELECT count(*) FROM results JOIN games ON games.id = game WHERE event = ?"
        with self._told():
            return int(self._base.execute(query, (event,)).fetchone()[0])

    def issue(self, event: int, game: GameKey) -> None:
        """A game is being played."""
        with self._told():
            self._base.execute("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?)", (event, *game))

    def commit(self, event: int, game: GameKey, record: bytes) -> None:
        """The result of an issued game, as its JSON line; raises ``KeyError`` for any other."""
        insert = f"INSERT INTO results SELECT NULL, id, ? FROM games WHERE {KEY}"
        with self._told():
            if self._base.execute(insert, (record.decode(), event, *game)).rowcount != 1:
                raise KeyError(game)

    def roll_back(self, event: int, game: GameKey) -> None:
        """An issued game came to nothing."""
        with self._told():
            self._base.execute(f"DELETE FROM games WHERE {KEY}", (event, *game))

    def roll_back_all(self) -> None:
        """Whoever had issued games without a result is gone."""
        with self._told():
            self._base.execute("DELETE FROM games WHERE id NOT IN (SELECT game FROM results)")

    def results(self, event: int) -> Iterator[tuple[GameKey, bytes]]:
        """The committed games of an event, in the order of their commits."""
        query = """SELECT first, second, opening, repetition, record
                   FROM results JOIN games ON games.id = game WHERE event = ? ORDER BY results.id"""
        with self._told():
            for *game, record in self._base.execute(query, (event,)):
                yield GameKey(*game), record.encode()

    def records(self) -> Iterator[bytes]:
        """The records of all events, in the order of their commits."""
        with self._told():
            for (record,) in self._base.execute("SELECT record FROM results ORDER BY id"):
                yield record.encode()

    def _prepare(self) -> None:
        """Makes sure that the file is ours and whole before anything is written to it."""
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        (tables,) = self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if not 0 <= version <= len(SCHEMAS) or (version == 0 and tables):
            raise UsageError(
                f"cannot use {self._path}: it is of another version ({version}, not "
                f"{len(SCHEMAS)}): take another folder"
            )
        (whole,) = self._base.execute("PRAGMA quick_check(1)").fetchone()
        if whole != "ok":
            raise UsageError(f"cannot use {self._path}: {REASONS[sqlite3.SQLITE_CORRUPT]}")
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        self._base.execute("PRAGMA foreign_keys = ON")
        if missing := "".join(SCHEMAS[version:]):
            self._base.executescript(f"BEGIN;{missing}PRAGMA user_version = {len(SCHEMAS)};COMMIT;")

    def _place(self, event: int, bot: Entrant) -> int:
        """An entrant's place, the next one if it is new."""
        values = (bot.name, bot.command, bot.fingerprint)
        self._base.execute("INSERT OR IGNORE INTO bots VALUES (NULL, ?, ?, ?)", values)
        query = "SELECT id FROM bots WHERE name = ? AND fingerprint = ?"
        (number,) = self._base.execute(query, (bot.name, bot.fingerprint)).fetchone()
        query = "SELECT place FROM entrants WHERE event = ? AND bot = ?"
        if known := self._base.execute(query, (event, number)).fetchone():
            return int(known[0])
        query = "SELECT count(*) FROM entrants WHERE event = ?"
        (place,) = self._base.execute(query, (event,)).fetchone()
        self._base.execute("INSERT INTO entrants VALUES (?, ?, ?)", (event, place, number))
        return int(place)

    def _take_part(self, event: int, places: Sequence[int]) -> None:
        """Writes down who takes part from now on, if it is not who did so before."""
        rosters = self.rosters(event)
        if rosters and rosters[-1][1] == tuple(places):
            return
        since = self.played(event) if rosters else 0
        self._base.execute("DELETE FROM rosters WHERE event = ? AND since = ?", (event, since))
        self._base.executemany(
            "INSERT INTO rosters VALUES (?, ?, ?, ?)",
            [(event, since, seed, place) for seed, place in enumerate(places)],
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing of what is done within."""
        with self._told(), self._base:
            self._base.execute("BEGIN IMMEDIATE")
            yield

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turns what SQLite raises into one line for people."""
        try:
            yield
        except sqlite3.Error as error:
            # The low byte is the primary code; some errors of the sqlite3 module have none.
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            reason = REASONS.get(code, " ".join(str(error).split()))
            raise ArenaError(f"cannot use {self._path}: {reason}") from None
