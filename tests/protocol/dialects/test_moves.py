"""The dialect of bare columns, byte for byte."""

import re

import pytest
from c4_protocol.dialects.moves import BotEnd, RefereeEnd
from c4_protocol.errors import ImpossiblePosition, ProtocolError, VariantError
from c4_protocol.messages import Info, MoveRequest, Reply
from c4_protocol.notation import position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, LINE8, STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st


def after(moves: str, variant: Variant = STANDARD) -> Position:
    """Return the position after moves whose columns count from 0."""
    return position_from_moves("".join(str(int(column) + 1) for column in moves), variant)


def asked(bot: BotEnd, line: bytes) -> Position:
    """Return the position about which a line asks the bot."""
    request = bot.read_line(line)
    assert isinstance(request, MoveRequest)
    return request.precept.position()


# Lines of the referee, read by a bot.


def test_bot_that_moves_first_replays_the_moves() -> None:
    """After ``go!``, each line is the opponent's column; the bot knows all moves."""
    bot = BotEnd()
    assert asked(bot, b"go!") == after("")
    assert bot.write_move(3) == b"3\n"
    assert asked(bot, b"2") == after("32")
    assert bot.write_move(0) == b"0\n"
    assert asked(bot, b"0") == after("3200")


def test_bot_that_moves_second_begins_with_a_column() -> None:
    """Without ``go!``, the first column is the first move of the game."""
    bot = BotEnd()
    assert asked(bot, b"6") == after("6")
    bot.write_move(6)
    assert asked(bot, b"6") == after("666")


@pytest.mark.parametrize("variant", [Variant(4, 3, 3), Variant(12, 5), Variant(7, 6, 5)], ids=str)
def test_board_is_the_one_that_the_user_has_chosen(variant: Variant) -> None:
    """No line describes the board, so the bot plays on the board that was set before."""
    bot = BotEnd()
    bot.game = variant
    assert asked(bot, b"%d" % (variant.width - 1)).variant == variant
    with pytest.raises(ProtocolError, match="is not on the board"):
        bot.read_line(b"%d" % variant.width)


def test_info_has_no_place_in_an_answer() -> None:
    """The answer is the column alone, also if the user asks for information."""
    bot = BotEnd()
    bot.read_line(b"go!")
    assert bot.write_move(3, Info(1, True, 2, 3, 4.0, [3]), 5) == b"3\n"


def test_go_begins_another_game() -> None:
    """``go!`` begins a game in which the bot moves first, also in the middle of another."""
    bot = BotEnd()
    for lines in ([b"go!"], [b"1", b"go!"]):
        for line in lines:
            position = asked(bot, line)
            bot.write_move(3)
    assert position == Position()


def test_move_that_ends_the_game_is_not_answered() -> None:
    """The opponent's last move is not answered, and later moves are refused."""
    bot = BotEnd()
    for column in (b"0", b"0", b"0"):
        asked(bot, column)
        bot.write_move(1)
    assert bot.read_line(b"0") == Reply()
    with pytest.raises(ProtocolError, match=r"^the game is over: go! begins another one$"):
        bot.read_line(b"2")
    assert asked(bot, b"go!") == Position()


def test_column_after_the_own_winning_move_is_refused() -> None:
    """After the bot's own winning move, a column of the opponent is refused."""
    bot = BotEnd()
    for line in (b"go!", b"1", b"1", b"1"):
        bot.read_line(line)
        bot.write_move(0)
    with pytest.raises(ProtocolError, match="the game is over"):
        bot.read_line(b"1")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"7", "column 7 is not on the board (0 to 6)"),
        (b"-1", "column -1 is not on the board (0 to 6)"),
        (b"-2", "column -2 is not on the board (0 to 6)"),
        (b"3", "column 3 is full"),
        (b"", "'' is not a number"),
        (b"go", "'go' is not a number"),
        (b"3.5", "'3.5' is not a number"),
        (b"3 4", "'3 4' is not a number"),
        (b'{"grid":[[0]]}', "is not a number"),
    ],
)
def test_wrong_line_is_refused_and_changes_nothing(line: bytes, reason: str) -> None:
    """A wrong line is refused with the reason, and the game goes on as it was."""
    bot = BotEnd()
    for column in (b"3", b"3", b"3"):
        bot.read_line(column)
        bot.write_move(3)
    with pytest.raises(ProtocolError, match=re.escape(reason)):
        bot.read_line(line)
    assert asked(bot, b"4") == after("3333334")


# Lines of the referee, written, and answers, read.


def test_first_question_is_go_or_the_first_column() -> None:
    """The first question is ``go!`` on the empty board, otherwise the opponent's first column."""
    assert RefereeEnd().write_precept(Position(), 10) == b"go!\n"
    assert RefereeEnd().write_precept(after("5")) == b"5\n"
    assert RefereeEnd().write_precept(Position(Variant(12, 3), player=2)) == b"go!\n"


@given(st.lists(st.integers(0, 99), max_size=42), st.integers(0, 1))
def test_each_question_is_the_last_move(picks: list[int], seat: int) -> None:
    """In a game, each question after the first is the opponent's last column."""
    referee, position, line = RefereeEnd(), Position(), b"go!\n"
    for ply, pick in enumerate(picks):
        if ply % 2 == seat:
            assert referee.write_precept(position) == line
        cell = position.moves[pick % len(position.moves)]
        position, line = position.play(cell), b"%d\n" % STANDARD.column_of(cell)
        if position.is_over:
            break


@pytest.mark.parametrize(
    "questions",
    [["33"], ["334"], ["", "33", "44"], ["", "3344"], ["3", "5"], ["3", "33"]],
    ids="-".join,
)
def test_position_without_a_last_move_is_refused(questions: list[str]) -> None:
    """A position is refused if it is not two moves after the last one that was asked about."""
    referee = RefereeEnd()
    for moves in questions[:-1]:
        referee.write_precept(after(moves))
    with pytest.raises(ImpossiblePosition, match="no move of the opponent leads"):
        referee.write_precept(after(questions[-1]))


@pytest.mark.parametrize("variant", [LINE8, CODINGAME, Variant(gravity=False)], ids=str)
def test_games_with_other_moves_than_columns_are_refused(variant: Variant) -> None:
    """The dialect has no word for a cell or for the steal."""
    with pytest.raises(
        VariantError, match=r"^moves knows only games in which all moves are columns"
    ):
        RefereeEnd().write_precept(Position(variant))


@pytest.mark.parametrize(("line", "move"), [(b"3", 3), (b"12", 12), (b" 0 ", 0), (b"-1", -1)])
def test_answer_is_a_column(line: bytes, move: int) -> None:
    """An answer is one number. The caller checks whether the move is legal."""
    assert RefereeEnd().read_move(line) == move


@pytest.mark.parametrize("line", [b"", b"go!", b"3.0", b"three", b"3 4", b'{"move":3}'])
def test_answer_that_is_no_column_is_refused(line: bytes) -> None:
    """Any other answer is refused."""
    with pytest.raises(ProtocolError, match="is not a number"):
        RefereeEnd().read_move(line)


def test_nothing_may_be_said_unasked() -> None:
    """Output before a question is a fault, because any line would be a move."""
    assert not RefereeEnd().may_say(b"hello")
