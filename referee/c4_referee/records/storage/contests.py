"""Contests of a folder of ``--out``, read without changing the folder, and the end of a run stored.

A folder can be read while a referee plays there. A result that was changed by hand is left out, if
it breaks the rules, or if its row names other bots. Its row id is in ``StoredContest.damaged``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import orjson
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.program.text import distinct_names, visible
from c4_protocol.records.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.records.report_text import goal_lines
from c4_protocol.records.reports import MatchEnded, MatchReport, TournamentEnded, TournamentReport
from c4_protocol.rules.variant import STANDARD, Variant

from c4_referee.records.rounds import GameKey, Player, Progress
from c4_referee.records.stats.solved import SolvedPositions
from c4_referee.records.storage.database import DATABASE_FILE, Database
from c4_referee.records.storage.exact_values import OUR_SOLVER, read_solved
from c4_referee.records.storage.result_lines import (
    decoded_json,
    distinct_report_names,
    json_reader,
    stored_game,
    with_names,
)
from c4_referee.records.storage.store import Store

SELECT_PROGRESS = """SELECT scheduled, complete, unplayed, give_up, CAST(byes AS TEXT),
              CAST(ranking AS TEXT), CAST(gave_up AS TEXT) FROM progress WHERE event = ?"""
SELECT_APART = """SELECT first, second, opening, repetition FROM apart JOIN games ON games.id =
apart.game WHERE event = ?"""
SELECT_CONTESTS = "SELECT id, CAST(settings AS TEXT), CAST(began AS TEXT) FROM events ORDER BY id"


@dataclass(frozen=True)
class StoredBot:
    """A bot of a stored contest.

    ``name`` is its name in reports, which differs from those of all other bots, and ``own_name``
    the name that it had when it played. ``command`` has the words of its command line.
    """

    name: str
    command: tuple[str, ...]
    fingerprint: str
    withdrawn: bool = False
    own_name: str = ""


@dataclass(frozen=True)
class RunSummary:
    """The last run of a contest.

    ``ended`` is the time in UTC, such as ``2026-11-22 15:04:05``. ``report`` is the report that the
    run printed. ``conditions`` describe for people how it was played: texts by name, for example
    ``time``, ``openings`` and ``judge``.
    """

    ended: str
    report: MatchReport | TournamentReport
    conditions: dict[str, str]


@dataclass(frozen=True)
class StoredContest:
    """A contest of a folder.

    ``number`` counts the contests of the folder from 1. ``identity`` is the JSON object that
    identifies it (``folder_archive``), and ``began`` the time of its start in UTC. ``bots`` are in
    the order of their places. ``games`` are those that count, and ``apart`` are the others. Both
    are in the order of their numbers, with the bots' names in reports. No two games have the same
    number. ``progress`` is the state that the games do not show, and ``last_result`` the row id of
    the result that was stored last. ``damaged`` are the row ids of
    results that are not games. ``last_run`` is ``None`` if no run has ended yet. ``solved`` are the
    positions whose exact values are known. ``is_marked`` is true if the last run in the folder was
    one of this contest. If ``lists_withdrawn`` is false, standings leave out bots that have left.
    """

    number: int
    variant: Variant
    identity: dict[str, Any]
    began: str
    bots: tuple[StoredBot, ...]
    games: tuple[GameEnded, ...]
    damaged: tuple[int, ...] = ()
    last_run: RunSummary | None = None
    solved: SolvedPositions = field(default_factory=dict)
    apart: tuple[GameEnded, ...] = ()
    progress: Progress = field(default_factory=partial(Progress, 0, True))
    last_result: int = 0
    is_marked: bool = False
    lists_withdrawn: bool = True

    @property
    def name(self) -> str:
        """Name of a tournament, or the names of the bots of a match."""
        name = self.identity.get("name")
        return (
            visible(name)
            if isinstance(name, str)
            else " against ".join(bot.name for bot in self.bots)
        )

    @property
    def names(self) -> dict[Player, str]:
        """Names of all bots by place."""
        return {Player(place): bot.name for place, bot in enumerate(self.bots)}

    @property
    def pairs(self) -> int:
        """Number of pairs of games in a meeting."""
        pairs = self.identity.get("pairs")
        return pairs if isinstance(pairs, int) else 1

    @property
    def all_games(self) -> list[GameEnded]:
        """All games, in the order of their numbers."""
        return sorted((*self.games, *self.apart), key=lambda game: game.game)

    @property
    def system(self) -> str:
        """System of a tournament, or ``match``."""
        return visible(str(self.identity.get("system", "match")))

    @property
    def conditions(self) -> dict[str, str]:
        """Conditions of the last run (``RunSummary``), empty if no run is known."""
        return self.last_run.conditions if self.last_run else {}

    @property
    def goal_lines(self) -> list[str]:
        """What all games of an adaptive tournament tell, as its last run has found it."""
        report = self.last_run.report if self.last_run else None
        if not isinstance(report, TournamentReport) or report.goal is None:
            return []
        is_current = report.standings.games + report.standings.void == len(self.games)
        return goal_lines(report.goal) if is_current else []

    def game(self, number: int) -> GameEnded:
        """Return the game with this number. Raises ``UsageError`` if there is none."""
        games = {game.game: game for game in self.all_games}
        if number not in games:
            has = (
                f"the {len(games)} games have numbers from {min(games)} to {max(games)}"
                if games
                else "none has a result"
            )
            raise UsageError(f"there is no game {number}: {has}")
        return games[number]


def read_contests(folder: Path) -> list[StoredContest]:
    """Return the contests of a folder of ``--out``, in the order in which they began.

    Raises ``UsageError`` if the folder holds no games, and ``ArenaError`` if they cannot be read.
    """
    path = folder / DATABASE_FILE
    if not folder.is_dir():
        why = "it is no folder" if folder.exists() else "there is no such file or folder"
        raise UsageError(f"cannot read {folder}: {why}")
    if not path.is_file():
        raise UsageError(
            f"cannot read {folder}: it has no file {DATABASE_FILE}: name a folder that was written "
            "with --out"
        )
    with Store(path, read_only=True) as store, store.snapshot() as connection:
        if store.is_empty:
            return []
        solved = cache(partial(read_solved, connection, OUR_SOLVER))  # shared by contests
        contests: list[StoredContest] = []
        for event, settings, began in connection.execute(SELECT_CONTESTS).fetchall():
            bots = _bots_by_place(store, event)
            games, damaged, last_result = _games_and_damaged(store, event, bots)
            identity = _json_object(settings)
            variant = _variant_of_contest(identity, [*games.values()])
            progress = _stored_progress(connection, event, bots) or Progress(len(games), False)
            counted = {key: game for key, game in games.items() if progress.counts(key)}
            contest = StoredContest(
                len(contests) + 1,
                variant,
                identity,
                began,
                tuple(bots.values()),
                _sorted_by_number(counted.values()),
                tuple(damaged),
                _last_run(connection, event),
                solved(variant),
                _sorted_by_number(game for key, game in games.items() if key not in counted),
                progress,
                last_result,
                event == store.marked,
            )
            contests.append(contest)
        return contests


@dataclass(frozen=True)
class News:
    """New results of a contest in the order of their commits, and which of them count."""

    bots: tuple[StoredBot, ...]
    games: tuple[GameEnded, ...]
    counted: tuple[GameEnded, ...]
    progress: Progress
    last_result: int


def read_news(folder: Path, number: int, after: int = 0) -> News:
    """Return the results of a contest whose row ids are above ``after``, and its present state.

    Raises ``ArenaError`` as ``read_contests``, and ``UsageError`` if there is no such contest.
    """
    with Store(folder / DATABASE_FILE, read_only=True) as store, store.snapshot() as connection:
        rows = connection.execute(SELECT_CONTESTS).fetchall() if not store.is_empty else []
        if number > len(rows):
            raise UsageError(f"{folder} holds no contest {number}")
        event = rows[number - 1][0]
        bots = _bots_by_place(store, event)
        games, _, last_result = _games_and_damaged(store, event, bots, after)
        progress = _stored_progress(connection, event, bots) or Progress(len(games), True)
    counted = tuple(game for key, game in games.items() if progress.counts(key))
    last_result = max(after, last_result)
    return News((*bots.values(),), (*games.values(),), counted, progress, last_result)


def _last_run(connection: Connection, contest: int) -> RunSummary | None:
    """Return the last run of a contest, or ``None`` if none has ended.

    The result is also ``None`` if the stored report was changed by hand and cannot be read.
    """
    query = "SELECT CAST(ended AS TEXT), report, conditions FROM runs WHERE event = ?"
    row = connection.execute(query, (contest,)).fetchone()
    if row is None:
        return None
    ended, report, conditions = row
    try:
        return RunSummary(
            ended,
            json_reader(MatchEnded | TournamentEnded).validate_json(report).report,
            {str(name): str(text) for name, text in decoded_json(conditions).items()},
        )
    except (ValueError, AttributeError, TypeError):
        return None


def _sorted_by_number(games: Iterable[GameEnded]) -> tuple[GameEnded, ...]:
    return tuple(sorted(games, key=lambda game: game.game))


def _stored_progress(
    connection: Connection, event: int, bots: Mapping[Player, StoredBot]
) -> Progress | None:
    """Return the stored state of a contest, or ``None`` if there is none or it is damaged."""
    row = connection.execute(SELECT_PROGRESS, (event,)).fetchone()
    if row is None:
        return None
    scheduled, complete, unplayed, give_up, *lists = row
    try:
        byes, ranking, gave_up = ([Player(each) for each in decoded_json(text)] for text in lists)
    except (ValueError, TypeError):
        return None
    if not {*byes, *ranking, *gave_up} <= bots.keys():
        return None
    apart = (
        GameKey(Player(first), Player(second), *start)
        for first, second, *start in connection.execute(SELECT_APART, (event,))
    )
    return Progress(
        int(scheduled),
        bool(complete),
        int(unplayed),
        Counter(byes),
        tuple(dict.fromkeys(ranking)),
        int(give_up),
        frozenset(gave_up),
        frozenset(apart),
    )


def _bots_by_place(store: Store, event: int) -> dict[Player, StoredBot]:
    """Return the bots of a contest by their places."""
    entrants, rosters = store.entrants(event), store.rosters(event)
    present = entrants.keys() & (rosters[-1][1] if rosters else entrants)
    shown = distinct_names(bot.name for bot in entrants.values())
    names = distinct_report_names(
        {place: shown[bot.name] for place, bot in entrants.items()}, present
    )
    return {
        place: StoredBot(
            names[place],
            _words_of_command(bot.command),
            bot.fingerprint,
            place not in present,
            bot.name,
        )
        for place, bot in entrants.items()
    }


def _words_of_command(command: str) -> tuple[str, ...]:
    """Return the words of a command line, which are stored as JSON."""
    try:
        return tuple(visible(str(word)) for word in decoded_json(command))
    except (ValueError, TypeError):
        return (visible(str(command)),)


def _games_and_damaged(
    store: Store, event: int, bots: Mapping[Player, StoredBot], after: int = 0
) -> tuple[dict[GameKey, GameEnded], list[int], int]:
    """Return the games of a contest by their keys, the ids of damaged results, and the last id.

    Only results with ids above ``after`` are read.
    """
    games: dict[GameKey, GameEnded] = {}
    damaged, row = [], 0
    for key, row, record in store.results(event, after):
        try:
            first, second = bots[key.first], bots[key.second]
            game = _checked_game(record, first.own_name, second.own_name)
            games[key] = with_names(game, first.name, second.name)
        except (ValueError, KeyError, ArenaError, orjson.JSONEncodeError):
            damaged.append(row)
    return games, damaged, row


def _checked_game(record: bytes, first: str, second: str) -> GameEnded:
    """Return the game of a record that follows the rules, with harmless texts.

    ``first`` and ``second`` are the bots that its row names. Raises ``ValueError`` or
    ``ArenaError`` if it is no such game, and ``JSONEncodeError`` if pages cannot hold its numbers.
    """
    game = stored_game(record, (first, second))
    said = game.stderr
    if game.game < 1:
        raise ValueError
    orjson.dumps(game)  # or raise JSONEncodeError for a whole number above 64 bits
    return replace(
        game,
        variant=VariantRecord.of(game.rules),  # one for all games
        fault=game.fault and _visible_fault(game.fault),
        notes=[*map(_visible_fault, game.notes)],
        stderr={bot: visible(said[bot], keep="\n\t") for bot in game.bots if bot in said},
        remarks=[*map(visible, game.remarks)] if len(game.remarks) == len(game.ms) else [],
    )


def _visible_fault(fault: FaultRecord) -> FaultRecord:
    line = None if fault.line is None else visible(fault.line)
    return replace(fault, detail=visible(fault.detail), line=line)


def _json_object(text: str) -> dict[str, Any]:
    """Return a JSON object, which is empty if the text is damaged."""
    try:
        value = decoded_json(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _variant_of_contest(identity: Mapping[str, Any], games: list[GameEnded]) -> Variant:
    """Return the variant of a contest."""
    if games:
        return games[0].variant.variant()
    try:
        return VariantRecord.read(identity["variant"]).variant()
    except (KeyError, TypeError, ArenaError):
        return STANDARD


def save_run(
    folder: Path, contest: int, ended: MatchEnded | TournamentEnded, conditions: Mapping[str, str]
) -> None:
    """Store the end of a run in a folder, in place of the last run of its contest.

    Raises ``ArenaError`` if the database cannot be written.
    """
    values = (contest, orjson.dumps(ended).decode(), orjson.dumps(conditions).decode())
    with Database(folder / DATABASE_FILE) as base, base.transaction() as connection:
        insert = "INSERT OR REPLACE INTO runs (event, report, conditions) VALUES (?, ?, ?)"
        connection.execute(insert, values)
