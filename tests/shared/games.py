"""Records of games for tests."""

from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.rules.variant import STANDARD, Variant

DRAWN = "156366643422365415735125444215362321717777"
"""Moves of a drawn game on the standard board."""


def game_of(
    moves: str, opening: str = "", variant: Variant = STANDARD, **fields: object
) -> GameEnded:
    """Return the record of a game of a against b."""
    usual = {
        "game": 1,
        "first": "a",
        "second": "b",
        "ms": [],
        "cpu_ms": [],
        "winner": 0,
        "ending": "full board",
        "fault": None,
        "notes": [],
        "stderr": {},
    }
    record = VariantRecord.of(variant)
    return GameEnded(**usual | fields, moves=moves, opening=opening, variant=record)  # type: ignore[arg-type]
