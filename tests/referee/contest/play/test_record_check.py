"""Records of games count only if they are those of the games that were issued."""

from dataclasses import asdict, replace
from typing import Any

import orjson
import pytest
import steals
from c4_protocol.records.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.contain.faults import FAULTS_FOUND_BY_REFEREE, Fault
from c4_referee.contest.play.record_check import RecordRefused, checked_record
from hypothesis import given
from hypothesis import strategies as st

RECORD = VariantRecord.of(STANDARD)
WON = GameEnded(
    game=1, first="a", second="b", moves="4142434", ms=[1.0] * 5, cpu_ms=[0.5] * 5, winner=1,
    ending="line", fault=None, notes=[], stderr={}, variant=RECORD, opening="41",
)  # fmt: skip
LATE = FaultRecord("b", "late", "forfeit", 3, 50.0, 1.0, "no answer within 50 ms")


def forfeit() -> GameEnded:
    """Return the record of a game that the second player loses because it is late."""
    return replace(WON, moves="414", ms=[1.0], cpu_ms=[1.0], winner=1, ending="forfeit", fault=LATE)


def check(record: GameEnded, **changes: Any) -> GameEnded:
    """Return the checked record, after changes to the decoded event."""
    event = orjson.loads(orjson.dumps(record)) | changes
    return checked_record(event, ("a", "b"), "41", STANDARD)


@pytest.mark.parametrize("record", [WON, forfeit()])
def test_record_of_a_game_is_accepted(record: GameEnded) -> None:
    """Records of games that were won, and of games that were forfeited, are returned."""
    assert check(record) == record


@given(st.from_type(Position) | steals.POSITIONS, st.data())
def test_record_of_any_game_is_accepted(position: Position, data: st.DataObject) -> None:
    """Any game that is played to its end has a record that is accepted."""
    variant = position.variant
    cells: list[int] = []
    position = Position(variant)
    while not position.is_over:
        cells.append(data.draw(st.sampled_from(position.moves)))
        position = position.play(cells[-1])
    record = GameEnded(
        1, "a", "b", moves_text(variant, cells), [0.0] * len(cells), [0.0] * len(cells),
        position.winner, "line" if position.winner else "full board", None, [], {},
        VariantRecord.of(variant),
    )  # fmt: skip
    event = orjson.loads(orjson.dumps(record))
    assert checked_record(event, ("a", "b"), "", variant) == record


