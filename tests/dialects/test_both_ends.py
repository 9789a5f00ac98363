"""Both ends of every dialect that a referee can speak, connected without a pipe."""

from itertools import islice

import pytest
from c4_protocol import dialects
from c4_protocol.program.errors import ImpossiblePosition, VariantError
from c4_protocol.records.messages import Clock, Info, Reply
from c4_protocol.rules.notation import replay, wire_move
from c4_protocol.rules.position import Position, other_seat
from c4_protocol.rules.variant import CODINGAME, STANDARD, Variant, cells_of
from hypothesis import given
from hypothesis import strategies as st
from transcripts import Talk

TIMES = st.none() | st.floats(0, 1e9) | st.builds(
    Clock, remaining_ms=st.floats(0, 1e9), increment_ms=st.floats(0, 1e6)
)  # fmt: skip

INFOS = st.none() | st.builds(
    Info,
    score=st.floats(-1e6, 1e6),
    exact=st.booleans(),
    depth=st.integers(0, 99),
    nodes=st.integers(0, 1 << 40),
    ms=st.floats(0, 1e6),
    pv=st.lists(st.integers(0, 63) | st.tuples(st.integers(0, 63), st.integers(0, 63))),
    reason=st.text(max_size=20),
)


def is_describable(name: str, variant: Variant) -> bool:
    """Return whether a dialect can describe games of a variant."""
    try:
        dialects.referee_end(name).check_variant(variant)
    except VariantError:
        return False
    return True


def describable(name: str, position: Position) -> Position:
    """Return the position, or a similar one that the dialect can describe.

    The first question of a dialect that starts empty comes before the first or the second move.
    """
    own, only = position.variant, dialects.referee_end(name).variant
    variants = (own, only or Variant(own.width, own.height), STANDARD)
    variant = next(variant for variant in variants if is_describable(name, variant))
    most = 1 if dialects.referee_end(name).starts_empty else position.ply
    if variant == own and position.ply <= most:
        return position
    found = Position(variant)
    for cell in islice(cells_of(position.occupied), most):
        following = found.play(found.moves[cell % len(found.moves)])
        if following.is_over:
            break
        found = following
    return found


def players_exchanged(position: Position) -> Position:
    """Return the position with the stones of the players and the player to move exchanged."""
    first, second = position.stones
    return Position(position.variant, (second, first), other_seat(position.player))


def budget(time: float | Clock) -> float:
    """Return the milliseconds that are left on a clock or for a move."""
    return time.remaining_ms if isinstance(time, Clock) else time


@pytest.mark.parametrize("name", dialects.referee_names())
@given(position=..., time=TIMES, other=TIMES)
def test_precept_arrives_as_it_was_sent(name, position: Position, time, other):
    """A bot reads the position that was sent, and at most as much time as the referee gives.

    If only player 1 can open games in a dialect, the players may be exchanged.
    """
    position = describable(name, position)
    precept = Talk(name).ask(position, time, other)
    assert precept.position() in {position, players_exchanged(position)}
    sends_time = Talk(name).ask(position, 1000.0) != Talk(name).ask(position, 2000.0)
    if time is not None and sends_time:
        assert budget(time) - 1 < budget(precept.clock or precept.time_ms) <= budget(time)


@pytest.mark.parametrize("name", dialects.referee_names())
@given(position=..., info=INFOS, score=st.floats(-1e6, 1e6))
def test_move_arrives_as_it_was_sent(name, position: Position, info, score):
    """The referee reads the move that the bot wrote, with any info and score."""
    position = describable(name, position)
    for cell in position.moves:
        talk = Talk(name)
        talk.ask(position)
        move = wire_move(position.variant, cell)
        *before, last = talk.read(talk.bot.write_move(move, info, score))
        assert last == move
        assert all(isinstance(reply, Reply) for reply in before)


@pytest.mark.parametrize("name", dialects.referee_names())
@given(position=..., picks=st.lists(st.integers(0, 99), max_size=20))
def test_one_conversation_serves_a_game(name, position: Position, picks):
    """Both ends agree on the position of every question in a game."""
    talk, position = Talk(name), describable(name, position)
    for pick in picks:
        assert talk.ask(position).position() in {position, players_exchanged(position)}
        own = position.moves[pick % len(position.moves)]
        talk.read(talk.bot.write_move(wire_move(position.variant, own)))
        position = position.play(own)
        if not position.is_over:
            position = position.play(position.moves[pick // 7 % len(position.moves)])
        if position.is_over:
            break


@pytest.mark.parametrize("name", dialects.referee_names())
@given(position=...)
def test_games_that_cannot_be_described_are_refused(name, position: Position):
    """A dialect that cannot describe a variant refuses its positions, and no others."""
    referee = dialects.referee_end(name)
    if is_describable(name, position.variant):
        assert referee.write_precept(describable(name, position))
        return
    with pytest.raises(VariantError):
        referee.write_precept(position)


@pytest.mark.parametrize(
    ("name", "questions", "reason"),
    [
        ("c4engine", [Position(STANDARD, (3, 12))], "no moves lead to the position"),
        ("codingame", [Position(CODINGAME, player=2)], "player 1 opens each game"),
        ("codingame", [Position(CODINGAME, (1, 2 << 16 | 2 << 8), 2)], "player 1 opens each game"),
        *(
            ("moves", [replay(moves, STANDARD)[0] for moves in questions], "no move of the opponen")
            for questions in (
                ["44"],
                ["445"],
                ["", "44", "55"],
                ["", "4455"],
                ["4", "6"],
                ["4", "44"],
            )
        ),
    ],
)
def test_position_that_cannot_be_asked_about_is_refused(name, questions, reason):
    """A position that a dialect cannot reach from the one before is refused with the reason."""
    referee = dialects.referee_end(name)
    for position in questions[:-1]:
        referee.write_precept(position)
    with pytest.raises(ImpossiblePosition, match=reason):
        referee.write_precept(questions[-1])
