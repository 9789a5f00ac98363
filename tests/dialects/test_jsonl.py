"""The default dialect: what its transcripts cannot show."""

import json

import pytest
from c4_protocol.dialects.jsonl import RefereeEnd, precept_of
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.records.messages import Move
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

MOVES = TypeAdapter(Move)
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


@pytest.mark.parametrize(
    ("keys", "default", "player"), [({}, 2, 2), ({}, None, 1), ({"player": 1}, 2, 1)]
)
def test_player_is_the_named_then_the_default_then_the_inferred(
    keys: dict[str, int], default: int | None, player: int
) -> None:
    """The player is the precept's, otherwise the command line's, otherwise found by counting."""
    precept = precept_of(json.dumps({"grid": [[0, 0]], **keys}).encode())
    assert precept.position(default).player == player


@pytest.mark.parametrize(("line", "is_talk"), [(b" thinking", True), (b'{"move":', False)])
def test_error_for_talk_says_where_it_belongs(line: bytes, is_talk: bool) -> None:
    """The error for a line that looks like text for people names standard error."""
    with pytest.raises(ProtocolError) as refused:
        RefereeEnd().read_move(line)
    assert str(refused.value).endswith("belongs on standard error") == is_talk


@given(VALUES | st.fixed_dictionaries({"move": VALUES}, optional={"extra": VALUES}))
def test_reading_by_hand_agrees_with_the_model(value: object) -> None:
    """``read_move`` accepts and refuses the same lines as ``messages.Move``."""
    line = json.dumps(value).encode()
    try:
        by_hand: object = RefereeEnd().read_move(line)
    except (IllegalMove, ProtocolError):
        by_hand = None
    try:
        by_model: object = MOVES.validate_json(line).move
    except ValidationError:
        by_model = None
    assert by_hand == by_model
    assert type(by_hand) is type(by_model)
