"""One game between two contestants, as a generator of events that uses no files.

In: two contestants, their time controls, and the moves of the opening. Out: ``GameStarted``, a
``MoveMade`` for each move of the bots, and ``GameEnded`` with the whole record.

The generator is not asynchronous, because a worker process plays one game at a time, and the
channel waits in ``poll``.

If a bot is late with little processor time of its own, and its opponent used some in this turn, its
fault is ``STARVED``, and the game must be played again. The second time, the bot is late.

Guarantee: two bots that cannot start get no points against each other. If a bot could not start,
its opponent wins only if the opponent has shown that it can start. It shows this by a move in this
game, or by answering a question that is asked for this reason only. If the opponent cannot start
either, the game is void. Therefore the result does not depend on which bot moves first or fails
first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from c4_protocol.program.text import visible
from c4_protocol.records.events import (
    FaultRecord,
    GameEnded,
    GameEvent,
    GameStarted,
    MoveMade,
    MoveRemarked,
    VariantRecord,
)
from c4_protocol.rules.notation import moves_text, replay, wire_move
from c4_protocol.rules.position import SEATS, Seat, other_seat, seat_at
from c4_protocol.rules.variant import Variant

from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.contain.faults import (
    FAULTS_OF_MISSING_START,
    LATENESS_FAULTS,
    Fault,
    Foul,
    Policy,
)
from c4_referee.bots.contain.halting import MAX_IDLE_MS
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.talk.contestant import Contestant
from c4_referee.contest.play.jobs import Job
from c4_referee.contest.play.remarks import remark_of_answer, remarks_for_record

MAX_RECORDED_BYTES = 200
"""Maximum length of a wrong line in records, in bytes. The rest of a longer line is left out."""
MIN_BLAME_SHARE = 0.1
"""Minimum processor time of the opponent of a late bot, as a share of the time of the late bot. An
opponent that used less cannot have made it late."""
MAX_STARVED_SHARE = 0.5
"""Maximum share of its time in which a late bot had a processor, if its opponent is to blame."""


def play(
    job: Job,
    variant: Variant,
    contestants: tuple[Contestant, Contestant],
    controls: tuple[TimeControl, TimeControl],
    *,
    results_only: bool = False,
) -> Iterator[GameEvent]:
    """Play a game and generate its events. The last one is ``GameEnded``.

    With ``results_only``, it is the only one, which saves time.

    The first contestant has seat 1, whatever the bots of the ``job`` are. The opening must not end
    the game. The bots learn of the end of the game before the record is made, because the record
    includes what they do at the end.
    """
    game = _GameInProgress(job, variant, contestants, controls)
    if not results_only:
        yield GameStarted(job.game, *game.names, VariantRecord.of(variant), job.opening)
    seat: Seat = 1
    try:
        for seat in SEATS:
            # Both bots are started before the first move, so that they start up at the same time.
            game.start_bot(seat)
        while not (game.position.is_won or game.position.is_full):
            seat = game.position.player
            game.play_move()
            if not results_only:
                yield from game.last_move()
    except Foul as foul:
        game.absent_ms += foul.absent_ms
        if foul.by_opponent:
            seat = other_seat(seat)
            contestants[seat - 1].stop()
        game.fault = game.fault_record(seat, foul)
        if foul.fault in FAULTS_OF_MISSING_START and not game.has_moved(seat):
            game.void_if_no_start(other_seat(seat))
    game.end()
    yield game.record()


@dataclass
class _GameInProgress:
    """State of a game in progress. Fields that are tuples have one entry for each seat."""

    job: Job
    variant: Variant
    contestants: tuple[Contestant, Contestant]
    controls: tuple[TimeControl, TimeControl]
    ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    fault: FaultRecord | None = None
    notes: list[FaultRecord] = field(default_factory=list)
    stderr: dict[str, str] = field(default_factory=dict)
    absent_ms: float = 0.0

    def __post_init__(self) -> None:
        first, second = self.contestants
        self.names = first.spec.name, second.spec.name
        self.clocks = PlayerClock(self.controls[0]), PlayerClock(self.controls[1])
        self.position, self.cells = replay(self.job.opening, self.variant)

    def start_bot(self, seat: Seat) -> None:
        """Start the bot in a seat, or raise ``Foul``."""
        move_ms = self.controls[seat - 1].move_ms
        self.contestants[seat - 1].start(CommandValues(seat, self.variant, move_ms))

    def play_move(self) -> None:
        """Ask the bot whose turn it is for a move, and make this move, or raise ``Foul``."""
        position, seat = self.position, self.position.player
        clock, other = self.clocks[seat - 1], self.clocks[other_seat(seat) - 1]
        try:
            answer = self.contestants[seat - 1].ask(position, clock, other)
        except Foul as foul:
            raise self._foul_or_starved(foul, seat) from None
        self.position = position.play(answer.cell)
        self.absent_ms += answer.absent_ms
        self.cells.append(answer.cell)
        self.ms.append(round(answer.ms, 3))
        self.cpu_ms.append(round(answer.cpu_ms, 3))
        self.remarks.append(remark_of_answer(answer.line, position))

    def _foul_or_starved(self, foul: Foul, seat: Seat) -> Foul:
        """Return the foul of the bot in a seat, as ``STARVED`` if its opponent made it late."""
        is_own = foul.fault not in LATENESS_FAULTS or foul.cpu_ms > foul.ms * MAX_STARVED_SHARE
        if is_own or self.job.repeated:
            return foul
        other = other_seat(seat)
        used_ms = self.contestants[other - 1].idle_ms()
        # Before its first move, the opponent starts up, which needs a processor.
        share = MIN_BLAME_SHARE if self.has_moved(other) else MAX_STARVED_SHARE
        allowed_ms = max(MAX_IDLE_MS, foul.ms * share)
        if used_ms <= allowed_ms:
            return foul
        times = f"it had a processor for {foul.cpu_ms:.0f} of {foul.ms:.0f} ms"
        detail = f"{times}, and its opponent used {used_ms:.0f} ms meanwhile"
        return replace(foul, fault=Fault.STARVED, detail=detail, line=None)

    def last_move(self) -> Iterator[MoveMade | MoveRemarked]:
        """Generate the event of the last move, and that of its remark if the bot said something."""
        bot = self.names[other_seat(self.position.player) - 1]
        move = wire_move(self.variant, self.cells[-1])
        ply = len(self.cells) - 1
        yield MoveMade(self.job.game, ply, bot, move, self.ms[-1], self.cpu_ms[-1])
        if self.remarks[-1]:
            yield MoveRemarked(self.job.game, ply, self.remarks[-1])

    def fault_record(self, seat: Seat, foul: Foul) -> FaultRecord:
        """Return the record of a fault that the bot in a seat has just committed."""
        shown = None if foul.line is None else foul.line[:MAX_RECORDED_BYTES]
        return FaultRecord(
            bot=self.names[seat - 1],
            fault=foul.fault.value,
            policy=foul.fault.policy.value,
            ply=len(self.cells),
            ms=round(foul.ms, 3),
            cpu_ms=round(foul.cpu_ms, 3),
            detail=visible(foul.detail),
            line=None if shown is None else visible(shown.decode(errors="backslashreplace")),
        )

    def void_if_no_start(self, seat: Seat) -> None:
        """Make the game void if the bot in this seat cannot start either.

        The bot is asked for a move. If it is the turn of its opponent, a legal move is made for the
        opponent before that. If the machine has no room for the bot, the game is played again.
        """
        position = self.position
        if position.player != seat:
            position = position.play(position.moves[0])
        can_start = self.has_moved(seat) or not self.contestants[seat - 1].must_show_start
        if can_start or position.is_over:
            return
        clock = PlayerClock(self.controls[seat - 1])
        other = PlayerClock(self.controls[other_seat(seat) - 1])
        try:
            self.start_bot(seat)
            self.contestants[seat - 1].ask(position, clock, other)
        except Foul as foul:
            fault = self.fault_record(seat, foul)
            if foul.fault.policy in {Policy.RETRY, Policy.STOP}:
                self.fault = fault
            elif foul.fault in FAULTS_OF_MISSING_START and self.fault is not None:
                self.fault = replace(self.fault, policy=Policy.VOID.value)
                self.notes.append(replace(fault, policy=Policy.VOID.value))

    def has_moved(self, seat: Seat) -> bool:
        """Return whether the bot in a seat has made a move of its own."""
        opening = len(self.cells) - len(self.ms)
        return any(seat_at(ply) == seat for ply in range(opening, len(self.cells)))

    def end(self) -> None:
        """End the game for both bots. Note their standard error and their faults at the end.

        If they play again, they are started for the next game.
        """
        for contestant in self.contestants:
            contestant.close_input_at_end()
        for seat, contestant in zip(SEATS, self.contestants, strict=True):
            fouls = contestant.end_game(), contestant.take_change(), contestant.halting.take_foul()
            self.notes += [self.fault_record(seat, foul) for foul in fouls if foul]
            if text := contestant.take_stderr():
                self.stderr[self.names[seat - 1]] = text
            if self.job.more and not self.fault:
                contestant.start_ahead()

    def record(self) -> GameEnded:
        """Return the record of the game, which is its last event."""
        winner: Literal[0, 1, 2] = self.position.winner
        ending: Literal["line", "full board", "forfeit", "void"] = (
            "line" if winner else "full board"
        )
        if self.fault and self.fault.policy in {Policy.FORFEIT.value, Policy.BAR.value}:
            winner, ending = 2 if self.fault.bot == self.names[0] else 1, "forfeit"
        elif self.fault:
            winner, ending = 0, "void"
        return GameEnded(
            game=self.job.game,
            first=self.names[0],
            second=self.names[1],
            moves=moves_text(self.position.variant, self.cells),
            ms=self.ms,
            cpu_ms=self.cpu_ms,
            winner=winner,
            ending=ending,
            fault=self.fault,
            notes=self.notes,
            stderr=self.stderr,
            variant=VariantRecord.of(self.variant),
            opening=self.job.opening,
            absent_ms=round(self.absent_ms, 3),
            remarks=remarks_for_record(self.remarks),
        )
