"""The dialect of riddles, byte for byte, and how the bot's side of theaigames recognises it."""

import re

import pytest
from c4_protocol.dialects import bot_end, bot_end_for, riddles, theaigames
from c4_protocol.dialects.riddles import BotEnd, RefereeEnd
from c4_protocol.errors import IllegalMove, ProtocolError, VariantError
from c4_protocol.messages import Clock, MoveRequest, Precept, Reply
from c4_protocol.notation import position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, STANDARD, Variant

SETTINGS = b"""\
settings timebank 10000
settings time_per_move 500
settings player_names player0,player1
settings your_bot player%d
settings your_botid %d
settings field_width 7
settings field_height 6
"""
EMPTY = b"update game field " + b",".join([b"."] * 42)
SIGNS = [
    b"settings field_width 7",
    b"settings field_height 6",
    b"settings player_names player0,player1",
    b"settings your_bot player0",
    b"settings your_botid 0",
    b"update game field 0,.,.",
]


def field(bottom: bytes) -> bytes:
    """Return the update with the bottom row. The other rows are empty."""
    return EMPTY[: -len(bottom)] + bottom


def precept_read(bot, lines: list[bytes]) -> Precept:
    """Return the precept that the last line asks for. No line before it may be answered."""
    *before, last = [bot.read_line(line) for line in lines]
    assert before == [Reply()] * len(before)
    assert isinstance(last, MoveRequest)
    return last.precept


@pytest.mark.parametrize("name", ["riddles", "theaigames"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("order", [1, -1])
def test_transcript_of_a_game_is_read(name, player, order) -> None:
    """The lines of a game ask for moves in the right positions, also if theaigames was expected."""
    bot = bot_end(name)
    lines = [*(SETTINGS % (player, player)).splitlines()[::order], b"update game round 1"]
    if player == 0:
        precept = precept_read(bot, [*lines, EMPTY, b"action move 10000"])
        assert (precept.position(), precept.clock) == (Position(), Clock(10000, 500))
        lines = [b"update game round 2"]
    board = field(b".,1,.,0,.,.,.") if player == 0 else field(b".,.,.,0,.,.,.")
    precept = precept_read(bot, [*lines, board, b"action move 9775"])
    assert precept.position() == position_from_moves("42" if player == 0 else "4", STANDARD)
    assert (precept.player, precept.clock) == (player + 1, Clock(9775, 500))


@pytest.mark.parametrize("line", [b"settings timebank 10000", *SIGNS])
def test_first_line_of_either_platform_leads_to_riddles(line: bytes) -> None:
    """A conversation that begins as theaigames does is read as riddles when a sign comes."""
    bot = bot_end_for(line)
    assert type(bot) is theaigames.BotEnd
    bot.read_line(line)
    bot.read_line(b"settings your_botid 1")
    board = field(b".,.,.,0,.,.,.")
    precept = precept_read(bot, [board, b"action move 1"])
    assert precept.position() == position_from_moves("4", STANDARD)


@pytest.mark.parametrize("line", SIGNS)
def test_sign_is_of_one_conversation(line: bytes) -> None:
    """A conversation that shows the sign of riddles does not change the next one."""
    bot = bot_end("theaigames")
    bot.read_line(line)
    assert bot.platform is riddles.PLATFORM
    assert bot_end("theaigames").platform is theaigames.PLATFORM


@pytest.mark.parametrize(
    "line",
    [
        b"settings timebank 10000",
        b"settings player_names player1,player2",
        b"settings your_bot player1",
        b"settings your_botid 1",
        b"settings your_botid 02",
        b"settings field_columns 7",
        b"settings field_rows 6",
        b"update game round 1",
        b"update game field 0,0;1,2",
        b"action move 10.5",
    ],
)
def test_lines_of_theaigames_are_no_sign(line: bytes) -> None:
    """Lines that theaigames sends are not signs of riddles."""
    assert not riddles.SIGN.match(line)


def test_board_without_settings_is_seven_wide() -> None:
    """Without settings, the board has seven columns, and the counts of stones name the player."""
    precept = precept_read(BotEnd(), [field(b".,.,.,0,.,.,."), b"action move 1"])
    assert precept.position() == position_from_moves("4", STANDARD)


def test_any_size_is_read() -> None:
    """The settings say how many cells a row has."""
    lines = [b"settings field_width 2", b"settings field_height 3", b"settings your_botid 0",
             b"update game field .,.,.,.,0,1", b"action move 1"]  # fmt: skip
    assert precept_read(BotEnd(), lines).position() == position_from_moves("12", Variant(2, 3))


@pytest.mark.parametrize(
    ("board", "answer"),
    [(field(b"0,0,0,0,1,1,1"), b"place_disc 3\n"), (EMPTY.replace(b".", b"0"), None)],
)
def test_action_after_the_end_is_answered(board: bytes, answer: bytes | None) -> None:
    """An action on a won board gets a legal column. An impossible board gets none."""
    bot = BotEnd()
    bot.read_line(board)
    if answer is None:
        with pytest.raises(ProtocolError, match="player 1 has 42 stones"):
            bot.read_line(b"action move 1")
    else:
        assert bot.read_line(b"action move 1") == Reply(answer)


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (b".,.,.", "the grid has 3 columns, but width is 7"),
        (b",".join([b"."] * 41), "the rows of the field have different lengths"),
        (b",".join([b"."] * 49), "grid[0] has 7 cells, but columns are 6 high"),
        (b",".join([b"2"] * 42), "a cell of the field is '2', not one of . 0 1"),
        (b";".join([b"."] * 42), "a cell of the field is '.;.;.;"),
    ],
)
def test_field_of_another_size_or_platform_is_refused(board: bytes, reason: str) -> None:
    """A field that does not agree with the settings is refused with the reason."""
    bot = BotEnd()
    for line in (b"settings field_width 7", b"settings field_height 6"):
        bot.read_line(line)
    bot.read_line(b"update game field " + board)
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        bot.read_line(b"action move 1")


