"""The dialect of CodinGame, byte for byte."""

import re
from collections.abc import Sequence

import pytest
from c4_protocol.dialects.codingame import FIRST_MS, LATER_MS, BotEnd, RefereeEnd
from c4_protocol.errors import ImpossiblePosition, ProtocolError, VariantError
from c4_protocol.messages import Info, MoveRequest, Precept, Reply
from c4_protocol.notation import position_from_moves, wire_move
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, STANDARD, STEAL, Variant
from hypothesis import given
from hypothesis import strategies as st

EMPTY = "........."
ALL = "9 0 1 2 3 4 5 6 7 8"
"""The list of legal actions when no column is full."""


def turn(index: int, rows: Sequence[str], actions: str, last: int) -> bytes:
    """Return the lines of a turn; only the lowest ``rows`` are given, and the others are empty."""
    board = [EMPTY] * (7 - len(rows)) + [*rows]
    return "".join(f"{line}\n" for line in [index, *board, *actions.split(), last]).encode()


def after(moves: str) -> Position:
    """Return the position after a move string, in which columns count from 1."""
    return position_from_moves(moves, CODINGAME)


def read(bot: BotEnd, lines: bytes) -> Precept:
    """Return the precept of some lines. Only the last line makes a request."""
    *before, last = [bot.read_line(line) for line in lines.splitlines()]
    assert before == [Reply()] * len(before)
    assert isinstance(last, MoveRequest)
    return last.precept


TRANSCRIPT = [
    (b"0 1\n" + turn(0, [], ALL, -1), "", 1),
    (turn(2, ["....01..."], ALL, 5), "56", 1),
    (turn(4, ["....0....", "....011.."], ALL, 6), "5657", 1),
]
"""A game of the first player: the lines of each turn, the moves before it and the seat."""


# Lines of the referee, read by a bot.


def test_first_player_reads_a_game() -> None:
    """The first player reads the ids and then its turns, with less time after the first one."""
    bot = BotEnd()
    for number, (lines, moves, seat) in enumerate(TRANSCRIPT):
        precept = read(bot, lines)
        assert (precept.position(), precept.player) == (after(moves), seat)
        assert precept.time_ms == (LATER_MS if number else FIRST_MS)
    assert LATER_MS < 100
    assert FIRST_MS < 1000


def test_second_player_may_steal() -> None:
    """The second player's first turn lists ten actions, with the steal."""
    precept = read(BotEnd(), b"1 0\n" + turn(1, ["....0...."], "10 0 1 2 3 4 5 6 7 8 -2", 4))
    position = precept.position()
    assert position == after("5")
    assert position.can_steal
    assert BotEnd().write_move(STEAL) == b"STEAL\n"


def test_steal_that_is_not_listed_is_not_played() -> None:
    """If the referee does not list the steal, the bot plays without it."""
    position = read(BotEnd(), b"1 0\n" + turn(1, ["....0...."], ALL, 4)).position()
    assert not position.can_steal


def test_first_player_learns_that_its_stone_was_stolen() -> None:
    """After a steal, the stone on the board is the opponent's, whose last action is -2."""
    bot = BotEnd()
    read(bot, b"0 1\n" + turn(0, [], ALL, -1))
    assert read(bot, turn(2, ["....1...."], ALL, -2)).position() == after("5s")
    assert read(bot, b"1 0\n" + turn(1, ["0........"], ALL, 0)).time_ms == FIRST_MS


def test_full_columns_are_not_listed() -> None:
    """A turn with a full column has one legal action and one line less, on both sides."""
    position = after("1111111")
    rows = ["0........", "1........"] * 3 + ["0........"]
    lines = b"1 0\n" + turn(7, rows, "8 1 2 3 4 5 6 7 8", -1)
    assert RefereeEnd().write_precept(position) == lines
    assert read(BotEnd(), lines).position() == position


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (b"0", "say your id and the opponent's first: 0 1 or 1 0"),
        (b"0 0", "say your id and the opponent's first"),
        (b"0 1\n.........", "a row of the board that does not follow the turn's index"),
        (b"0 1\n0\n........", "'........' is not a number"),
        (b"0 1\n0\n........2", "'........2' is not a number"),
        (b"0 1\n0\n" + b".........\n" * 8, "a row of the board that does not follow"),
        (b"0 1\n0\n" + b".........\n" * 7 + b"0", "the number of legal actions cannot be 0"),
        (b"0 1\n0\n" + b".........\n" * 7 + b"11", "the number of legal actions cannot be 11"),
        (b"0 1\n0\n" + b".........\n" * 7 + b"2\n0\nx", "'x' is not a number"),
    ],
)
def test_wrong_line_is_refused_with_the_reason(lines: bytes, reason: str) -> None:
    """A line that does not fit into a turn is refused, and the next turn is read as usual."""
    bot = BotEnd()
    *before, last = lines.splitlines()
    for line in before:
        bot.read_line(line)
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        bot.read_line(last)
    ids = b"" if before else b"0 1\n"
    assert read(bot, ids + turn(0, [], ALL, -1)).position() == Position(CODINGAME)


def test_turn_after_a_damaged_one_is_read() -> None:
    """The rest of a damaged turn is refused or skipped, and the next turn is read as usual."""
    bot = BotEnd()
    bot.read_line(b"0 1")
    damaged = turn(0, [], ALL, -1).replace(EMPTY.encode(), b"oops", 1)
    for line in damaged.splitlines():
        try:
            assert bot.read_line(line) == Reply()
        except ProtocolError:
            continue
    assert read(bot, TRANSCRIPT[1][0]).position() == after("56")