@pytest.mark.parametrize(
    "changes",
    [
        {"winner": 2},
        {"winner": 0, "ending": "full board"},
        {"ending": "forfeit"},
        {"ending": "void", "winner": 0},
        {"moves": "414243"},
        {"moves": "4142434" + "1"},
        {"moves": "5142434"},
        {"moves": "4142939"},
        {"moves": ""},
        {"moves": None},
        {"moves": ["4142434"]},
        {"remarks": [""] * 4},
        {"remarks": ["text"] * 6},
        {"remarks": ["x" * 201] * 5},
        {"remarks": ["two\nlines"] + [""] * 4},
        {"remarks": ["\x1b[2J"] + [""] * 4},
        {"remarks": ["\u202e"] + [""] * 4},
        {"remarks": None},
        {"ms": [1.0] * 6},
        {"ms": [1.0] * 4},
        {"ms": [1.0] * 4 + [-1.0]},
        {"cpu_ms": []},
        {"cpu_ms": ["1"] * 5},
        {"first": "b", "second": "a"},
        {"first": "c"},
        {"opening": ""},
        {"opening": "42"},
        {"variant": {}},
        {"variant": orjson.loads(orjson.dumps(replace(RECORD, connect=5)))},
        {"notes": [{"bot": "a"}]},
        {"notes": [orjson.loads(orjson.dumps(replace(LATE, fault="too clever", policy="note")))]},
        {"fault": orjson.loads(orjson.dumps(LATE))},
        {"unknown": 1},
    ],
)
def test_wrong_record_of_a_finished_game_is_refused(changes: dict[str, Any]) -> None:
    """Names, opening, moves, times, ending, winner and faults are all checked."""
    with pytest.raises(RecordRefused):
        check(WON, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"winner": True},
        {"winner": 1.0},
        {"game": True},
        {"game": 1.0},
        {"moves": [*"4142434"]},
        {"ms": [True] * 5},
        {"cpu_ms": [False] * 5},
        {"absent_ms": False},
        {"remarks": "abcde"},
        {"remarks": dict.fromkeys("abcde", "")},
        {"remarks": [1] * 5},
        {"remarks": [None] * 5},
        {"remarks": [["text"]] * 5},
        {"absent_ms": "0"},
        {"variant": asdict(RECORD) | {"width": 7.0}},
        {"variant": asdict(RECORD) | {"gravity": 1}},
        {"notes": [asdict(replace(LATE, policy="note", ply=True))]},
        {"notes": [asdict(replace(LATE, policy="note", ms="50"))]},
    ],
)
def test_values_that_only_equal_right_ones_are_refused(changes: dict[str, Any]) -> None:
    """``true`` and 1.0 equal 1, but a record with them could not be read again."""
    with pytest.raises(RecordRefused, match="a value in it has a wrong type"):
        check(WON, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"bot": "a"},
        {"bot": "c"},
        {"policy": "bar"},
        {"policy": "note"},
        {"fault": "bored"},
        {"detail": "no answer\x1b[2J"},
        {"detail": "no answer\nb has won"},
        {"line": "\u202e"},
        {"line": 3},
    ],
)
def test_wrong_fault_is_refused(changes: dict[str, Any]) -> None:
    """A fault is one that its policy knows, and the bot that has it loses.

    The texts of a fault are single lines without control characters.
    """
    with pytest.raises(RecordRefused):
        check(forfeit(), fault=asdict(LATE) | changes)


@pytest.mark.parametrize("stderr", [{"a": "\x1b[2J"}, {"c": "text"}, {"a": None}, ["text"]])
def test_standard_error_that_could_control_a_terminal_is_refused(stderr: object) -> None:
    """Standard error is the harmless text of a bot of the game."""
    with pytest.raises(RecordRefused):
        check(WON, stderr=stderr)
    assert check(WON, stderr={"a": "two\n\tlines", "b": ""})


@pytest.mark.parametrize("remarks", [[], [""] * 5, ["depth 14", "", "x" * 200, "ä→", "</script>"]])
def test_remarks_of_all_moves_are_accepted(remarks: list[str]) -> None:
    """There is one visible text for each move after the opening, or none at all."""
    assert check(WON, remarks=remarks).remarks == remarks


def test_record_of_an_earlier_version_has_no_remarks() -> None:
    """A record without remarks is accepted, because earlier versions stored none."""
    event = orjson.loads(orjson.dumps(WON))
    del event["remarks"]
    assert checked_record(event, ("a", "b"), "41", STANDARD) == WON


@pytest.mark.parametrize("kind", sorted(FAULTS_FOUND_BY_REFEREE))
@pytest.mark.parametrize("policy", ["bar", "void"])
def test_fault_that_only_the_referee_finds_is_refused(kind: Fault, policy: str) -> None:
    """A worker cannot claim that a bot stopped its workers or has withdrawn."""
    fault = orjson.loads(orjson.dumps(LATE)) | {"fault": kind.value, "policy": policy}
    void = {"winner": 0, "ending": "void"} if policy == "void" else {}
    with pytest.raises(RecordRefused):
        check(forfeit(), fault=fault, **void)
    with pytest.raises(RecordRefused):
        check(WON, notes=[fault])


@pytest.mark.parametrize("missing", ["game", "moves", "winner", "fault", "variant", "notes"])
def test_record_that_lacks_a_key_is_refused(missing: str) -> None:
    """Every key that has no default value is needed."""
    event = orjson.loads(orjson.dumps(WON))
    del event[missing]
    with pytest.raises(RecordRefused):
        checked_record(event, ("a", "b"), "41", STANDARD)
