"""Contests and how they are played.

``Contest.play`` connects the parts. The archive knows the bots and the games of earlier runs. The
schedule says which games to play. The ledger gives the games without a result to a runner, stores
their results and passes their events to the handlers. ``Contest.play`` returns an ``Outcome``, from
which reports are made.

A match and a tournament are both contests. ``Contest.match`` makes a contest from the options of a
match, and ``contest_file.TournamentFile.contest`` makes one from a file.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from c4_protocol.program.errors import UsageError
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import GoalRecord, Incidents
from c4_protocol.rules.variant import STANDARD, Variant

from c4_referee.bots.bot_files import FileStates, FileWatch, changes_in_words, states_of
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.functions import Function
from c4_referee.bots.neighbours import OtherBots
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.choosing import Chooser, GoalSettings
from c4_referee.contest.executor import LOCAL_EXECUTOR, find_runner
from c4_referee.contest.judging.judge import Judge
from c4_referee.contest.live.file import LiveFile
from c4_referee.contest.openings import Openings
from c4_referee.contest.play.jobs import WantedEvents, WorkerSettings
from c4_referee.contest.play.ledger import EventHandler, GameHandler, Ledger
from c4_referee.contest.play.suspects import suspects_of
from c4_referee.contest.play.tournament import DecisionFunction, Tournament
from c4_referee.contest.schedule import Plan, Schedule, System
from c4_referee.contest.schedule.match import games_in_turn
from c4_referee.records.rounds import Player, Roster
from c4_referee.records.storage.archive import Archive

DEFAULT_GIVE_UP = 3
"""Default number of first games after which a bot of a tournament gives up."""
MIN_PLAYERS_LEFT = 2
"""Minimum number of bots that can play, in systems whose rounds would go on without the others."""
MIN_ABSENCE_MS = 1000.0
"""Minimum time in which the referee did not run in the games of a bot, in milliseconds. Reports
leave out bots with less, because every busy machine has short absences."""


@dataclass(frozen=True)
class Outcome:
    """State of a contest after a run.

    ``names`` are the names of all bots by their place in the archive, including bots that were
    removed. ``present`` are the places of the bots that take part now. ``tournament`` holds the
    results of this run and of earlier runs. ``seconds`` is the duration of this run.
    ``was_interrupted`` is true if Ctrl-C ended the run. ``incidents`` are lost games, and bots
    whose files changed. ``contest`` is the number of the contest in its folder, or ``None`` if
    there is no folder. ``without_core`` are the names of the bots that said in one of the games
    that they lacked the native core of ``c4-bot``. ``goal`` says what the results tell about the
    goal of the contest, if it has one, and ``placed`` are the bots whose own places are certain, of
    those that are to be placed.
    """

    tournament: Tournament
    names: Mapping[Player, str]
    seconds: float
    was_interrupted: bool = False
    incidents: Incidents = field(default_factory=Incidents)
    contest: int | None = None
    present: tuple[Player, ...] = ()
    without_core: frozenset[str] = frozenset()
    goal: GoalRecord | None = None
    placed: frozenset[str] = frozenset()

    @property
    def games(self) -> list[GameEnded]:
        """Records of the games that have a result, by number.

        These records lack the times of moves and the bots' standard error, which are in the events
        and in the archive.
        """
        return self.tournament.results

    @property
    def is_complete(self) -> bool:
        """True if every scheduled game has a result, or if no more games were needed."""
        return self.tournament.is_complete


@dataclass(frozen=True)
class Contest:
    """Bots, the system by which they meet, and the conditions of their games.

    ``bots`` have different names. The parameters of the ``system`` are ``rounds`` and ``pairs``.
    ``openings`` is a source of openings (see ``contest.openings.Openings``). Random openings are
    generated with ``seed``. The bot ``judge`` says which openings are balanced. ``control`` is the
    time control of bots without ``time_ms``.

    ``concurrency`` is the maximum number of games played at the same time. ``executor`` says where
    they are played (``find_runner``). Each game runs on one processor of ``cpus``, or on any
    processor if ``cpus`` is empty. ``strict`` has the same meaning as in ``Ledger``, and so has
    ``give_up``. If that is ``None``, it is as when the contest began, by default
    ``DEFAULT_GIVE_UP``.

    ``missing`` says which bots cannot play in this run, by name, and why. A contest that has begun
    goes on without them. If the rounds of the system depend on results, they leave the contest,
    unless all its games are played. Otherwise their games stay open.

    ``goal`` is what an adaptive tournament is to tell.

    ``functions`` are the bots that are functions, by name. Then ``concurrency`` is 1.

    ``identity`` is a JSON object that identifies the contest, because several contests may be
    stored in the same folder. If it is not set, a contest is identified by its bots (in order), its
    variant and its time controls.
    """

    bots: tuple[BotSpec, ...]
    system: System
    rounds: int | None = None
    pairs: int = 1
    openings: str = "none"
    seed: int = 0
    judge: BotSpec | None = None
    variant: Variant = STANDARD
    control: TimeControl = field(default_factory=TimeControl)
    concurrency: int = 1
    cpus: tuple[int, ...] = ()
    executor: str = LOCAL_EXECUTOR
    strict: bool = False
    give_up: int | None = 0
    goal: GoalSettings | None = None
    identity: Mapping[str, Any] | None = None
    missing: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Function] = field(default_factory=dict)

    @classmethod
    def match(
        cls,
        first: BotSpec,
        second: BotSpec,
        games: int = 2,
        openings: str = "none",
        **others: Any,  # noqa: ANN401 - the types of the fields
    ) -> "Contest":
        """Return a match of ``games`` games, in which the bots take turns in moving first.

        Each opening is used twice, so that both bots move first in it. ``others`` are further
        fields of the contest. Raises ``UsageError`` for an odd number of games with openings.
        """
        if openings != "none" and games % 2:
            raise UsageError(f"openings are played with both colours: {games} games are odd")
        system = System(partial(games_in_turn, games))
        return cls((first, second), system, openings=openings, **others)

    @property
    def players(self) -> tuple[BotSpec, ...]:
        """Bots that can play in this run."""
        return tuple(bot for bot in self.bots if bot.name not in self.missing)

    @property
    def is_local(self) -> bool:
        """True if the games are played on this machine."""
        return self.executor == LOCAL_EXECUTOR

    @property
    def stored_identity(self) -> Mapping[str, Any]:
        """The JSON object that identifies the contest in a folder."""
        from c4_referee.records.storage.folder_archive import identity_of_bots  # noqa: PLC0415 - only a folder needs a database

        controls = self._time_controls(self.bots)
        return self.identity or identity_of_bots(self.bots, self.variant, controls)

    def play(
        self,
        handlers: Sequence[EventHandler] = (),
        out: Path | None = None,
        progress: EventHandler | None = None,
        decides: DecisionFunction | None = None,
        on_game: GameHandler = lambda _: None,
        pauses: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Play the games that have no result yet and return the outcome.

        Every handler receives every event, and ``on_game`` the record of every game. ``progress``
        is a handler that needs no moves. With a folder ``out``, results are stored there, and
        results that are there already count. The moves of games in progress are written to
        ``live.jsonl`` there. ``decides`` may end the contest early, and ``pauses`` an adaptive one
        before a round, for now. Ctrl-C ends the run. Then the
        outcome holds the games that were finished.

        Raises ``ArenaError`` if the folder cannot be read or written, if the openings or the
        schedule cannot be made, if a bot's dialect cannot express a game, or if the executor does
        not exist. Raises ``OSError`` if the connection to an executor is lost.
        """
        bots, controls = self.players, self._time_controls(self.players)
        for bot, control in zip(bots, controls, strict=True):
            bot.check_plays(self.variant, control)
            bot.check_openings(self.openings)
        if self.is_local:
            OtherBots(bots).check_common_folders(out)
        runner = find_runner(self.executor, self.concurrency, self.cpus, self.functions)
        files = tuple(map(states_of, bots)) if self.is_local else ()
        began = time.monotonic()
        with ExitStack() as stack:
            # The judge runs until the end, because openings are generated when they are needed.
            judge = stack.enter_context(Judge(self.judge)) if self.judge else None
            value = judge.value if judge else None
            openings = Openings(self.openings, self.variant, self.seed, value)
            archive = stack.enter_context(self._open_archive(out))
            readers = [*handlers, *filter(None, [progress])]
            if out is not None:
                readers.append(stack.enter_context(LiveFile(out)))
            give_up = self._give_up_limit(archive)
            self._let_missing_bots_leave(archive, openings, give_up)
            chooser = Chooser(self.goal, self.pairs, archive, pauses=pauses) if self.goal else None
            ledger = Ledger(
                self._make_schedule(archive.roster, openings, chooser),
                self.variant,
                archive,
                readers,
                decides if chooser is None else chooser.take_game,
                on_game,
                strict=self.strict,
                give_up=give_up,
                moves="live" if self.is_local else "with the result",
            )
            live: WantedEvents = "slow games" if out is not None and self.is_local else "results"
            wanted = "all" if handlers else live
            settings = WorkerSettings(self.variant, bots, controls, wanted, files)
            was_interrupted = True
            with suppress(KeyboardInterrupt):
                runner(ledger, settings).run()
                was_interrupted = False
            played = ledger.tournament
            goal = chooser.record(played.results, played.is_complete) if chooser else None
            placed = chooser.placed(played.results) if chooser else frozenset[str]()
        seconds = time.monotonic() - began
        incidents = incidents_of(ledger, archive.names, bots, files)
        return Outcome(
            ledger.tournament,
            archive.names,
            seconds,
            was_interrupted,
            incidents,
            archive.contest,
            archive.roster.now,
            frozenset(archive.names[player] for player in ledger.without_core),
            goal,
            placed,
        )

    def _open_archive(self, out: Path | None) -> Archive:
        if out is None:
            return Archive(self.bots)
        from c4_referee.records.storage.folder_archive import FolderArchive  # noqa: PLC0415 - only a folder needs a database

        return FolderArchive(out, self.stored_identity, self.bots, self.missing)

    def _give_up_limit(self, archive: Archive) -> int:
        """Return the limit for giving up.

        Raises ``UsageError`` if another limit would change rounds that were played.
        """
        known = archive.give_up
        if known is None or self.give_up in {None, known}:
            first = DEFAULT_GIVE_UP if self.give_up is None else self.give_up
            return first if known is None else known
        if self.system.depends_on_results:
            raise UsageError(
                f"give_up was {known} when this tournament began: write give_up = {known}, or name "
                "another folder with --out"
            )
        return self.give_up or 0

    def _let_missing_bots_leave(self, archive: Archive, openings: Openings, give_up: int) -> None:
        """Let missing bots leave if rounds of the contest would wait for them.

        Raises ``UsageError`` if too few bots are left, as in a wrong folder, or if the first bot of
        a system that tests it is new and missing.
        """
        known = {archive.names[player] for player in archive.roster.now}
        first = self.bots[0].name
        if self.system.first_is_tested and first in self.missing and first not in known:
            raise UsageError(self.missing[first])
        if archive.absent and self.system.depends_on_results:
            roster = replace(archive.roster, gone=set())
            chooser = Chooser(self.goal, self.pairs, archive, stores=False) if self.goal else None
            schedule, games = self._make_schedule(roster, openings, chooser), archive.results()
            decides = chooser.take_game if chooser else None
            played = Tournament(schedule, games, decides, give_up=give_up, gone=roster.gone)
            if not played.is_complete:
                if len(self.players) < MIN_PLAYERS_LEFT:
                    raise UsageError("; ".join(self.missing.values()))
                archive.leave_out_absent()

    def _make_schedule(
        self, roster: Roster, openings: Openings, chooser: Chooser | None
    ) -> Schedule:
        choose = chooser.choose if chooser else None
        plan = Plan(roster, openings.start, self.rounds, self.pairs, choose)
        return self.system.schedule(plan)

    def _time_controls(self, bots: Sequence[BotSpec]) -> tuple[TimeControl, ...]:
        """Return the time control of each bot, which is its own or that of the contest."""
        return tuple(bot.time_control(self.control) for bot in bots)


