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

CHOSEN = """
CREATE TABLE IF NOT EXISTS chosen ( -- rounds whose meetings were chosen by results
    event INTEGER NOT NULL REFERENCES events,
    round INTEGER NOT NULL,         -- from 0
    meetings TEXT NOT NULL,         -- JSON list of two places each; empty after the last round
    reached TEXT NOT NULL,          -- the goal that was reached instead, or empty
    PRIMARY KEY (event, round)
);
"""
SCHEMA = f"""{CHOSEN}
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
CREATE TABLE rosters (
    event INTEGER NOT NULL,
    since INTEGER NOT NULL,         -- how many results the event had then
    seed INTEGER NOT NULL,          -- from 0, the best first
    place INTEGER NOT NULL,
    PRIMARY KEY (event, since, seed),
    FOREIGN KEY (event, place) REFERENCES entrants (event, place)
);
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
CREATE TABLE solved (
    judge TEXT NOT NULL,            -- who solved the position
    variant TEXT NOT NULL,
    position TEXT NOT NULL,         -- stones of both players in hexadecimal, and the player to move
    value INTEGER NOT NULL,         -- for the player to move
    scores TEXT NOT NULL,           -- JSON list of the scores of all columns, or empty
    best TEXT NOT NULL,             -- a best move where stones do not fall, or empty
    reasons TEXT NOT NULL DEFAULT '', -- JSON list: name of a mistake, sentence, better move
    PRIMARY KEY (judge, variant, position)
) WITHOUT ROWID;
CREATE TABLE runs (                 -- the last run of each contest
    event INTEGER PRIMARY KEY REFERENCES events,
    ended TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
    report TEXT NOT NULL,           -- JSON, the last event of the run
    conditions TEXT NOT NULL        -- JSON, how the games of the run were played
);
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
VERSION = 6
"""Version of the database, its ``user_version``. It is 0 if the file is new."""

BLANKS_AND_COMMENTS = re.compile(r"(?:\s|--[^\n]*)+")
"""Blanks and comments of SQL."""


def difference_from_schema(items: Iterable[SchemaItem]) -> str:
    """Return what a file has, lacks or has in another form than the schema, or an empty text.

    Blanks and comments do not count. Views are not read by this program, so they may be missing,
    and so may the table that is made when a file is written.
    """
    expected = _items_of_schema()
    items_now = Counter(map(_without_comments, items))
    if unknown := [*(items_now - expected)]:
        kind, name, *_ = map(str, unknown[0])
        return f"its {kind} {shortened(name)} is not one that c4-arena makes"
    missing = [item for item in expected - items_now if item[0] != "view" and item[2] != "chosen"]
    return f"it lacks the {missing[0][0]} {missing[0][1]}" if missing else ""


@cache
def _items_of_schema() -> Counter[SchemaItem]:
    """Return the tables, indexes and views that this program makes."""
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(SCHEMA)
        rows = base.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return Counter(map(_without_comments, rows))


def _without_comments(item: SchemaItem) -> SchemaItem:
    """Return the item without the comments in its SQL, and with single blanks in it."""
    kind, name, table, sql = item
    plain = BLANKS_AND_COMMENTS.sub(" ", sql).strip() if isinstance(sql, str) else sql
    return kind, name, table, plain
