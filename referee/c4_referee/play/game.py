"""One game as a generator of events: no files, no printing.

A plain generator rather than an asynchronous one: the channel waits in ``poll``, and a worker
process plays one game at a time.

Two bots that cannot start get no points against each other. If a bot could not start, its opponent
must have shown that it can: by a move in this game, or else by answering a question that is asked
for that reason only. If it could not start either, the game is void. The result therefore depends
neither on who goes first nor on which bot is found out first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from c4_protocol.events import Event, FaultRecord, GameEnded, GameStarted, MoveMade, VariantRecord
from c4_protocol.notation import cells_from_moves, moves_text, position_from_moves, wire_move
from c4_protocol.position import Position
from c4_protocol.variant import Variant

from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.command_line import Seat
from c4_referee.bots.contestant import Answer, Contestant
from c4_referee.bots.faults import NOT_STARTED, Foul, Policy

LINE_SHOWN = 200
"""Bytes of an offending line that records keep."""


def play(
    number: int,
    variant: Variant,
    contestants: tuple[Contestant, Contestant],
    controls: tuple[TimeControl, TimeControl],
    *,
    opening: str = "",
    more: bool = False,
) -> Iterator[Event]:
    """Plays a game, the first contestant as player 1; the last event is ``GameEnded``.

    The moves of the ``opening`` are made for them; it does not end the game.
    The bots are told of the end before it is recorded, so that what they do then is in the record.
    If ``more`` games follow, those that are started anew for each are started as soon as they have
    ended, so that this is not waited for later.
    """
    names = (contestants[0].spec.name, contestants[1].spec.name)
    clocks = [PlayerClock(control) for control in controls]
    game = _Game(number, names, variant, opening)
    yield GameStarted(number, *names, VariantRecord.of(variant), opening)
    seat = 0
    try:
        for seat in (0, 1):
            # Both, so that neither waits for the other's start-up.
            contestants[seat].start(_seat(seat, variant, controls))
        while not (game.position.is_won or game.position.is_full):
            seat = game.position.player - 1
            clock, other = clocks[seat], clocks[1 - seat]
            yield game.moved(contestants[seat].ask(game.position, clock, other))
    except Foul as foul:
        game.fault = game.fault_of(seat, foul)
        if game.could_not_start(seat, foul):
            game.find_out_other(1 - seat, contestants[1 - seat], controls)
    for contestant in contestants:
        contestant.say_end()
    for seat in (0, 1):
        game.end(seat, contestants[seat])
        if more and not game.fault:
            contestants[seat].start_ahead()
    yield game.record()


def _seat(seat: int, variant: Variant, controls: tuple[TimeControl, TimeControl]) -> Seat:
    """Return what a bot is started with in a seat, 0 for the one that plays as player 1."""
    return Seat(seat + 1, variant, controls[seat].move_ms)


@dataclass
class _Game:
    """A game so far."""

    number: int
    names: tuple[str, str]
    variant: Variant
    opening: str = ""
    cells: list[int] = field(init=False)
    position: Position = field(init=False)
    ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    fault: FaultRecord | None = None
    notes: list[FaultRecord] = field(default_factory=list)
    stderr: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cells = cells_from_moves(self.opening, self.variant)
        self.position = position_from_moves(self.opening, self.variant)

    def moved(self, answer: Answer) -> MoveMade:
        """The next move is made."""
        position = self.position
        ms, cpu_ms = round(answer.ms, 3), round(answer.cpu_ms, 3)
        self.position = position.play(answer.cell)
        self.cells.append(answer.cell)
        self.ms.append(ms)
        self.cpu_ms.append(cpu_ms)
        move = wire_move(position.variant, answer.cell)
        return MoveMade(
            self.number, len(self.cells) - 1, self.names[position.player - 1], move, ms, cpu_ms
        )

    def fault_of(self, seat: int, foul: Foul) -> FaultRecord:
        """The record of a fault that the bot in a seat commits now."""
        line = foul.line
        return FaultRecord(
            bot=self.names[seat],
            fault=foul.fault.value,
            policy=foul.fault.policy.value,
            ply=len(self.cells),
            ms=round(foul.ms, 3),
            cpu_ms=round(foul.cpu_ms, 3),
            detail=foul.detail,
            line=None if line is None else line[:LINE_SHOWN].decode(errors="backslashreplace"),
        )

    def could_not_start(self, seat: int, foul: Foul) -> bool:
        """Return whether the fault of the bot in a seat means that it could not start."""
        return foul.fault in NOT_STARTED and not self._has_moved(seat)

    def find_out_other(
        self, seat: int, contestant: Contestant, controls: tuple[TimeControl, TimeControl]
    ) -> None:
        """Make the game void if the bot in a seat, whose opponent could not start, cannot either.

        The bot is asked for a move, as if its opponent had made one if that was to move. If the
        machine has no room to start it, the game is to be played again.
        """
        position = self.position
        if position.player - 1 != seat:
            position = position.play(position.moves[0])
        if self._has_moved(seat) or position.is_over:
            return
        clock, other = PlayerClock(controls[seat]), PlayerClock(controls[1 - seat])
        try:
            contestant.start(_seat(seat, self.variant, controls))
            contestant.ask(position, clock, other)
        except Foul as foul:
            found = self.fault_of(seat, foul)
            if foul.fault.policy is Policy.RETRY:
                self.fault = found
            elif foul.fault in NOT_STARTED and self.fault is not None:
                self.fault = replace(self.fault, policy="void")
                self.notes.append(replace(found, policy="void"))

    def _has_moved(self, seat: int) -> bool:
        """Return whether the bot in a seat has made a move of its own."""
        opening = len(self.cells) - len(self.ms)
        return any(ply % 2 == seat for ply in range(opening, len(self.cells)))

    def end(self, seat: int, contestant: Contestant) -> None:
        """Ends the game for a bot, and keeps what it has left to say."""
        if foul := contestant.end_game():
            self.notes.append(self.fault_of(seat, foul))
        if said := contestant.take_stderr():
            self.stderr[self.names[seat]] = said

    def record(self) -> GameEnded:
        """The record of the game."""
        winner, ending = self._outcome()
        return GameEnded(
            game=self.number,
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
            opening=self.opening,
        )

    def _outcome(self) -> tuple[int, Literal["line", "full board", "forfeit", "void"]]:
        """The winner, 0 for nobody, and what ended the game."""
        if self.fault is None:
            winner = self.position.winner
            return winner, "line" if winner else "full board"
        if self.fault.policy in {"forfeit", "bar"}:
            return (2 if self.fault.bot == self.names[0] else 1), "forfeit"
        return 0, "void"
