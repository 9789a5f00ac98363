"""The tables of the database, as SQL, and the comparison of a file with them."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from functools import cache

from c4_protocol.program.text import shortened

SchemaItem = tuple[object, object, object, object]
"""Type, name, table and SQL of a part of a schema. In a damaged file, they may be anything."""

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
FORMER_MOVES_VIEW = """
CREATE VIEW moves AS
    SELECT game, time.key AS ply, time.value AS ms,
           json_extract(record, '$.cpu_ms[' || time.key || ']') AS cpu_ms,
           CASE WHEN json_extract(record, '$.variant.gravity')
               THEN substr(json_extract(record, '$.moves'), time.key + 1, 1)
               ELSE json_extract('["' || replace(json_extract(record, '$.moves'), ' ', '","') ||
                   '"]', '$[' || time.key || ']')
           END AS move
    FROM results, json_each(record, '$.ms') AS time
"""
"""View that files of the first two versions may have."""
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
VALUES_SCHEMA = """
CREATE TABLE solved (
    judge TEXT NOT NULL,            -- who solved the position
    variant TEXT NOT NULL,
    position TEXT NOT NULL,         -- stones of both players in hexadecimal, and the player to move
    value INTEGER NOT NULL,         -- for the player to move
    scores TEXT NOT NULL,           -- JSON list of the scores of all columns, or empty
    best TEXT NOT NULL,             -- a best move where stones do not fall, or empty
    PRIMARY KEY (judge, variant, position)
) WITHOUT ROWID;
CREATE TABLE runs (                 -- the last run of each contest
    event INTEGER PRIMARY KEY REFERENCES events,
    ended TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    report TEXT NOT NULL,           -- JSON, the last event of the run
    conditions TEXT NOT NULL        -- JSON, how the games of the run were played
);
"""
PROGRESS_SCHEMA = """
CREATE TABLE progress (             -- the state of each contest, as its last run knows it
    event INTEGER PRIMARY KEY REFERENCES events,
    scheduled INTEGER NOT NULL,     -- number of games
    complete INTEGER NOT NULL,
    unplayed INTEGER NOT NULL,      -- number of games of bots that gave up, without a result
    byes TEXT NOT NULL,             -- JSON list of places, one for each bye
    ranking TEXT NOT NULL,          -- JSON list of places, the best first; empty if points decide
    give_up INTEGER NOT NULL,       -- number of first games after which a bot gives up, or 0
    gave_up TEXT NOT NULL           -- JSON list of places
);
CREATE TABLE apart (                -- games that do not count
    game INTEGER PRIMARY KEY REFERENCES games
);
"""
REASONS_SCHEMA = """
ALTER TABLE solved ADD COLUMN reasons TEXT NOT NULL DEFAULT '';
"""
"""A JSON list with the name of a mistake, a sentence and the name of a better move for each mistake
that was explained, or an empty text."""
SCHEMAS = (
    GAMES_SCHEMA,
    ROSTERS_SCHEMA,
    MOVES_SCHEMA,
    VALUES_SCHEMA,
    PROGRESS_SCHEMA,
    REASONS_SCHEMA,
)
"""SQL that each version of the database added. In a file, ``user_version`` is the number of these
texts that were executed, or 0 if the file is new."""

BLANKS_AND_COMMENTS = re.compile(r"(?:\s|--[^\n]*)+")
"""Blanks and comments of SQL."""


def difference_from_version(items: Iterable[SchemaItem], version: int) -> str:
    """Return what a schema has, lacks or has in another form than this version, or an empty text.

    Blanks and comments do not count. Views are not read by this program, so they may be missing.
    """
    tables, views = _tables_of_version(version), _views_of_all_versions()
    items_now = Counter(map(_without_comments, items))
    unknown = [*(items_now - tables - views)]
    if unknown:
        kind, name, *_ = map(str, unknown[0])
        return f"its {kind} {shortened(name)} is not one that c4-arena makes"
    missing = [*(tables - items_now)]
    return f"it lacks the {missing[0][0]} {missing[0][1]}" if missing else ""


@cache
def _tables_of_version(version: int) -> Counter[SchemaItem]:
    """Return the tables and indexes of a version."""
    return Counter(item for item in _items_of_version(version) if item[0] != "view")


@cache
def _views_of_all_versions() -> Counter[SchemaItem]:
    """Return all views that a file may have."""
    former = _without_comments(("view", "moves", "moves", FORMER_MOVES_VIEW))
    return Counter(
        [former, *(item for item in _items_of_version(len(SCHEMAS)) if item[0] == "view")]
    )


def _items_of_version(version: int) -> list[SchemaItem]:
    """Return all parts of the schema of a version."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript("".join(SCHEMAS[:version]))
        rows = base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return [*map(_without_comments, rows)]


def _without_comments(item: SchemaItem) -> SchemaItem:
    """Return the item without the comments in its SQL, and with single blanks in it."""
    kind, name, table, sql = item
    return (
        kind,
        name,
        table,
        BLANKS_AND_COMMENTS.sub(" ", sql).strip() if isinstance(sql, str) else sql,
    )
