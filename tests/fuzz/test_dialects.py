"""Any input raises only documented errors, each with a message of one line."""

from collections.abc import Callable

import orjson
import pytest
from c4_protocol.dialects import (
    BotEnd,
    RefereeEnd,
    bot_end,
    bot_end_for,
    names,
    referee_end,
    referee_names,
)
from c4_protocol.dialects.jsonl import precept_of
from c4_protocol.program.errors import (
    ArenaError,
    IllegalMove,
    ImpossiblePosition,
    NotationError,
    ProtocolError,
    UsageError,
    VariantError,
)
from c4_protocol.records.messages import ALL_DIRECTIONS, MoveRequest, PerftRequest, Precept, Reply
from c4_protocol.rules.notation import cell_of_wire, position_from_moves, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from transcripts import TRANSCRIPTS, Talk


def first_question(name: str) -> list[bytes]:
    """Return the lines of a referee until the first answer."""
    talk = Talk(name)
    talk.ask(Position(talk.referee.variant or STANDARD))
    return talk.sent.splitlines()


EXAMPLES = sorted(
    {
        text.encode()
        for transcript in TRANSCRIPTS
        if {*transcript.who} <= {"bot", "referee"}
        for sign, text in transcript.lines
        if sign in "<>"
    }.union(*map(first_question, referee_names()))
)
"""Lines of all dialects. A line of one dialect may be wrong in the others."""

ENDINGS = (b"\n", b": ")
"""Possible ends of an answer: the end of a line, or of a prompt."""

FRAGMENTS = [
    b"",
    b"[" * 10_000,
    b'{"grid":' * 2_000,
    b"[[" * 500 + b"]]" * 500,
    b"9" * 5_000,
    b"-1",
    b"1e400",
    b"-0.0",
    b"3.5",
    b"18446744073709551616",
    b"NaN",
    b"-Infinity",
    b"null",
    b"true",
    b'"3"',
    b'"\\ud800"',
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\x00",
    b"\x85",
    b"\r",
    b"\xe2\x80\xa8",
    b"\xd9\xa3",
]
"""Deep nesting, huge numbers, values that are not JSON, half a surrogate pair, odd characters."""


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    """Return a valid line in which a part is replaced."""
    line = draw(st.sampled_from(EXAMPLES))
    start, end = sorted((draw(st.integers(0, len(line))), draw(st.integers(0, len(line)))))
    return line[:start] + draw(st.sampled_from(FRAGMENTS) | st.binary()) + line[end:]


LINES = st.binary() | st.sampled_from(EXAMPLES + FRAGMENTS) | _mutated()
WITH_ODD_VALUES = [
    b'{"%s":%s,"grid":[[0,0],[0,0]]}' % (key, value)
    for key in (b"grid", b"player", b"width", b"connect", b"directions", b"time_ms", b"clock")
    for value in FRAGMENTS
] + [b'{"move":%s}' % value for value in FRAGMENTS]


def assert_message_is_one_line(error: ArenaError) -> None:
    """Check that the message fits in one line."""
    assert len(str(error).splitlines()) == 1


def check_bot_reads(bot: BotEnd, line: bytes) -> None:
    """Check that a line becomes a message or raises ``ProtocolError``.

    If the line asks for a move, it is answered, as in a session. A dialect may keep the answer.
    """
    try:
        message = bot.read_line(line)
        assert isinstance(message, MoveRequest | PerftRequest | Reply)
        if isinstance(message, MoveRequest):
            position = message.precept.position()
            answer = bot.write_move(wire_move(position.variant, position.moves[0]))
            assert not answer or answer.endswith(ENDINGS)
    except ProtocolError as error:
        assert_message_is_one_line(error)


def check_referee_reads(referee: RefereeEnd, line: bytes) -> None:
    """Check that a line becomes a move or a ``Reply``, or raises a documented error."""
    for variant in (STANDARD, LINE8):
        position = Position(variant)
        try:
            move = referee.read_move(line)
            assert isinstance(move, Reply) or cell_of_wire(position, move) in position.moves
        except (IllegalMove, ProtocolError) as error:
            assert_message_is_one_line(error)


