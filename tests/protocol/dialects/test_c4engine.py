"""The dialect with the ``go`` command, byte for byte."""

import re

import pytest
from c4_protocol.dialects.c4engine import BotEnd, RefereeEnd
from c4_protocol.errors import ImpossiblePosition, ProtocolError, VariantError
from c4_protocol.messages import (
    Clock,
    Info,
    MoveRequest,
    PerftRequest,
    Precept,
    Reply,
)
from c4_protocol.notation import position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import LINE8, STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st


def after(digits: str, variant: Variant = STANDARD) -> Position:
    """Return the position after moves whose columns count from 0."""
    return position_from_moves("".join(str(int(digit) + 1) for digit in digits), variant)


def drawn() -> str:
    """Return the moves of a game that fills the board. Columns count from 0."""

    def search(position: Position, moves: str) -> str:
        if position.is_over:
            return "" if position.is_won else moves
        for cell in position.moves:
            column = STANDARD.column_of(cell)
            if found := search(position.play(cell), f"{moves}{column}"):
                return found
        return ""

    # After this opening, two columns that are filled alternately leave no line of four.
    opening = "010101101010232323323232454545545454"
    return search(after(opening), opening)


def ready() -> RefereeEnd:
    """Return a referee's end after the handshake."""
    referee = RefereeEnd()
    referee.read_move(b"readyok")
    return referee


def precept_read(bot: BotEnd, line: bytes) -> Precept:
    """Return the precept that a bot gets from a line."""
    request = bot.read_line(line)
    assert isinstance(request, MoveRequest)
    return request.precept


# Lines of the referee, read by a bot.


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"name", b"c4arena-c0000000\n"),
        (b"name AI 0", b"c4arena-c0000000\n"),
        (b"isready", b"readyok\n"),
        (b"isready AI 0", b"readyok\n"),
        (b"position startpos", b""),
        (b"position startpos ", b""),
        (b"position startpos 0123456", b""),
        (b"quit", b"quitting\n"),
    ],
)
def test_simple_commands_are_replied_to(line: bytes, reply: bytes) -> None:
    """Commands work with and without the words that the real coordinator adds."""
    bot = BotEnd()
    assert bot.read_line(line) == Reply(reply)
    assert bot.is_over == (line == b"quit")


def test_go_asks_about_the_last_position() -> None:
    """``go`` asks about the last position, with the clock of the player to move."""
    bot = BotEnd()
    for digits, left in (("", 120000), ("3", 9000), ("33", 120000)):
        bot.read_line(b"position startpos " + digits.encode())
        precept = precept_read(bot, b"go ftime 120000 stime 9000")
        assert precept.position() == after(digits)
        assert precept.clock == Clock(remaining_ms=left, increment_ms=1)


def test_go_alone_is_about_the_empty_board_without_a_clock() -> None:
    """``go`` without an earlier command asks about the empty board without a clock."""
    precept = precept_read(BotEnd(), b"go")
    assert (precept.position(), precept.clock) == (Position(), None)


def test_clock_that_has_run_out_is_empty() -> None:
    """A negative clock counts as 0.

    The coordinator checks the time only after an answer, so a clock can be negative.
    """
    precept = precept_read(BotEnd(), b"go ftime -250 stime 9000")
    assert precept.clock == Clock(remaining_ms=0, increment_ms=1)


@pytest.mark.parametrize("digits", [drawn(), "0101010"], ids=["full board", "won game"])
def test_go_after_the_end_is_answered(digits: str) -> None:
    """``go`` after the end of a game gets a well-formed answer, because draws are not noticed."""
    bot = BotEnd()
    assert after(digits).is_over
    assert bot.read_line(b"position startpos " + digits.encode()) == Reply()
    assert bot.read_line(b"go ftime 5 stime 5") == Reply(b"bestmove 0 0\n")


