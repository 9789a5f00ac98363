"""One game as a generator of events: no files, no printing.

A plain generator rather than an asynchronous one: the channel waits in ``poll``, and a worker
process plays one game at a time.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from protocol.notation import moves_text, wire_move
from protocol.position import Position
from protocol.records import (
    Event,
    FaultRecord,
    GameEnded,
    GameStarted,
    MoveMade,
    VariantRecord,
)
from protocol.variant import Variant
from referee.clock import PlayerClock, TimeControl
from referee.contestant import Contestant
from referee.faults import Foul

LINE_SHOWN = 200
"""Bytes of an offending line that records keep."""


def play(
    number: int,
    variant: Variant,
    contestants: tuple[Contestant, Contestant],
    controls: tuple[TimeControl, TimeControl],
) -> Iterator[Event]:
    """Plays a game, the first contestant as player 1; the last event is ``GameEnded``."""
    names = (contestants[0].spec.name, contestants[1].spec.name)
    clocks = [PlayerClock(control) for control in controls]
    game = _Game(number, names, Position(variant))
    yield GameStarted(number, *names, VariantRecord.of(variant))
    seat = 0
    try:
        for seat in (0, 1):
            contestants[seat].start()  # both, so that neither waits for the other's start-up
        while not game.position.is_over:
            seat = game.position.player - 1
            cell, ms = contestants[seat].ask(game.position, clocks[seat])
            yield game.moved(cell, round(ms, 3))
        yield game.finished()
    except Foul as foul:
        yield game.forfeited(seat, foul)


@dataclass
class _Game:
    """A game so far."""

    number: int
    names: tuple[str, str]
    position: Position
    cells: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def moved(self, cell: int, ms: float) -> MoveMade:
        move = wire_move(self.position.variant, cell)
        bot = self.names[self.position.player - 1]
        event = MoveMade(self.number, self.position.ply, bot, move, ms)
        self.position = self.position.play(cell)
        self.cells.append(cell)
        self.times.append(ms)
        return event

    def finished(self) -> GameEnded:
        winner = self.position.winner
        return self._ended(winner, "line" if winner else "full board")

    def forfeited(self, seat: int, foul: Foul) -> GameEnded:
        shown = (
            None if foul.line is None else foul.line[:LINE_SHOWN].decode(errors="backslashreplace")
        )
        fault = FaultRecord(
            bot=self.names[seat],
            fault=foul.fault.value,
            ply=self.position.ply,
            ms=round(foul.ms, 3),
            detail=foul.detail,
            line=shown,
        )
        return self._ended(2 - seat, "forfeit", fault)

    def _ended(
        self,
        winner: int,
        ending: Literal["line", "full board", "forfeit"],
        fault: FaultRecord | None = None,
    ) -> GameEnded:
        variant = self.position.variant
        return GameEnded(
            game=self.number,
            first=self.names[0],
            second=self.names[1],
            moves=moves_text(variant, self.cells),
            ms=self.times,
            winner=winner,
            ending=ending,
            fault=fault,
            variant=VariantRecord.of(variant),
        )
