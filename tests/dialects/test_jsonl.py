"""The default dialect: what its transcripts cannot show."""

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
import steals
from c4_protocol.dialects.jsonl import BotEnd, RefereeEnd
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.records.messages import Clock, Info, Move, MoveRequest, Precept
from c4_protocol.rules.notation import cell_of_wire, position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, DIRECTIONS, LINE8, STANDARD, STEAL, Variant
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

BOT, REFEREE = BotEnd(), RefereeEnd()
POSITIONS = st.from_type(Position) | steals.POSITIONS
MOVES = TypeAdapter(Move)
PRECEPT_KEYS = {field.name for field in fields(Precept)}
EMPTY = [[0] * 6 for _ in range(7)]
DOCUMENT = (
    b'{"grid":[[0,0,0,0,0,0],[0,0,0,0,0,2],[0,0,0,0,0,0],[0,0,0,1,2,1],'
    b'[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0]],"height":6,"player":1,"width":7}'
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(1 << 63), (1 << 64) - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3)) | st.dictionaries(
    st.text(), SCALARS
)


def precept(**keys: object) -> Precept:
    """Return the precept of a line with the given keys and, by default, an empty grid."""
    return precept_read(json.dumps({"grid": EMPTY} | keys).encode())


def precept_read(line: bytes) -> Precept:
    """Return the precept that a bot reads from a line."""
    request = BOT.read_line(line)
    assert isinstance(request, MoveRequest)
    return request.precept


@pytest.mark.parametrize(
    ("keys", "default", "player"), [({}, 2, 2), ({}, None, 1), ({"player": 1}, 2, 1)]
)
def test_player_is_the_named_then_the_default_then_the_inferred(
    keys: dict[str, int], default: int | None, player: int
) -> None:
    """The player is the precept's, otherwise the command line's, otherwise found by counting."""
    assert precept(**keys).position(default).player == player


@given(st.permutations(["grid", "height", "player", "width"]))
def test_order_of_keys_means_nothing(keys: list[str]) -> None:
    """The order of keys changes nothing. Only some drivers sort them."""
    value = json.loads(DOCUMENT)
    line = json.dumps({key: value[key] for key in keys}).encode()
    assert BOT.read_line(line) == BOT.read_line(DOCUMENT)


@given(st.dictionaries(st.text().filter(lambda key: key not in PRECEPT_KEYS), VALUES))
def test_unknown_keys_are_ignored(extras: dict[str, Any]) -> None:
    """Unknown keys in a precept are ignored."""
    assert precept(**extras) == precept()


@pytest.mark.parametrize(
    ("keys", "variant"),
    [
        ({}, STANDARD),
        ({"connect": 5}, Variant(connect=5)),
        ({"gravity": False}, Variant(gravity=False)),
        ({"directions": ["vertical", "horizontal"]}, Variant(directions=DIRECTIONS[:2])),
        ({"connect": 4, "gravity": True, "directions": list(DIRECTIONS)}, STANDARD),
    ],
)
def test_rules_are_the_usual_ones_unless_said(keys: dict[str, Any], variant: Variant) -> None:
    """Each rule that a precept leaves out has its usual value."""
    assert precept(**keys).position().variant == variant


def test_precepts_are_written_as_ever(golden: Callable[[str, str], None]) -> None:
    """The bytes of each kind of precept stay the same, because other programs depend on them."""
    lines = [
        REFEREE.write_precept(Position()),
        REFEREE.write_precept(position_from_moves("4453", STANDARD)),
        REFEREE.write_precept(Position(player=2), 250.0),
        REFEREE.write_precept(Position(), 0.5),
        REFEREE.write_precept(Position(), Clock(60000.0, 500.0)),
        REFEREE.write_precept(Position(Variant(9, 7, 5))),
        REFEREE.write_precept(position_from_moves("d4 d5 e4", LINE8), 30000),
    ]
    golden("precepts.jsonl", b"".join(lines).decode())


@given(POSITIONS)
def test_extensions_are_written_only_where_they_say_something(position: Position) -> None:
    """A precept has the course's four keys, and a key for each unusual rule."""
    variant = position.variant
    unusual = {
        "connect": variant.connect != 4,
        "gravity": not variant.gravity,
        "directions": variant.directions != DIRECTIONS,
        "steal": variant.steal,
    }
    keys = set(json.loads(REFEREE.write_precept(position)))
    assert keys == {"grid", "height", "player", "width"} | {key for key in unusual if unusual[key]}


@given(
    st.none()
    | st.floats(0, 1e12)
    | st.builds(Clock, remaining_ms=st.floats(0, 1e12), increment_ms=st.floats(0, 1e12))
)
def test_time_is_read_back(time: float | Clock | None) -> None:
    """A bot reads the time that was sent: milliseconds for the move or a clock."""
    found = precept_read(REFEREE.write_precept(Position(), time))
    expected = (None, time) if isinstance(time, Clock) else (time, None)
    assert (found.time_ms, found.clock) == expected


@pytest.mark.parametrize("pv", [[3, 3, 2], [(3, 4), (0, 0)]])
def test_info_goes_behind_the_move(pv: list[int | tuple[int, int]]) -> None:
    """``info`` after the move does not change how the move is read."""
    info = Info(score=-2, exact=True, depth=9, nodes=1234, ms=12.5, pv=pv)
    line = BOT.write_move(pv[0], info)
    assert REFEREE.read_move(line) == pv[0]
    assert MOVES.validate_json(line) == Move(move=pv[0], info=info)


@pytest.mark.parametrize(("line", "is_talk"), [(b" thinking", True), (b'{"move":', False)])
def test_error_for_talk_says_where_it_belongs(line: bytes, is_talk: bool) -> None:
    """The error for a line that looks like text for people names standard error."""
    with pytest.raises(ProtocolError) as refused:
        REFEREE.read_move(line)
    assert str(refused.value).endswith("belongs on standard error") == is_talk


@given(VALUES | st.fixed_dictionaries({"move": VALUES}, optional={"extra": VALUES}))
def test_reading_by_hand_agrees_with_the_model(value: object) -> None:
    """``read_move`` accepts and refuses the same lines as ``messages.Move``."""
    line = json.dumps(value).encode()
    try:
        by_hand: object = REFEREE.read_move(line)
    except (IllegalMove, ProtocolError):
        by_hand = None
    try:
        by_model: object = MOVES.validate_json(line).move
    except ValidationError:
        by_model = None
    assert by_hand == by_model
    assert type(by_hand) is type(by_model)


@pytest.mark.parametrize(("moves", "is_legal"), [("", False), ("5", True), ("5s", False)])
def test_steal_is_asked_for_and_answered(moves: str, is_legal: bool) -> None:
    """Both ends exchange the steal as -2. The referee refuses it except as the second move."""
    position = position_from_moves(moves, CODINGAME)
    request = BOT.read_line(REFEREE.write_precept(position).rstrip())
    assert isinstance(request, MoveRequest)
    assert request.precept.position() == position
    assert BOT.write_move(STEAL) == b'{"move":-2}\n'
    move = REFEREE.read_move(b'{"move":-2}')
    if is_legal:
        assert cell_of_wire(position, move) == STEAL
    else:
        with pytest.raises(IllegalMove, match="only the first move of player 2"):
            cell_of_wire(position, move)
