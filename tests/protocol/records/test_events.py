"""Events as lines of JSON."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import orjson
import steals
from c4_protocol.records.events import (
    FaultRecord,
    GameEnded,
    GameStarted,
    MoveMade,
    VariantRecord,
)
from c4_protocol.records.fields import quick_reader
from c4_protocol.records.reports import MatchEnded, MatchReport, Tally
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st

NUMBERS = st.integers(0, 1000)
TIMES = st.floats(0, 1e9)
VARIANTS = st.from_type(Variant) | steals.VARIANTS
FAULTS = st.builds(FaultRecord, ply=NUMBERS, ms=TIMES, cpu_ms=TIMES)
GAMES = st.builds(
    GameEnded,
    game=NUMBERS,
    ms=st.lists(TIMES),
    cpu_ms=st.lists(TIMES),
    winner=st.sampled_from((0, 1, 2)),
    fault=st.none() | FAULTS,
    notes=st.lists(FAULTS),
    variant=VARIANTS.map(VariantRecord.of),
)


@given(GAMES)
def test_game_is_read_back(game: GameEnded) -> None:
    """A game's event that is written and read again is equal."""
    assert quick_reader(GameEnded)(orjson.loads(orjson.dumps(game))) == game


@given(VARIANTS)
def test_record_of_a_variant_says_all_of_it(variant: Variant) -> None:
    """The record of a variant has all its fields, and gives the variant again."""
    assert Variant(**asdict(VariantRecord.of(variant))) == variant
    assert VariantRecord.of(variant).variant() == variant


def _ended(**fields: Any) -> GameEnded:
    """Return the end of a game of two plies that player 1 won, with some fields replaced."""
    usual = {
        "game": 1,
        "first": "a",
        "second": "b",
        "moves": "44",
        "ms": [1.5, 2.0],
        "cpu_ms": [1.0, 0.0],
        "winner": 1,
        "ending": "line",
        "fault": None,
        "notes": [],
        "stderr": {},
        "variant": VariantRecord.of(STANDARD),
    }
    return GameEnded(**usual | fields)


def test_events_are_written_as_ever(golden: Callable[[str, str], None]) -> None:
    """All kinds of events are written as before, because other programs read the files."""
    standard = VariantRecord.of(STANDARD)
    fault = FaultRecord(
        "b", "late", "forfeit", 3, 1500.5, 1.25, "took 1500 ms of 1000", '{"move":3}'
    )
    report = MatchReport(
        bots=("a", "b"),
        games=2,
        wins=1,
        draws=1,
        losses=0,
        first_bot_as_first=Tally(1, 1, 0, 0),
        first_bot_as_second=Tally(1, 0, 1, 0),
        distinct_games=2,
        forfeits={"b": {"time": 1}},
        elo=190.8,
        elo_low=-120.5,
        elo_high=800.0,
        los=0.84,
        seconds=12.5,
        complete=True,
    )
    events = [
        GameStarted(1, "a", "b", standard),
        MoveMade(1, 0, "a", 3, 12.5, 12.0),
        MoveMade(1, 1, "b", (3, 4), 0.25, 0.0),
        _ended(moves="1122334"),
        _ended(moves="d4 d5 e4", ending="forfeit", fault=fault, variant=VariantRecord.of(LINE8)),
        _ended(winner=0, ending="void", notes=[fault], stderr={"a": "thinking"}),
        MatchEnded(report),
    ]
    golden("events.jsonl", b"".join(orjson.dumps(event) + b"\n" for event in events).decode())
