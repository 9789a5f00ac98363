"""The ledger, which stores a tournament's results in its archive and applies policies of faults.

In: events of games that runners (``play.local_runner``, ``cluster.cluster_runner``) play, and the
numbers of games that ended without a result. Out: jobs for the runners, and every event for the
handlers.

Guarantees:

- Every scheduled game counts once. An issued game is committed or rolled back.
- A result is committed to the archive before any handler receives it. Therefore a result that was
  shown is in the archive, even if the referee is killed afterwards.

A bot is identified in three ways. Schedule, tournament and archive use its ``Player`` number, which
is its place in the archive. Jobs use its ``BotIndex`` among the bots that take part now. Only the
ledger converts between these two numbers. Faults and records use the bot's name.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import orjson
from c4_protocol.program.errors import UsageError
from c4_protocol.program.text import NO_CORE, is_visible
from c4_protocol.records.events import (
    ContestProgress,
    ContestStarted,
    FaultRecord,
    GameEnded,
    GameRolledBack,
    VariantRecord,
)
from c4_protocol.rules.variant import Variant

from c4_referee.bots.contain.faults import (
    BARRED_FOR_ONE_RUN,
    FAULTS_OF_MISSING_START,
    Fault,
    Policy,
)
from c4_referee.contest.play.jobs import BotIndex, Job
from c4_referee.contest.play.record_check import RecordRefused, checked_record
from c4_referee.contest.play.suspects import LostGame, culprit_of
from c4_referee.contest.play.tournament import DecisionFunction, Tournament
from c4_referee.contest.schedule import Schedule
from c4_referee.records.rounds import GameKey, Pairing, Player
from c4_referee.records.stats.observations import tallied
from c4_referee.records.storage.archive import Archive
from c4_referee.records.storage.result_lines import with_names

EventHandler = Callable[[bytes], None]
"""Function that receives each event as a line of JSON, without the line end.

