"""Records of games for tests."""

from random import Random

from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.notation import moves_text, replay
from c4_protocol.rules.variant import STANDARD, Variant

DRAWN = "156366643422365415735125444215362321717777"
"""Moves of a drawn game on the standard board."""


def finished(number: int, first: str, second: str, opening: str, winner: int) -> GameEnded:
    """Return the record of a game that is played to its end, and that a seat wins."""
    seed = 0
    while True:
        position, cells = replay(opening, STANDARD)
        draw = Random(f"{opening} {seed}")
        while not position.is_over:
            cells.append(draw.choice(position.moves))
            position = position.play(cells[-1])
        if position.winner == winner:
            break
        seed += 1
    times = [1.0] * (len(cells) - len(opening))
    return GameEnded(
        number, first, second, moves_text(STANDARD, cells), times, times, winner, "line", None, [],
        {}, VariantRecord.of(STANDARD), opening,
    )  # fmt: skip


def game_of(
    moves: str, opening: str = "", variant: Variant = STANDARD, **fields: object
) -> GameEnded:
    """Return the record of a game of a against b."""
    usual = {"game": 1, "first": "a", "second": "b", "winner": 0, "ending": "full board"}
    usual |= {"ms": [], "cpu_ms": [], "fault": None, "notes": [], "stderr": {}}
    record = VariantRecord.of(variant)
    return GameEnded(**usual | fields, moves=moves, opening=opening, variant=record)  # type: ignore[arg-type]