def test_game_is_written_as_the_engine_writes_it() -> None:
    """A bot reads settings and a round for every two plies, and never its own move alone."""
    referee = RefereeEnd()
    assert referee.write_precept(position_from_moves("4", STANDARD), Clock(10000, 500)) == (
        SETTINGS % (1, 1)
        + b"update game round 1\n%b\naction move 10000\n" % field(b".,.,.,0,.,.,.")
    )
    assert referee.read_move(b"place_disc 0") == 0
    assert referee.write_precept(position_from_moves("415", STANDARD), Clock(9775, 500)) == (
        b"update game round 2\n%b\naction move 9775\n" % field(b"1,.,.,0,0,.,.")
    )


@pytest.mark.parametrize(
    ("line", "error", "reason"),
    [
        (b"no_moves", ProtocolError, "the answer is not place_disc COLUMN"),
        (b"place_disc 3 hello", ProtocolError, "the answer is not place_disc COLUMN"),
        (b"place_disc x", ProtocolError, "'x' is not a number"),
        (b"place_disc 7", IllegalMove, "column 7 is not on the board (0 to 6)"),
        (b"place_disc 3", IllegalMove, "column 3 is full"),
    ],
)
def test_first_failure_is_the_fault(line: bytes, error: type[Exception], reason: str) -> None:
    """There is one try for each question."""
    referee = RefereeEnd()
    referee.write_precept(position_from_moves("444444", STANDARD))
    with pytest.raises(error, match="^" + re.escape(reason)):
        referee.read_move(line)
    assert referee.read_move(b"place_disc 2") == 2


def test_other_games_cannot_be_described() -> None:
    """Games other than four in a row with gravity are refused."""
    with pytest.raises(VariantError, match="riddles knows only four in a row"):
        RefereeEnd().check_variant(CODINGAME)
    assert RefereeEnd.plays_one_game