The first event is ``ContestStarted``, followed by ``ContestProgress``. The events of a game arrive
while it is played, and ``GameEnded`` after its result was stored. ``ContestProgress`` follows. All
readers of a contest are such functions: terminal, ``live.jsonl`` and ``--events``."""
GameHandler = Callable[[GameEnded], None]
"""Function that receives the record of each game, after it was committed to the archive."""
NOT_PLAYED_DETAIL = "not played"
"""First words of the detail of a fault if the game was not played because of this fault."""


class Ledger:
    """Tournament and its archive, with functions that issue jobs and receive the events of games.

    All ``handlers`` receive every event, and ``on_game`` every record. ``decides`` may end the
    schedule early. ``moves`` says when runners give the moves of a game. Exceptions of the archive
    and of the schedule are not caught.

    A bot that could not start is barred: it loses its other games, which are not played. But two
    bots that cannot start must not get points against each other. Therefore a game of a barred bot
    is still played if its opponent has not yet shown that it can start. The game is void if the
    opponent cannot start either (``play.game``). A bot shows that it can start by a move, or in
    this run by a win against a bot that could not start. If a bot is barred later, its earlier wins
    still count.

    A bot that forfeits its first ``give_up`` games by the same fault gives up (``FirstGames``).

    With ``strict``, a bot is barred if it is the reason for lost games (``play.suspects``) and a
    game without it was played. If all games are its games, as in a match, the machine may be the
    reason. A bot that an earlier run barred for this stays barred only with ``strict``.
    """

    def __init__(
        self,
        schedule: Schedule,
        variant: Variant,
        archive: Archive,
        handlers: Sequence[EventHandler] = (),
        decides: DecisionFunction | None = None,
        on_game: GameHandler = lambda _: None,
        *,
        strict: bool = False,
        give_up: int = 0,
        moves: Literal["live", "with the result"] = "live",
    ) -> None:
        self._variant = variant
        self._variant_record = VariantRecord.of(variant)
        self._archive = archive
        players = (player for player in archive.roster.now if player not in archive.absent)
        self._bots = {player: BotIndex(bot) for bot, player in enumerate(players)}
        self._handlers = handlers
        self._on_game = on_game
        stored = archive.results()
        self._is_strict = strict
        self.lost: list[LostGame] = []
        """Names of the bots in each game whose worker was lost."""
        self.starved: dict[int, FaultRecord] = {}
        """Faults of bots that were late because their opponents used the processors, by the number
        of the game. Each of these games was played again."""
        self.pondered: dict[Player, str] = {}
        """Descriptions of players that used a processor in the turns of their opponents."""
        self.without_core: set[Player] = set()
        """Players that said on standard error that they lacked the native core of ``c4-bot``."""
        self._started = {
            player for key, game in stored.items() for player in _players_who_moved(key, game)
        }
        """Players who have shown that they can start."""
        earlier = {key: self._result_for_reports(key, game) for key, game in stored.items()}
        self.tournament = Tournament(
            schedule,
            earlier,
            decides,
            give_up=give_up,
            gone=archive.roster.gone,
            absent=archive.absent,
        )
        self._recorded: object = None
        for player, name in archive.names.items():
            if player not in archive.roster.now:
                fault = _fault_without_game(name, Fault.WITHDRAWN, "it no longer takes part")
                self.tournament.bar(player, fault)
        for key, game in stored.items():
            self._note_bots(key, game)
        barred_once = BARRED_FOR_ONE_RUN | (set() if strict else {Fault.LOST_WORKERS})
        for key, game in earlier.items():
            if game.fault is None or game.fault.fault not in barred_once:
                self._bar_offenders(key, game)
        self._record_progress()
        bots = [archive.names[player] for player in archive.roster.now]
        earlier_results = tallied(self.tournament.results)
        self._publish(ContestStarted(archive.contest, bots, moves, earlier_results))
        self._publish_progress()

    def issue(self) -> Job | None:
        """Return the next game to play, or ``None`` if no game is waiting now.

        If a barred bot loses a game that is not played, this function makes the result of the game.
        After ``None``, more games may follow if the tournament is not complete.
        """
        while (pairing := self.tournament.issue()) is not None:
            self._archive.issue(pairing.key)
            faults = self.tournament.faults_of_barred(pairing)
            if not faults or self._needs_test_of_start(pairing, faults):
                return self._job_of(pairing)
            self._commit_and_publish(
                unplayed := self._result_without_game(pairing, faults), orjson.dumps(unplayed)
            )
        return None

    def take(self, event: dict[str, Any], line: bytes) -> None:
        """Receive an event of an issued game, parsed and as a line of JSON.

        Raises ``RecordRefused`` if the event ends a game that was not issued, if the record of the
        game is wrong, or if the line has characters that cannot be printed.
        """
        if not is_visible(line.decode()):
            raise RecordRefused("an event with characters that cannot be printed")
        if event["event"] == "game_ended":
            try:
                key = self.tournament.issued_game(event["game"]).key
            except KeyError:
                raise RecordRefused("the record of a game that was not issued") from None
            names = self._archive.names[key.first], self._archive.names[key.second]
            result = checked_record(event, names, key.opening, self._variant)
            self._commit_and_publish(result, line)
        else:
            self._give_to_handlers(line)

    def roll_back(self, number: int, was_attempt: bool = True) -> None:
        """Take back an issued game that ended without a result.

        It is issued again unless it has had too many attempts (``Tournament.roll_back``).
        """
        self._archive.roll_back(self.tournament.issued_game(number).key)
        self.tournament.roll_back(number, was_attempt)
        self._publish(GameRolledBack(number))

    def lose(self, number: int) -> None:
        """Roll back an issued game whose worker was lost, because it ended or cannot be trusted."""
        key = self.tournament.issued_game(number).key
        self.lost.append((self._archive.names[key.first], self._archive.names[key.second]))
        self.roll_back(number)
        self._bar_reason_for_lost_games()

    def _commit_and_publish(self, result: GameEnded, line: bytes) -> None:
        """Commit a result, note who can start, bar bots, and give the result to the handlers.

        If the game must be played again, roll it back instead. Raises ``UsageError`` for a fault
        that ends the run.
        """
        fault, key = result.fault, self.tournament.issued_game(result.game).key
        self._note_bots(key, result)
        if fault is not None and fault.policy in {Policy.RETRY.value, Policy.STOP.value}:
            self.roll_back(result.game)
            if fault.policy == Policy.STOP.value:
                raise UsageError(f"bot '{fault.bot}': {fault.detail}")
            if fault.fault == Fault.STARVED:
                self.starved.setdefault(result.game, fault)
            return
        self._archive.commit(key, line)
        if not self._started.issuperset((key.first, key.second)):
            self._started |= _players_who_moved(key, result) | _winner_over_ended_bot(key, result)
        self._bar_offenders(key, result)
        self.tournament.store_result(self._result_for_reports(key, result))
        self._bar_reason_for_lost_games()
        self._record_progress()
        self._give_to_handlers(line)
        self._on_game(result)
        self._publish_progress()

    def _publish(self, event: ContestStarted | ContestProgress | GameRolledBack) -> None:
        self._give_to_handlers(orjson.dumps(event))

    def _publish_progress(self) -> None:
        now = self.tournament
        gave_up = [self._archive.names[player] for player in sorted(now.gave_up)]
        self._publish(
            ContestProgress(
                now.done, now.scheduled, now.bound_of_scheduled, now.is_complete, gave_up
            )
        )

    def _give_to_handlers(self, line: bytes) -> None:
        for handler in self._handlers:
            handler(line)

    def _needs_test_of_start(self, pairing: Pairing, faults: Sequence[FaultRecord]) -> bool:
        """Return whether one bot could not start and its opponent has not shown that it can."""
        if [fault.fault for fault in faults] != [Fault.FAILED_TO_START]:
            return False
        is_first = faults[0].bot == self._archive.names[pairing.first]
        opponent = pairing.second if is_first else pairing.first
        return opponent not in self._started

    def _job_of(self, pairing: Pairing) -> Job:
        first, second = self._bots[pairing.first], self._bots[pairing.second]
        # With more than two bots, others may play next. Bots started early would slow them down.
        more = len(self._bots) == 2 and self.tournament.count_waiting > 0
        return Job(
            pairing.number,
            first,
            second,
            pairing.key.opening,
            more,
            repeated=pairing.number in self.starved,
            halts_first=pairing.first in self.pondered,
            halts_second=pairing.second in self.pondered,
        )

    def _record_progress(self) -> None:
        """Store the state of the tournament if something has changed but the results."""
        now = self.tournament
        state = now.rounds, now.is_complete, len(now.dropped), len(now.gave_up)
        if state != self._recorded:
            self._recorded = state
            self._archive.record(now.progress)

    def _result_for_reports(self, key: GameKey, result: GameEnded) -> GameEnded:
        """Return the parts of a result that a report needs, with the bots' names in reports.

        The times of moves, remarks and standard error are left out, because they would take most of
        the memory in a long match. They are in the event and in the archive.
        """
        names = self._archive.names[key.first], self._archive.names[key.second]
        short = replace(
            result, ms=[], cpu_ms=[], stderr={}, remarks=[], variant=self._variant_record
        )
        return with_names(short, *names)

    def _bar_offenders(self, key: GameKey, result: GameEnded) -> None:
        """Bar the bots that committed a barring fault in a game."""
        for fault in filter(None, (result.fault, *result.notes)):
            could_not_start = fault.fault == Fault.FAILED_TO_START  # its policy may be void
            if could_not_start or fault.policy == Policy.BAR.value:
                player = key.first if fault.bot == result.first else key.second
                self.tournament.bar(player, replace(fault, policy=Policy.BAR.value))

    def _note_bots(self, key: GameKey, result: GameEnded) -> None:
        """Note the bots that pondered or lacked the native core, by the record of a game."""
        for player, name in ((key.first, result.first), (key.second, result.second)):
            if NO_CORE in result.stderr.get(name, ""):
                self.without_core.add(player)
        for note in result.notes:
            if note.fault == Fault.PONDERED:
                player = key.first if note.bot == result.first else key.second
                self.pondered[player] = note.detail

    def _bar_reason_for_lost_games(self) -> None:
        """Bar the bot that is the reason for the lost games, if the contest is strict."""
        culprit = culprit_of(self.lost) if self._is_strict else None
        if culprit is None:
            return
        others = (game for game in self.tournament.results if game.moves)
        if any(culprit not in {game.first, game.second} for game in others):
            names = self._archive.names
            player = next(player for player in names if names[player] == culprit)
            detail = "its workers ended or hung in nearly all of the lost games"
            self.tournament.bar(player, _fault_without_game(culprit, Fault.LOST_WORKERS, detail))

    def _result_without_game(self, pairing: Pairing, faults: Sequence[FaultRecord]) -> GameEnded:
        """Return the result of a game that a barred bot loses, which is void if both are barred."""
        names = self._archive.own_names[pairing.first], self._archive.own_names[pairing.second]
        fault, both = faults[0], len(faults) > 1
        loser = 1 if fault.bot == self._archive.names[pairing.first] else 2
        reason = "has withdrawn" if fault.fault == Fault.WITHDRAWN else "is barred"
        detail = f"{NOT_PLAYED_DETAIL}, as the bot {reason}"
        policy = Policy.VOID.value if both else fault.policy
        return GameEnded(
            game=pairing.number,
            first=names[0],
            second=names[1],
            moves="",
            ms=[],
            cpu_ms=[],
            winner=0 if both else 2 if loser == 1 else 1,
            ending="void" if both else "forfeit",
            fault=FaultRecord(names[loser - 1], fault.fault, policy, 0, 0.0, 0.0, detail),
            notes=[],
            stderr={},
            variant=self._variant_record,
            opening=pairing.key.opening,
        )


def _players_who_moved(key: GameKey, result: GameEnded) -> set[Player]:
    """Return the players who have made a move in a game after its opening."""
    players = (key.first, key.second)
    return {players[(result.start + made) % 2] for made in range(min(2, len(result.ms)))}


def _winner_over_ended_bot(key: GameKey, result: GameEnded) -> set[Player]:
    """Return the winner of a game if the loser ended or closed a pipe, otherwise no player."""
    if (
        result.fault is None
        or not result.winner
        or result.fault.fault not in FAULTS_OF_MISSING_START
    ):
        return set()
    return {(key.first, key.second)[result.winner - 1]}


def _fault_without_game(bot: str, fault: Fault, detail: str) -> FaultRecord:
    return FaultRecord(bot, fault.value, fault.policy.value, 0, 0.0, 0.0, detail)
