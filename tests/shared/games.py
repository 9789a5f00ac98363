"""Records of games for tests."""

from c4_protocol.events import GameEnded, VariantRecord
from c4_protocol.variant import STANDARD, Variant


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
