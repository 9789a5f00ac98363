"""The ladder of an open class: one adaptive contest, in the folder ``ladder``, that never ends.

A version of a student's bot is an entrant of this contest. A new version takes the place of the
one before, and the games of all other pairs count as before. First the new versions are placed,
then the contest goes on until the ranking is certain. It is played in slices, so that hand-ins are
taken in between them. A slice ends with a round, which is short, because a bot that leaves loses
the rest of its round.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded

from c4_referee.bots.contain.cgroup import control_groups
from c4_referee.bots.spec import BotSpec
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.play import MIN_BOTS, staff_of
from c4_referee.classroom.tables import spec_for
from c4_referee.contest.contest_file import ADAPTIVE, TournamentFile
from c4_referee.contest.contest_reports import save_last_event, tournament_ended_event
from c4_referee.contest.executor import LOCAL_EXECUTOR, default_concurrency
from c4_referee.contest.play.ledger import NOT_PLAYED_DETAIL
from c4_referee.records.storage.folder_archive import FolderArchive
from c4_referee.report.protection import protection_of
from c4_referee.system.safe_files import read_regular, replace_file

LADDER = "ladder"
PLACED_FILE = "placed.json"
"""Name of the file with the version of each bot that has its place, by alias."""
FAULTS_FILE = "faults.json"
"""Name of the file with the faults by which the bots lost games, by alias."""
MAX_FAULTS = 3
"""Maximum number of faults of a version that are kept: the last ones."""
MAX_SECONDS = 20.0
"""Maximum duration of a slice while bots are placed, in seconds. After each slice, students see
whether their bots have a place."""
MAX_FORMER = 1000
"""Number of games of former versions from which on they are deleted, if they are more than half of
all games. So a slice does not begin ever later, because the games are read before."""
PLACED_WITHIN, WITHIN = 150.0, 75.0
"""Elo points by which a bot may be better than one that stands higher: while bots are placed, which
takes some 35 games each, and in the ranking."""


LostByFault = list[Any]
"""A game that a bot lost by a fault: its version, the number of the game, and what happened."""


class Ladder:
    """The ladder of a class."""

    def __init__(self, room: Classroom) -> None:
        self._room = room
        self.folder = room.folder / LADDER
        self.folder.mkdir(exist_ok=True)
        self._placed = placed_versions(self.folder)
        self._games = -1
        """Number of games when the last slice ended."""
        self._has_old_games = False
        self._faults: dict[str, list[LostByFault]] = _stored(self.folder / FAULTS_FILE)
        self._settled: Mapping[str, int] = {}
        """The version of each bot, by alias, when the ranking was last certain."""

    @property
    def versions(self) -> dict[str, int]:
        """The version of each bot that plays, by alias."""
        return {each.alias: each.playing for each in self._room.register.students if each.playing}

    @property
    def has_work(self) -> bool:
        """Whether there are games to play."""
        return self.versions != self._settled

    def play(self, seconds: float, has_hand_ins: Callable[[], object]) -> str:
        """Play until the goal is reached, and return a line for people.

        After ``seconds``, hand-ins end this slice. Raises ``KeyboardInterrupt`` after Ctrl-C.
        """
        room, versions, bots = self._room, self.versions, self._bots()
        names = [bot.name for bot in bots]
        new = [it for it in names if self._placed.get(it) != versions.get(it)]  # none of the staff
        began = time.monotonic()

        def stops() -> bool:
            passed = time.monotonic() - began
            is_long = bool(new) and passed >= MAX_SECONDS
            return is_long or (passed >= seconds and bool(has_hand_ins()))

        if len(bots) < MIN_BOTS:
            self._settled = versions
            return "waits for a second bot"
        at_once = default_concurrency(LOCAL_EXECUTOR)
        keys = {"pairs", "time_ms", "variant", "openings", "seed", "give_up", "name"}
        goal = {"goal": "placement", "place": new} if new else {"goal": "ranking"}
        contest = TournamentFile(
            **room.settings.model_dump(include=keys),
            **goal,
            system=ADAPTIVE,
            within=PLACED_WITHIN if new else WITHIN,
            meetings=at_once,
            concurrency=at_once,
            accuracy=False,
            out=str(self.folder),
            bots={bot.name: bot for bot in bots},
            anchor=next(iter(room.settings.staff), None),
        ).contest()
        if self._has_old_games:
            with FolderArchive(self.folder, contest.stored_identity, contest.bots) as archive:
                archive.leave_out_former(contest.pairs)
        protection = protection_of(contest.players)
        with control_groups() as controllers:
            protection = protection and replace(protection, control_groups=controllers)
            outcome = contest.play(out=self.folder, pauses=stops, on_game=self._note_fault)
        if outcome.was_interrupted:
            raise KeyboardInterrupt
        ended = tournament_ended_event(contest, outcome, None, protection)
        save_last_event(contest, outcome, self.folder, ended)
        is_reached = outcome.goal is None or outcome.goal.ended in {"goal", "nothing new"}
        former = sum(not {*names}.issuperset(game.bots) for game in outcome.games)
        self._has_old_games = former > max(MAX_FORMER, len(outcome.games) // 2)
        played, self._games = len(outcome.games) - self._games, len(outcome.games)
        if not (is_reached or played or stops()):  # games that nobody can play now
            is_reached = True
        placed = [alias for alias in new if is_reached or alias in outcome.placed]
        if placed:
            self._placed |= {alias: versions[alias] for alias in placed}
            replace_file(self.folder / PLACED_FILE, orjson.dumps(self._placed))
        elif is_reached:
            self._settled = versions
        likely = f"{outcome.goal.likelihood:.0%} sure" if outcome.goal else "no two bots play"
        what = f"placed {len(placed)} of {len(new)} new" if new else "the ranking"
        return f"{len(outcome.games)} games: {what}, {likely}"

    def _note_fault(self, game: GameEnded) -> None:
        """Store why a bot has lost a game, for its student."""
        fault = game.fault
        if fault and game.ending == "forfeit" and not fault.detail.startswith(NOT_PLAYED_DETAIL):
            self._keep_fault(fault.bot, game.game, fault.detail)

    def _keep_fault(self, bot: str, game: int, text: str) -> None:
        number = self.versions.get(bot, 0)  # 0 for a bot of the staff
        known = [each for each in self._faults.get(bot, []) if each[0] == number]
        if (lost := [number, game, text]) not in known:
            self._faults[bot] = [*known, lost][-MAX_FAULTS:]
            replace_file(self.folder / FAULTS_FILE, orjson.dumps(self._faults))

    def _bots(self) -> list[BotSpec]:
        """Return the bots of the staff and of the students."""
        register, bots, sandboxed = self._room.register, self._room.bots, self._room.sandboxed
        specs = list[BotSpec]()
        for student in register.students:
            if version := student.playing_version:
                spec = spec_for(register, bots, student, version, sandboxed=sandboxed)
                try:
                    spec.check_startable()
                except UsageError as error:  # a bot has made its folder useless
                    self._keep_fault(student.alias, 0, str(error))
                else:
                    specs.append(spec)
        return [*staff_of(self._room.settings, [spec.name for spec in specs]), *specs]


def placed_versions(folder: Path) -> dict[str, int]:
    """Return the versions that have their places on the ladder in a folder, by alias."""
    return _stored(folder / PLACED_FILE)


def faults_of(folder: Path, alias: str, version: int) -> list[tuple[int, str]]:
    """Return the last games on the ladder in a folder that a version lost by a fault.

    Each has its number, which is 0 if the bot could not take part, and what happened.
    """
    found: list[LostByFault] = _stored(folder / FAULTS_FILE).get(alias, [])
    return [(game, text) for number, game, text in found if number == version]


def forget_on_ladder(folder: Path, alias: str) -> None:
    """Remove what the ladder in a folder has noted about a bot, except its games."""
    for path in (folder / PLACED_FILE, folder / FAULTS_FILE):
        if noted := _stored(path):
            noted.pop(alias, None)
            replace_file(path, orjson.dumps(noted))


def _stored(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file of this module, empty without one."""
    try:
        found: dict[str, Any] = orjson.loads(read_regular(path))
    except (OSError, ValueError):
        return {}
    return found