# Answers of a bot, written and read.


@pytest.mark.parametrize(("move", "line"), [(0, b"0\n"), (8, b"8\n"), (STEAL, b"STEAL\n")])
def test_action_is_written(move: int, line: bytes) -> None:
    """A column is a number, and the steal is a word."""
    assert BotEnd().write_move(move) == line


def test_info_is_the_message() -> None:
    """If the user asks for information, it is the message after the action."""
    info = Info(score=2, exact=True, depth=9, nodes=77, ms=1.5, pv=[3, 2])
    assert BotEnd().write_move(3, info, 2) == b"3 score 2, depth 9, 77 nodes\n"
    assert BotEnd().write_move(STEAL, info, 2) == b"STEAL score 2, depth 9, 77 nodes\n"


@pytest.mark.parametrize(
    ("line", "move"),
    [
        (b"4", 4),
        (b"4 I am winning", 4),
        (b" 8 ", 8),
        (b"STEAL", STEAL),
        (b"STEAL thank you", STEAL),
        (b"-2", STEAL),
        (b"-2 mine", STEAL),
        (b"9", 9),
    ],
)
def test_action_is_read_without_its_message(line: bytes, move: int) -> None:
    """The referee reads a column or the steal in both forms. Text after it is a message."""
    assert RefereeEnd().read_move(line) == move


@pytest.mark.parametrize("line", [b"", b"steal", b"STEALING", b"four", b"4.0", b'{"move":4}'])
def test_answer_without_an_action_is_refused(line: bytes) -> None:
    """Any other answer is refused."""
    with pytest.raises(ProtocolError, match="is not a number"):
        RefereeEnd().read_move(line)


# Lines of the referee, written.


def test_turns_of_the_first_player_are_written() -> None:
    """The first player gets the ids once, and then what CodinGame's referee sends."""
    referee = RefereeEnd()
    for lines, moves, _ in TRANSCRIPT:
        assert referee.write_precept(after(moves), 1000) == lines


def test_turns_of_the_second_player_are_written() -> None:
    """The second player may steal in its first turn only."""
    referee = RefereeEnd()
    first = b"1 0\n" + turn(1, ["....0...."], "10 0 1 2 3 4 5 6 7 8 -2", 4)
    assert referee.write_precept(after("5")) == first
    assert referee.write_precept(after("567")) == turn(3, ["....010.."], ALL, 6)


def test_turns_after_a_steal_are_written() -> None:
    """The steal is the opponent's last action, and counts as a turn."""
    first, second = RefereeEnd(), RefereeEnd()
    first.write_precept(after(""))
    assert first.write_precept(after("5s")) == turn(2, ["....1...."], ALL, -2)
    assert first.write_precept(after("5s56")) == turn(4, ["....0....", "....11..."], ALL, 5)
    second.write_precept(after("5"))
    lines = turn(3, ["....0....", "....1...."], ALL, 4)
    assert second.write_precept(after("5s5")) == lines


def test_last_action_after_an_opening_is_unknown() -> None:
    """If the opponent has several stones before the first question, its last action is -1."""
    assert RefereeEnd().write_precept(after("12")).endswith(b"8\n1\n")
    assert RefereeEnd().write_precept(after("1234")).endswith(b"8\n-1\n")
    assert RefereeEnd().write_precept(after("1s2")).startswith(b"1 0\n3\n")


@given(st.lists(st.integers(0, 99), max_size=64), st.booleans())
def test_any_game_arrives_as_it_was_sent(picks: list[int], steals: bool) -> None:
    """Each turn names the number of actions, the legal ones, the last one and the position."""
    ends = {seat: (RefereeEnd(), BotEnd()) for seat in (1, 2)}
    position, last = Position(CODINGAME), -1
    for index, pick in enumerate(picks):
        referee, bot = ends[position.player]
        lines = referee.write_precept(position)
        assert read(bot, lines).position() == position
        words = lines.decode().removeprefix("0 1\n").removeprefix("1 0\n").split()
        assert (int(words[0]), int(words[-1])) == (index, last)
        moves = position.moves
        assert {*map(int, words[9:-1])} == {wire_move(CODINGAME, cell) for cell in moves}
        assert int(words[8]) == len(moves)
        cell = STEAL if steals and position.can_steal else moves[pick % len(moves)]
        position, last = position.play(cell), int(wire_move(CODINGAME, cell))
        if position.is_over:
            break


@pytest.mark.parametrize("variant", [STANDARD, Variant(9, 7)], ids=str)
def test_other_games_cannot_be_described(variant: Variant) -> None:
    """The dialect refuses other variants, also the same board without the steal."""
    with pytest.raises(VariantError, match="codingame knows only the variant codingame, not"):
        RefereeEnd().write_precept(Position(variant))


@pytest.mark.parametrize(
    "position",
    [Position(CODINGAME, player=2), Position(CODINGAME, (1, 2 << 16 | 2 << 8), 2)],
    ids=["empty board", "one stone more"],
)
def test_game_that_player_2_opened_is_refused(position: Position) -> None:
    """A game that player 2 opened is refused, because the numbers of stones must show the steal."""
    with pytest.raises(ImpossiblePosition, match="player 1 opens each game"):
        RefereeEnd().write_precept(position)
