"""The default dialect, byte for byte."""

import json
import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
import steals
from c4_protocol.dialects.jsonl import BotEnd, RefereeEnd
from c4_protocol.errors import IllegalMove, ImpossiblePosition, ProtocolError
from c4_protocol.messages import Clock, Info, Move, MoveRequest, Precept, Reply
from c4_protocol.notation import cell_of_wire, grid_of, position_from_moves, wire_move
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, DIRECTIONS, LINE8, STANDARD, STEAL, Variant
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
DOCUMENT_POSITION = Position(
    STANDARD,
    (
        1 << STANDARD.cell(3, 0) | 1 << STANDARD.cell(3, 2),
        1 << STANDARD.cell(3, 1) | 1 << STANDARD.cell(1, 0),
    ),
    player=1,
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


# Lines of the referee, read by a bot.


def test_example_of_the_document_is_read() -> None:
    """The seed document's line is read as the position that the document shows."""
    assert precept_read(DOCUMENT).position() == DOCUMENT_POSITION


def test_grid_alone_is_enough() -> None:
    """A grid alone is enough, because size and player follow from it."""
    assert precept(grid=[[0, 0], [0, 1], [0, 0]]).position() == Position(
        Variant(3, 2), (1 << 3, 0), player=2
    )


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


def test_time_of_the_move_or_the_game_is_read() -> None:
    """The time for a move and the clock are read, and are ``None`` if they are not sent."""
    assert (precept().time_ms, precept().clock) == (None, None)
    assert precept(time_ms=250).time_ms == 250
    assert precept(clock={"remaining_ms": 60000, "increment_ms": 500}).clock == Clock(
        remaining_ms=60000, increment_ms=500
    )
    assert precept(clock={"remaining_ms": 0.5}).clock == Clock(remaining_ms=0.5, increment_ms=0)


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


def test_exit_ends_the_conversation() -> None:
    """``:exit`` ends the conversation without a reply."""
    bot = BotEnd()
    assert not bot.is_over
    assert bot.read_line(b":exit") == Reply()
    assert bot.is_over


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"hello", "not JSON"),
        (b":quit", "not JSON"),
        (b'{"grid":[[0,0],[0,0]]', "not JSON"),
        (b'{"grid":[[0]],"time_ms":NaN}', "not JSON"),
        (DOCUMENT + DOCUMENT, "not JSON"),
        (b"[]", "a JSON array, not an object"),
        (b"3", "a JSON number, not an object"),
        (b"1.5", "a JSON number, not an object"),
        (b"true", "a JSON boolean, not an object"),
        (b"null", "a JSON null, not an object"),
        (b'"grid"', "a JSON string, not an object"),
        (b"{}", "grid: field required"),
        (b'{"grid":3}', "grid: input should be a valid array"),
        (b'{"grid":[[0],0]}', "grid[1]: input should be a valid array"),
        (b'{"grid":[[0,3]]}', "grid[0][1]: input should be less than or equal to 2"),
        (b'{"grid":[[0,-1]]}', "grid[0][1]: input should be greater than or equal to 0"),
        (b'{"grid":[[0,1.0]]}', "grid[0][1]: input should be a valid integer"),
        (b'{"grid":[[0,true]]}', "grid[0][1]: input should be a valid integer"),
        (b'{"grid":[[7,8,9]]}', "grid[0][0]: input should be less than or equal to 2 (and 2 more)"),
        (b'{"grid":[[0]],"player":0}', "player: input should be greater than or equal to 1"),
        (b'{"grid":[[0]],"player":3}', "player: input should be less than or equal to 2"),
        (b'{"grid":[[0]],"player":"1"}', "player: input should be a valid integer"),
        (b'{"grid":[[0]],"player":1.0}', "player: input should be a valid integer"),
        (b'{"grid":[[0]],"player":true}', "player: input should be a valid integer"),
        (b'{"grid":[[0]],"width":0}', "width: input should be greater than 0"),
        (b'{"grid":[[0]],"time_ms":-1}', "time_ms: input should be greater than or equal to 0"),
        (b'{"grid":[[0]],"clock":{}}', "clock.remaining_ms: field required"),
        (b'{"grid":[[0]],"gravity":0}', "gravity: input should be a valid boolean"),
        (b'{"grid":[[0]],"directions":["up"]}', "directions[0]: input should be 'horizontal'"),
    ],
)
def test_line_that_is_no_precept_is_refused_with_the_reason(line: bytes, reason: str) -> None:
    """A line that is no precept is refused with the place and the expected value."""
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        BOT.read_line(line)


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({"grid": [[1, 0], [0, 0]]}, "a stone floats over an empty cell in grid[0]"),
        ({"grid": [[1, 1], [0, 0]]}, "player 1 has 2 stones and player 2 has 0"),
        (
            {"grid": [[0, 1], [0, 0]], "player": 1},
            "it cannot be player 1's turn: player 1 has 1 stones and player 2 has 0",
        ),
        ({"grid": [[0, 0], [0]]}, "grid[1] has 1 cells, but columns are 2 high"),
        ({"grid": [[0, 0]], "width": 2}, "the grid has 1 columns, but width is 2"),
        ({"grid": [[0, 0]], "height": 3}, "grid[0] has 2 cells, but columns are 3 high"),
        ({"grid": []}, "a board is 1 to 52 wide and high, not 0x0"),
        ({"grid": [[0]], "width": 53}, "a board is 1 to 52 wide and high, not 53x1"),
        ({"grid": [[1, 2], [2, 1]]}, "the game is over: the board is full"),
        ({"grid": [[1, 2], [0, 1]], "connect": 2}, "the game is over: player 1 has 2 in a row"),
        ({"connect": 1}, "a line has 2 to 52 stones, not 1"),
        ({"directions": []}, "directions are one or more of horizontal, vertical, diagonal"),
    ],
)
def test_impossible_position_is_refused_with_the_reason(keys: dict[str, Any], reason: str) -> None:
    """A precept that describes an impossible or finished position is refused with the reason."""
    with pytest.raises(ImpossiblePosition, match=f"^{re.escape(reason)}$"):
        precept(**keys).position()


