"""The contests of a folder and their games, in one SQLite file.

A *contest* is identified by a key, which is a hash of its identity. Therefore the same command
finds its own games again, and different settings begin a different contest in the same file. Tables
and columns call a contest an ``event``. The
*entrants* of a contest are all bots that have ever taken part. They are numbered from 0 in the
order in which they first took part. This number is the *place* of an entrant. A bot is identified
by its name and its fingerprint. A *roster* of a contest says which entrants take part, and how many
results the contest had when this began. A *game* is identified by its contest, the places of its
two players in order, the opening and the repetition, but not by its number.

A game is *issued* by a row in ``games`` and *committed* by a row in ``results``. Each is a separate
transaction. A row in ``games`` without a result is rolled back. Results are never changed or
deleted. The table ``apart`` lists the games that do not count. A record is stored as the JSON line
that the worker wrote. The views ``moves``, ``faults`` and ``stderr`` show the parts of the records.

The number of the contest that was played or continued last is the ``application_id`` in the header
of the file. It needs no table, so folders from before this mark have the same schema. There the
number is 0.
"""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import orjson

from c4_referee.records.rounds import ChosenRound, GameKey, Meeting, Player, Progress
from c4_referee.records.storage.database import Database, error_code

BUSY_SECONDS_OF_GAMES = 30.0
"""Maximum time in seconds to wait for the lock while games are played. It is longer, because a run
that ends loses its unfinished games."""

SELECT_ENTRANTS = """SELECT place, CAST(name AS TEXT), CAST(command AS TEXT), CAST(fingerprint AS
TEXT) FROM entrants JOIN bots ON bots.id = bot WHERE event = ? ORDER BY place"""
SELECT_RESULTS = """SELECT results.id, CAST(record AS BLOB), first, second, opening, repetition
             FROM results JOIN games ON games.id = game WHERE event = ? AND results.id > ?
             ORDER BY results.id"""
WHERE_GAME_KEY = "event = ? AND first = ? AND second = ? AND opening = ? AND repetition = ?"


@dataclass(frozen=True, slots=True)
class Entrant:
    """Bot as the store knows it.

    ``name`` and ``fingerprint`` together identify the bot. ``command`` has the words of its command
    line as JSON, for people who look into the file.
    """

    name: str
    command: str
    fingerprint: str