def test_perft_counts_from_the_last_position() -> None:
    """``perft`` asks about the last position, and its answer repeats the depth."""
    bot = BotEnd()
    assert bot.read_line(b"perft 7") == PerftRequest(Position(), 7)
    bot.read_line(b"position startpos 33")
    assert bot.read_line(b"perft 2") == PerftRequest(after("33"), 2)
    assert bot.write_perft(7, 960793) == b"perft 7 960793\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"uci", "no command: say name, isready, position startpos MOVES, go, perft DEPTH or quit"),
        (b'{"grid":[[0]]}', "no command"),
        (b"Name", "no command"),
        (b"", "no command"),
        (b"perft", "no command"),
        (b"perft deep", "'deep' is not a number"),
        (b"perft 9999999999999999", "'9999999999999999' is not a number"),
        (b"position", "say position startpos MOVES"),
        (b"position fen 3", "say position startpos MOVES"),
        (b"position startpos 3a", "move 2: 'a' is not a number"),
        (b"position startpos 37", "move 2: column 7 is not on the board (0 to 6)"),
        (b"position startpos 3333333", "move 7: column 3 is full"),
        (b"position startpos 01010101", "move 8 comes after the end of the game"),
        (b"go ftime soon stime 5", "'soon' is not a number"),
        (b"go ftime 1.5 stime 5", "'1.5' is not a number"),
    ],
)
def test_line_that_is_no_command_is_refused_with_the_reason(line: bytes, reason: str) -> None:
    """A line that is no command is refused with the place of the mistake."""
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        BotEnd().read_line(line)


@pytest.mark.parametrize("command", [b"go ftime 5 stime 5", b"perft 1"])
def test_nothing_is_answered_about_a_refused_position(command: bytes) -> None:
    """After a refused position, questions are refused until the next ``position`` command."""
    bot = BotEnd()
    with pytest.raises(ProtocolError):
        bot.read_line(b"position startpos 9")
    with pytest.raises(ProtocolError, match="the last one was refused"):
        bot.read_line(command)
    bot.read_line(b"position startpos 3")
    assert not isinstance(bot.read_line(command), Reply)


# Answers of a bot, written.


def test_move_is_written_with_its_score() -> None:
    """A move is written with its score, rounded to a whole number."""
    assert BotEnd().write_move(3) == b"bestmove 3 0\n"
    assert BotEnd().write_move(6, score=-17.6) == b"bestmove 6 -18\n"


def test_info_comes_before_the_move() -> None:
    """Each piece of information is a line that begins with ``info``, before the move."""
    info = Info(score=2, exact=True, depth=9, nodes=77, ms=1.5, pv=[3, 2], reason="proven:\n a win")
    assert BotEnd().write_move(3, info, 2).decode().splitlines() == [
        "info depth 9",
        "info nodes 77",
        "info score 2",
        "info string 1.5 ms, exact, expecting 3 2; proven: a win",
        "bestmove 3 2",
    ]


@pytest.mark.parametrize(
    ("line", "move"),
    [(b"bestmove 3 12", 3), (b"bestmove 0", 0), (b" bestmove  7  x y", 7), (b"bestmove -1 0", -1)],
)
def test_move_is_read(line: bytes, move: int) -> None:
    """A move is read even if its column is not on the board. Words after it are ignored."""
    assert ready().read_move(line) == move


@pytest.mark.parametrize(
    "line", [b"", b"info depth 3", b"Engine 1.0", b"readyok", b"mybestmove 3", b"\xff\x00", b"{}"]
)
def test_other_lines_are_passed_over(line: bytes) -> None:
    """Lines without ``bestmove`` are ignored."""
    assert ready().read_move(line) == Reply()


@pytest.mark.parametrize(
    ("line", "reason"),
    [(b"bestmove", "bestmove names no column"), (b"bestmove x 0", "'x' is not a number")],
)
def test_move_without_a_column_is_refused(line: bytes, reason: str) -> None:
    """``bestmove`` without a column is refused."""
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        ready().read_move(line)


# Lines of the referee, written.


def test_first_question_follows_the_handshake() -> None:
    """The first question is sent after the handshake.

    The bot's name and its other lines before ``readyok`` are ignored.
    """
    referee = RefereeEnd()
    assert referee.write_precept(Position()) == b"name AI 0\nisready AI 0\n"
    for line in (b"Engine 1.0", b"enginename-c1234567", b"info string booting"):
        assert referee.read_move(line) == Reply()
    question = b"position startpos \ngo ftime 120000 stime 120000\n"
    assert referee.read_move(b"readyok") == Reply(question)
    assert referee.write_precept(Position()) == question
    assert referee.farewell == b"quit\n"