def incidents_of(
    ledger: Ledger,
    names: Mapping[Player, str],
    bots: Sequence[BotSpec],
    files: Sequence[FileStates],
) -> Incidents:
    """Return the incidents of a contest after a run: disturbances that no result shows.

    ``names`` are those of the players. ``files`` are the states of the bots' files at the start of
    this run, or empty if the files are on other machines.
    """
    games = ledger.tournament.results
    absent: dict[str, float] = {}
    for game in games:
        for bot in game.bots:
            absent[bot] = absent.get(bot, 0.0) + game.absent_ms
    return Incidents(
        lost_games=len(ledger.lost),
        suspects=tuple(suspects_of(ledger.lost)),
        changed_files=_changed_files_by_bot(games, bots, files),
        pondered={names[player]: detail for player, detail in ledger.pondered.items()},
        starved=tuple(
            f"{fault.bot} in game {game}: {fault.detail}" for game, fault in ledger.starved.items()
        ),
        absent_ms={bot: ms for bot, ms in absent.items() if ms >= MIN_ABSENCE_MS},
    )


def _changed_files_by_bot(
    games: Sequence[GameEnded], bots: Sequence[BotSpec], files: Sequence[FileStates]
) -> dict[str, str]:
    """Return what changed in the files of each bot that changed its files, by name.

    The records of games note changes that were found when a bot was started. ``files`` are the
    states at the start of this run, or empty if the files are on other machines.
    """
    notes = (note for game in games for note in game.notes)
    changed = {note.bot: note.detail for note in notes if note.fault == Fault.CHANGED_FILES}
    for bot, states in zip(bots, files, strict=False):
        if bot.name not in changed and (found := FileWatch(bot, states).find_changes()):
            changed[bot.name] = changes_in_words(found, bot)
    return changed