class Store(Database):
    """Database of contests and their games. A ``Player`` is the place of an entrant.

    A contest that is ``None`` is not stored yet, so it has no entrants and no games.
    """

    def find(self, key: str) -> int | None:
        """Return the number of the contest with this key, or ``None`` if there is none."""
        rows = self._fetch_rows("SELECT id FROM events WHERE key = ?", key)
        return int(rows[0][0]) if rows else None

    def enter(self, key: str, settings: str, roster: Sequence[Entrant | Player]) -> int:
        """Return the number of the contest with this key, and create the contest if it is new.

        From now on, the bots of ``roster`` take part, and this is stored. The best seed is first.
        A bot that is an entrant already may be given by its place. The contest is marked as the one
        that was played last.
        """
        with self.transaction():
            self._base.execute(
                "INSERT OR IGNORE INTO events (key, settings) VALUES (?, ?)", (key, settings)
            )
            query = "SELECT id FROM events WHERE key = ?"
            contest = int(self._base.execute(query, (key,)).fetchone()[0])
            self._base.execute(f"PRAGMA application_id = {contest}")
            places = tuple(
                self._place_of_bot(contest, bot) if isinstance(bot, Entrant) else bot
                for bot in roster
            )
            rosters = self.rosters(contest)
            changed = rosters_with(rosters, self.count_passed(contest), places)
            if changed != rosters:
                since = changed[-1][0]
                delete = "DELETE FROM rosters WHERE event = ? AND since = ?"
                self._base.execute(delete, (contest, since))
                rows = [(contest, since, seed, place) for seed, place in enumerate(places)]
                self._base.executemany("INSERT INTO rosters VALUES (?, ?, ?, ?)", rows)
            return contest

    @property
    def marked(self) -> int:
        """Number of the contest that was played last, or 0 if no run has marked one."""
        return int(self._fetch_rows("PRAGMA application_id")[0][0])

    def record(self, contest: int, progress: Progress) -> None:
        """Store the state of a contest in place of the last one."""
        places = [*Counter(progress.byes).elements()], progress.ranking, sorted(progress.gave_up)
        byes, ranking, gave_up = (orjson.dumps(each).decode() for each in places)
        counts = progress.scheduled, progress.is_complete, progress.unplayed
        row = (contest, *counts, byes, ranking, progress.give_up, gave_up)
        games = "SELECT id FROM games WHERE"

        def store() -> int:
            with self._base:
                self._base.execute("BEGIN IMMEDIATE")
                values = ", ".join("?" * len(row))
                self._base.execute(f"INSERT OR REPLACE INTO progress VALUES ({values})", row)
                self._base.execute(f"DELETE FROM apart WHERE game IN ({games} event = ?)", row[:1])
                insert = f"INSERT INTO apart {games} {WHERE_GAME_KEY}"
                self._base.executemany(insert, [(contest, *key) for key in progress.apart])
            return 0

        self._change_patiently(store)

    def entrants(self, contest: int | None) -> dict[Player, Entrant]:
        """Return all entrants of a contest, in the order of their places."""
        rows = self._fetch_rows(SELECT_ENTRANTS, contest)
        return {Player(place): Entrant(*bot) for place, *bot in rows}

    def bot_names(self) -> set[str]:
        """Return the names of all bots that have ever taken part in a contest."""
        return {name for (name,) in self._fetch_rows("SELECT CAST(name AS TEXT) FROM bots")}

    def rosters(self, contest: int | None) -> "Rosters":
        """Return the rosters of a contest, in the form of ``Roster.changes``."""
        query = "SELECT since, place FROM rosters WHERE event = ? ORDER BY since, seed"
        groups = groupby(self._fetch_rows(query, contest), key=itemgetter(0))
        return tuple((since, tuple(Player(place) for _, place in group)) for since, group in groups)

    def count_results(self, contest: int | None) -> int:
        """Return the number of committed games of a contest."""
        query = "SELECT count(*) FROM results JOIN games ON games.id = game WHERE event = ?"
        return int(self._fetch_rows(query, contest)[0][0])

    def give_up(self, contest: int | None) -> int | None:
        """Return the limit of ``Progress.give_up``, or ``None`` before the first run."""
        rows = self._fetch_rows("SELECT give_up FROM progress WHERE event = ?", contest)
        return int(rows[0][0]) if rows else None

    def count_passed(self, contest: int | None) -> int:
        """Return the number of games that are committed, or not played because a bot gave up."""
        unplayed = self._fetch_rows("SELECT unplayed FROM progress WHERE event = ?", contest)
        return self.count_results(contest) + int(unplayed[0][0] if unplayed else 0)

    def chosen(self, contest: int | None) -> dict[int, ChosenRound]:
        """Return the chosen rounds of a contest, by number. Raise ``UsageError`` for others."""
        texts = "CAST(meetings AS TEXT), CAST(reached AS TEXT)"
        query = f"SELECT round, {texts} FROM chosen WHERE event = ?"
        entrants, found = self.entrants(contest), dict[int, ChosenRound]()
        for number, text, reached in self._fetch_rows(query, contest):
            try:
                meetings = tuple((Player(one), Player(other)) for one, other in orjson.loads(text))
            except (ValueError, TypeError):
                raise self.damage_error() from None
            if any(one == other or not {one, other} <= entrants.keys() for one, other in meetings):
                raise self.damage_error()
            found[number] = meetings, reached
        return found

    def choose(self, contest: int, number: int, meetings: Sequence[Meeting], reached: str) -> None:
        """Store a chosen round."""
        row = (contest, number, orjson.dumps(meetings).decode(), reached)
        self._change_games("INSERT OR REPLACE INTO chosen VALUES (?, ?, ?, ?)", row)

    def begin_again(
        self, contest: int, places: Sequence[Player], meetings: Sequence[Meeting]
    ) -> None:
        """Delete the games of other entrants, and let the contest begin with these ``meetings``."""
        marks = ", ".join("?" * len(places))
        others = f"event = ? AND NOT (first IN ({marks}) AND second IN ({marks}))"
        games = f"IN (SELECT id FROM games WHERE {others})"
        values = (contest, *places, *places)
        with self.transaction():
            for table in ("results", "apart"):
                self._base.execute(f"DELETE FROM {table} WHERE game {games}", values)
            self._base.execute(f"DELETE FROM games WHERE {others}", values)
            for table in ("rosters", "chosen"):
                self._base.execute(f"DELETE FROM {table} WHERE event = ?", (contest,))
            self._base.execute("UPDATE progress SET unplayed = 0 WHERE event = ?", (contest,))
            rows = [(contest, 0, seed, place) for seed, place in enumerate(places)]
            self._base.executemany("INSERT INTO rosters VALUES (?, ?, ?, ?)", rows)
            row = (contest, orjson.dumps(meetings).decode())
            self._base.execute("INSERT INTO chosen VALUES (?, 0, ?, '')", row)

    def issue(self, contest: int, game: GameKey) -> None:
        """Record that a game begins."""
        self._change_games("INSERT INTO games VALUES (NULL, ?, ?, ?, ?, ?)", (contest, *game))

    def commit(self, contest: int, game: GameKey, record: bytes) -> None:
        """Add the result of a game as a JSON line. Raise ``KeyError`` if the game is not issued."""
        insert = f"INSERT INTO results SELECT NULL, id, ? FROM games WHERE {WHERE_GAME_KEY}"
        if self._change_games(insert, (record.decode(), contest, *game)) != 1:
            raise KeyError(game)

    def roll_back(self, contest: int, game: GameKey) -> None:
        """Delete an issued game."""
        self._change_games(f"DELETE FROM games WHERE {WHERE_GAME_KEY}", (contest, *game))

    def roll_back_all(self) -> None:
        """Delete all issued games without a result, because their referee has ended."""
        with self.readable_errors():
            self._base.execute("DELETE FROM games WHERE id NOT IN (SELECT game FROM results)")

    def results(self, contest: int | None, after: int = 0) -> Iterator[tuple[GameKey, int, bytes]]:
        """Generate the committed games of a contest, in the order of their commits.

        Each has the row id and the record of its result. Only row ids above ``after`` are read.
        """
        with self.readable_errors():
            for row, record, first, second, *start in self._base.execute(
                SELECT_RESULTS, (contest, after)
            ):
                yield GameKey(Player(first), Player(second), *start), row, record

    def records(self) -> Iterator[tuple[int, bytes]]:
        """Generate the records of all contests with their row ids, in the order of their commits.

        A record that was changed by hand may be anything.
        """
        query = "SELECT id, CAST(record AS BLOB) FROM results ORDER BY id"
        with self.readable_errors():
            for row, record in self._base.execute(query):  # noqa: UP028 - it would close the cursor
                yield row, record

    def _fetch_rows(self, query: str, *values: object) -> list[Any]:
        """Return all rows that a query finds."""
        with self.readable_errors():
            return self._base.execute(query, values).fetchall()

    def _change_games(self, statement: str, values: Sequence[object]) -> int:
        """Execute a statement that changes games, and return the number of changed rows."""
        return self._change_patiently(lambda: self._base.execute(statement, values).rowcount)

    def _change_patiently(self, change: Callable[[], int]) -> int:
        """Change the database, and return the number of changed rows.

        While another program has locked the file, wait for ``BUSY_SECONDS_OF_GAMES``.
        """
        deadline = time.monotonic() + BUSY_SECONDS_OF_GAMES
        while True:
            try:
                return change()
            except sqlite3.Error as error:
                # SQLite has waited for BUSY_SECONDS. It is not asked to wait for longer, because
                # Ctrl-C has no effect until it returns.
                if error_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                    raise self.readable_error(error) from None

    def _place_of_bot(self, contest: int, bot: Entrant) -> Player:
        """Return the place of an entrant. A new entrant gets the next free place."""
        values = (bot.name, bot.command, bot.fingerprint)
        self._base.execute("INSERT OR IGNORE INTO bots VALUES (NULL, ?, ?, ?)", values)
        query = "SELECT id FROM bots WHERE name = ? AND fingerprint = ?"
        (number,) = self._base.execute(query, (bot.name, bot.fingerprint)).fetchone()
        query = "SELECT place FROM entrants WHERE event = ? AND bot = ?"
        if row := self._base.execute(query, (contest, number)).fetchone():
            return Player(row[0])
        query = "SELECT count(*) FROM entrants WHERE event = ?"
        (place,) = self._base.execute(query, (contest,)).fetchone()
        self._base.execute("INSERT INTO entrants VALUES (?, ?, ?)", (contest, place, number))
        return Player(place)


Rosters = tuple[tuple[int, tuple[Player, ...]], ...]
"""Rosters of a contest, in the form of ``Roster.changes``."""


def rosters_with(rosters: Rosters, passed: int, places: tuple[Player, ...]) -> Rosters:
    """Return the rosters of a contest if ``places`` take part after ``passed`` games.

    The number of passed games can be lower than before, if a bot has not given up after all.
    """
    if rosters and rosters[-1][1] == places:
        return rosters
    since = max(passed, rosters[-1][0]) if rosters else 0
    return (*(each for each in rosters if each[0] != since), (since, places))