# Lines of the referee, written.


def test_example_of_the_document_is_written() -> None:
    """A precept is written with the course's four keys in their order, and a line feed."""
    assert REFEREE.write_precept(DOCUMENT_POSITION) == DOCUMENT + b"\n"


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


@given(POSITIONS)
def test_precept_is_read_back(position: Position) -> None:
    """A bot reads the position, player and rules that the referee wrote."""
    found = precept_read(REFEREE.write_precept(position))
    assert found.grid == grid_of(position)
    assert found.position() == position


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


# Answers of a bot.


@given(POSITIONS, st.data())
def test_move_is_read_back(position: Position, data: st.DataObject) -> None:
    """A move is written as one line with the key ``move`` only, and is read again."""
    move = wire_move(position.variant, data.draw(st.sampled_from(position.moves)))
    line = BOT.write_move(move)
    assert REFEREE.read_move(line) == move
    assert (list(json.loads(line)), line.count(b"\n"), line[-1:]) == (["move"], 1, b"\n")


def test_move_of_the_document_is_written() -> None:
    """A move is written as a column, or as a list of column and row."""
    assert BOT.write_move(3) == b'{"move":3}\n'
    assert BOT.write_move((3, 4)) == b'{"move":[3,4]}\n'


@pytest.mark.parametrize("pv", [[3, 3, 2], [(3, 4), (0, 0)]])
def test_info_goes_behind_the_move(pv: list[int | tuple[int, int]]) -> None:
    """``info`` after the move does not change how the move is read."""
    info = Info(score=-2, exact=True, depth=9, nodes=1234, ms=12.5, pv=pv)
    line = BOT.write_move(pv[0], info)
    assert REFEREE.read_move(line) == pv[0]
    assert MOVES.validate_json(line) == Move(move=pv[0], info=info)


@pytest.mark.parametrize("value", [0, 7, -1, (1 << 64) - 1])
def test_any_integer_is_a_move(value: int) -> None:
    """Any integer is read as a move, because the dialect does not know the board."""
    assert REFEREE.read_move(json.dumps({"move": value}).encode()) == value


@pytest.mark.parametrize(
    "value", ["3", None, True, 3.0, 3.5, [], [3], [3, 4, 5], [3, "4"], [3, True], {"column": 3}]
)
def test_value_of_another_kind_is_no_move(value: object) -> None:
    """Texts, ``null``, fractions and lists of other lengths are refused as moves."""
    with pytest.raises(IllegalMove, match="neither a column nor"):
        REFEREE.read_move(json.dumps({"move": value}).encode())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"thinking...", "not JSON"),
        (b'{"move":3}{"move":4}', "not JSON"),
        (b"3", "a JSON number, not an object"),
        (b'{"Move":3}', 'the answer has no "move"'),
    ],
)
def test_line_that_is_no_answer_is_refused_with_the_reason(line: bytes, reason: str) -> None:
    """A line that is not an object with ``move`` is refused with a reason."""
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        REFEREE.read_move(line)


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