@pytest.mark.parametrize("name", names())
@given(st.lists(LINES, max_size=9))
@examples(400)
def test_any_conversation_is_survived_by_a_bot(name: str, lines: list[bytes]) -> None:
    """A bot's end accepts or refuses any lines, and then the end of the input."""
    bot = bot_end(name)
    for line in lines:
        if not bot.is_over:
            check_bot_reads(bot, line)
    assert isinstance(bot.end(), bytes)


@pytest.mark.parametrize("name", referee_names())
@given(st.lists(LINES, max_size=9))
@examples(400)
def test_any_conversation_is_survived_by_a_referee(name: str, lines: list[bytes]) -> None:
    """A referee's end accepts or refuses any lines, also those without a question."""
    referee = referee_end(name)
    for line in lines:
        assert isinstance(referee.may_say(line), bool)
        check_referee_reads(referee, line)


@given(LINES)
def test_any_first_line_begins_a_conversation(line: bytes) -> None:
    """Any first line is read or refused. The default dialect refuses a line of no dialect."""
    check_bot_reads(bot_end_for(line), line)


@pytest.mark.parametrize("name", referee_names())
def test_any_value_is_survived(name: str) -> None:
    """Both ends accept or refuse each key with each odd value."""
    for line in WITH_ODD_VALUES:
        check_bot_reads(bot_end(name), line)
        check_referee_reads(referee_end(name), line)


@given(
    st.builds(
        Precept,
        grid=st.lists(st.lists(st.integers(0, 2), max_size=5), max_size=5),
        player=st.none() | st.integers(1, 2),
        width=st.none() | st.integers(1, (1 << 63) - 1),
        height=st.none() | st.integers(1, (1 << 63) - 1),
        connect=st.none() | st.integers(0, 5) | st.integers(-(1 << 63), (1 << 63) - 1),
        gravity=st.booleans(),
        directions=st.lists(st.sampled_from(ALL_DIRECTIONS)).map(tuple),
    )
)
def test_any_precept_has_a_position_or_an_impossible_one(precept: Precept) -> None:
    """A precept with valid fields has a position with legal moves, or is refused in one line."""
    assert precept_of(orjson.dumps(precept)) == precept
    try:
        assert precept.position().moves
    except ImpossiblePosition as error:
        assert_message_is_one_line(error)


@given(
    st.from_type(Variant),
    st.text() | st.text("0123456789abcdefghABC \n\u0663") | st.text("123", min_size=9),
)
@example(LINE8, "a" + "9" * 5_000)
@example(STANDARD, "4\n")
def test_any_text_of_moves_is_survived(variant: Variant, text: str) -> None:
    """Any text of moves is a game, or raises ``NotationError`` or ``IllegalMove``."""
    try:
        assert position_from_moves(text, variant).ply <= len(text)
    except (IllegalMove, NotationError) as error:
        assert_message_is_one_line(error)


@given(st.text() | st.text("0123456789x \n\u0663") | st.from_regex(r"\d{1,5}x\d{1,5}(x\d{1,5})?"))
@example("7x6\n")
def test_any_name_of_a_variant_is_survived(text: str) -> None:
    """Any name is a variant that can be written and parsed again, or raises ``VariantError``."""
    try:
        variant = Variant.parse(text)
    except VariantError as error:
        assert_message_is_one_line(error)
    else:
        assert text.isascii()
        assert Variant.parse(str(variant)) == variant


@pytest.mark.parametrize("end", [bot_end, referee_end])
@given(name=st.text().filter(lambda name: name not in names()))
@example(name="__init__")
@example(name="auto")
def test_unknown_dialect_is_refused(end: Callable[[str], object], name: str) -> None:
    """An unknown dialect raises ``UsageError``."""
    with pytest.raises(UsageError, match="no dialect") as refused:
        end(name)
    assert_message_is_one_line(refused.value)