def test_move_before_the_handshake_is_refused() -> None:
    """A move before the end of the handshake is refused, because no position has been sent."""
    referee = RefereeEnd()
    referee.write_precept(Position())
    with pytest.raises(ProtocolError, match="bestmove before readyok"):
        referee.read_move(b"bestmove 3 0")


@pytest.mark.parametrize(
    ("digits", "time", "other", "clocks"),
    [
        ("", None, None, "ftime 120000 stime 120000"),
        ("", 250.0, 900.9, "ftime 250 stime 900"),
        ("3", 250.0, 900.9, "ftime 900 stime 250"),
        ("33", Clock(500.0, 20.0), None, "ftime 500 stime 120000"),
        ("333", Clock(7.5), Clock(0.0), "ftime 0 stime 7"),
        ("", float("inf"), None, "ftime 120000 stime 120000"),
    ],
)
def test_both_clocks_are_sent(digits: str, time: object, other: object, clocks: str) -> None:
    """Both clocks are sent, the first player's before the second's.

    A time for one move is sent as the remaining time of that player's clock.
    """
    question = ready().write_precept(after(digits), time, other)  # type: ignore[arg-type]
    assert question.decode() == f"position startpos {digits}\ngo {clocks}\n"


def test_player_who_opened_is_the_first() -> None:
    """If player 2 opens, the moves and clocks begin with player 2."""
    referee, position = ready(), Position(player=2)
    assert referee.write_precept(position, 10, 20).startswith(b"position startpos \ngo ftime 10 ")
    position = position.play(position.check(3)).play(position.play(position.check(3)).check(3))
    assert (
        referee.write_precept(position, 10, 20) == b"position startpos 33\ngo ftime 10 stime 20\n"
    )


@given(st.lists(st.integers(0, 99), max_size=42))
def test_moves_are_sent_in_the_order_in_which_they_were_made(picks: list[int]) -> None:
    """The moves are sent as they were made, even if others lead to the same position."""
    referee, position, digits = ready(), Position(), ""
    for pick in picks:
        if position.ply % 2 == 0:
            line, _, _ = referee.write_precept(position).partition(b"\n")
            assert line.decode() == f"position startpos {digits}"
        cell = position.moves[pick % len(position.moves)]
        position, digits = position.play(cell), f"{digits}{STANDARD.column_of(cell)}"
        if position.is_over:
            break


def test_next_game_begins_again() -> None:
    """A referee's end that serves a second game sends only the moves of that game."""
    referee = ready()
    referee.write_precept(after("3344"))
    assert referee.write_precept(after("2")).startswith(b"position startpos 2\n")


@pytest.mark.parametrize("variant", [LINE8, Variant(8, 7), Variant(connect=5)], ids=str)
def test_other_games_cannot_be_described(variant: Variant) -> None:
    """The dialect refuses variants other than the standard game."""
    with pytest.raises(VariantError, match="c4engine knows only the variant standard, not"):
        RefereeEnd().write_precept(Position(variant))


def test_position_that_no_moves_lead_to_is_refused() -> None:
    """A position that no moves lead to is refused."""
    bottom = STANDARD.cell(0, 0), STANDARD.cell(0, 1)
    above = STANDARD.cell(0, 2), STANDARD.cell(0, 3)
    stones = (sum(1 << cell for cell in bottom), sum(1 << cell for cell in above))
    with pytest.raises(ImpossiblePosition, match="no moves lead to the position"):
        RefereeEnd().write_precept(Position(STANDARD, stones))


@pytest.mark.parametrize(
    ("said", "may"),
    [
        (b"Engine 1.0", True),
        (b"info string bestmove 3 was easy", True),
        (b"readyok\ninfo depth 1", True),
        (b"bestmove 3 0", False),
        (b"info depth 1\n  bestmove 3 0", False),
    ],
)
def test_all_but_moves_may_be_said_unasked(said: bytes, may: bool) -> None:
    """Any lines except ``bestmove`` are allowed without a question."""
    assert RefereeEnd().may_say(said) is may
