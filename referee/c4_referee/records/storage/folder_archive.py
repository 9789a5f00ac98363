"""Archive of a contest in a folder.

The folder of ``--out DIR`` has two files: ``arena.sqlite`` and ``games.jsonl``. While a contest is
played, its games are stored in the database only. ``games.jsonl`` is written from the database when
a run ends, also after Ctrl-C. A run that fails or is killed leaves the file as it was. A folder may
hold several contests, each with its own identity. The database also holds what is computed from the
games: exact values of positions (``storage.exact_values``) and the report of the last run
(``storage.contests.save_run``).

The lock that keeps a second referee out is on ``games.jsonl``. A lock of SQLite would keep readers
out, too. A lock of the system on the database would end SQLite's own locks when it is released.

A match is identified by its bots (in order), its variant and its time controls. A tournament is
identified by its name and by the settings of its file that affect the games, except the bots and
the number of rounds. The number of games is not part of the identity of a match, so a longer match
is the same contest.

An entrant is identified by its name and its fingerprint (``storage.fingerprint``).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from hashlib import sha256
from os.path import realpath
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

import orjson
from c4_protocol.program.errors import ArenaError, UsageError
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import TimeControl
from c4_referee.bots.spec import BotSpec
from c4_referee.records.rounds import ChosenRound, GameKey, Meeting, Player, Progress, Roster
from c4_referee.records.storage.archive import Archive
from c4_referee.records.storage.database import DATABASE_FILE
from c4_referee.records.storage.eventlog import GamesFile
from c4_referee.records.storage.fingerprint import fingerprint_of_bot
from c4_referee.records.storage.result_lines import distinct_report_names, stored_game
from c4_referee.records.storage.store import Entrant, Rosters, Store, rosters_with

GAMES_FILE = "games.jsonl"
"""Name of the file with the records of all games in a folder."""


class FolderArchive(Archive):
    """Archive of a contest in a folder, which only one referee at a time may open.

    ``identity`` is a JSON object that identifies the contest in the folder. ``missing`` says which
    of the ``bots`` cannot play in this run, and why. They are ``absent`` if they have taken part
    until now; otherwise they are left out. The contest and its roster are stored when the state of
    the contest is recorded for the first time. Raises ``ArenaError`` if the folder cannot be used,
    if one of the ``bots`` may write there, or if the database holds a record that is not a game,
    and ``UsageError`` if bots are missing and the contest has no game yet.
    """

    def __init__(
        self,
        folder: Path,
        identity: Mapping[str, Any],
        bots: Sequence[BotSpec],
        missing: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        check_out_of_reach(folder, bots)
        self._folder = folder
        self._settings, self._key = settings_and_key(identity)
        self._is_entered = False
        with ExitStack() as stack:
            self._file = stack.enter_context(GamesFile(folder / GAMES_FILE))
            self._store = stack.enter_context(Store(folder / DATABASE_FILE))
            self._check_file()
            self._store.roll_back_all()
            self.contest = self._store.find(self._key)
            if missing and not self._store.count_results(self.contest):
                raise UsageError("; ".join(missing.values()))
            self.give_up = self._store.give_up(self.contest)
            self._enlist(bots, missing)
            self._stack = stack.pop_all()

    def _enlist(self, bots: Sequence[BotSpec], missing: Collection[str]) -> None:
        """Find the places of the bots, without storing anything."""
        entrants, rosters = self._store.entrants(self.contest), self._store.rosters(self.contest)
        places = {(each.name, each.fingerprint): place for place, each in entrants.items()}
        latest = {entrants[place].name: place for place in (rosters[-1][1] if rosters else ())}
        self._members: dict[Player, Entrant | Player] = {}
        for bot in bots:
            if bot.name not in missing:
                command = orjson.dumps(bot.command).decode()
                entrant = Entrant(bot.name, command, fingerprint_of_bot(bot))
                stored_place = places.get((entrant.name, entrant.fingerprint))
                place = Player(len(entrants)) if stored_place is None else stored_place
                self._members[place] = entrants[place] = entrant
            elif bot.name in latest:
                self._members[latest[bot.name]] = latest[bot.name]
        self.absent = frozenset(latest.values()) & {
            place for place, member in self._members.items() if not isinstance(member, Entrant)
        }
        self.own_names = {player: entrant.name for player, entrant in entrants.items()}
        self._name(rosters)

    def _name(self, rosters: Rosters) -> None:
        """Set the roster, and the names of all entrants for reports."""
        changes = rosters_with(rosters, self._store.count_passed(self.contest), (*self._members,))
        self.roster = Roster(changes)
        self.names = distinct_report_names(self.own_names, self.roster.now)

    def leave_out_absent(self) -> None:
        """Let the absent entrants leave the contest, until a run in which they can play."""
        for place in self.absent:
            del self._members[place]
        self.absent = frozenset()
        self._name(self._store.rosters(self.contest))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with self._stack:
            if not any(error):
                self._file.replace(self._lines())

    def _lines(self) -> Iterator[bytes]:
        return (record + b"\n" for _, record in self._store.records())

    def _check_file(self) -> None:
        """Raise ``UsageError`` if ``games.jsonl`` has games that the database lacks."""
        try:
            self._file.check(self._lines())
        except UsageError:
            for row, record in self._store.records():  # a damaged database is the likelier reason
                self._game(row, record)
            raise

    def results(self) -> dict[GameKey, GameEnded]:
        """Return the games that earlier runs have committed."""
        names = self.own_names
        return {
            key: self._game(row, record, (names.get(key.first), names.get(key.second)))
            for key, row, record in self._store.results(self.contest)
        }

    def record(self, progress: Progress) -> None:
        """Store the state of the contest, and at the first time its roster."""
        self._store.record(self._entered(), progress)

    def chosen(self) -> dict[int, ChosenRound]:
        """Return the rounds that earlier runs have chosen."""
        return self._store.chosen(self.contest)

    def choose(self, number: int, meetings: Sequence[Meeting], reached: str) -> None:
        """Store the meetings of a round, before its first game is issued."""
        self._store.choose(self._entered(), number, meetings, reached)

    def leave_out_former(self, pairs: int) -> None:
        """Delete the games of entrants that do not take part now.

        The others have met in chosen rounds, with ``pairs`` pairs of games in a meeting. Then all
        of it is the first round. If this is killed, either nothing is deleted, or all of it.
        """
        now, games = set(self.roster.now), Counter[Meeting]()
        for key, *_ in self._store.results(self.contest):
            if now.issuperset((key.first, key.second)):
                games[min(key.first, key.second), max(key.first, key.second)] += 1
        meetings = [both for both in games for _ in range(0, games[both], 2 * pairs)]
        self._file.replace(())  # a file with other games than the database would be refused
        self._store.begin_again(self._entered(), self.roster.now, meetings)

    def issue(self, game: GameKey) -> None:
        """Store that a game begins. If it gets no result, the next run deletes it."""
        self._store.issue(self._entered(), game)

    def commit(self, game: GameKey, record: bytes) -> None:
        """Store the result of an issued game as a JSON line. It is stored when this returns."""
        self._store.commit(self._entered(), game, record)

    def roll_back(self, game: GameKey) -> None:
        """Delete an issued game."""
        self._store.roll_back(self._entered(), game)

    def _entered(self) -> int:
        """Store the contest and its roster if this was not done yet, and return its number."""
        if self.contest is None or not self._is_entered:
            settings, roster = self._settings.decode(), [*self._members.values()]
            self.contest, self._is_entered = self._store.enter(self._key, settings, roster), True
        return self.contest

    def _game(
        self, row: int, record: bytes, bots: tuple[str | None, str | None] | None = None
    ) -> GameEnded:
        """Return the game of a record.

        Raises ``ArenaError``, which names the record, if it does not follow the rules, or is not a
        game of the ``bots``.
        """
        try:
            return stored_game(record, bots)
        except (ValueError, ArenaError):
            raise ArenaError(
                f"cannot use {self._folder / DATABASE_FILE}: result {row} is not the record of a "
                "game: put back a copy of the file"
            ) from None


def check_out_of_reach(path: Path, bots: Sequence[BotSpec]) -> None:
    """Raise ``UsageError`` if a path is in the working folder of a bot, which may write there."""
    place = Path(realpath(path))
    for bot in bots:
        if bot.working_folder is not None and place.is_relative_to(realpath(bot.working_folder)):
            raise UsageError(
                f"cannot write {path}: bot '{bot.name}' could change it, because it is in the "
                f"bot's folder {bot.working_folder}: name a place outside of this folder"
            )


def settings_and_key(identity: Mapping[str, Any]) -> tuple[bytes, str]:
    """Return an identity as JSON, and the key of its contest in a database."""
    settings = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS)
    return settings, sha256(settings).hexdigest()


def identity_of_bots(
    bots: Sequence[BotSpec], variant: Variant, controls: Sequence[TimeControl]
) -> dict[str, Any]:
    """Return the identity of a match: its bots (in order), its variant and its time controls."""
    return {
        "bots": [{"name": bot.name, "fingerprint": fingerprint_of_bot(bot)} for bot in bots],
        "variant": identity_of_variant(variant),
        "controls": [asdict(control) for control in controls],
    }


def identity_of_variant(variant: Variant) -> dict[str, Any]:
    """Return the part of an identity that says which variant is played.

    The key ``steal`` is left out if it is false, because contests that were stored before the steal
    was added do not have it.
    """
    record = asdict(VariantRecord.of(variant))
    return record if variant.steal else {key: record[key] for key in record if key != "steal"}
