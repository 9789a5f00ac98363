"""The dialect of theaigames, byte for byte, and what it shares with riddles."""

import re

import pytest
from c4_protocol.dialects import bot_end_for
from c4_protocol.dialects._settings import BANK_MS
from c4_protocol.dialects.theaigames import BotEnd, RefereeEnd
from c4_protocol.errors import IllegalMove, ProtocolError, VariantError
from c4_protocol.messages import Clock, Info, MoveRequest, Precept, Reply
from c4_protocol.notation import position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import CODINGAME, LINE8, STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st

SETTINGS = b"""\
settings timebank 10000
settings time_per_move 500
settings player_names player1,player2
settings your_bot player%d
settings your_botid %d
settings field_columns 7
settings field_rows 6
"""
EMPTY_ROW = b"0,0,0,0,0,0,0"


def field(*bottom: bytes) -> bytes:
    """Return the update with the rows at the bottom of the board. The other rows are empty."""
    rows = [EMPTY_ROW] * (6 - len(bottom)) + [*bottom]
    return b"update game field " + b";".join(rows)


def last_reply(bot: BotEnd, text: bytes) -> MoveRequest | Reply:
    """Return what the last line of a text asks for. No line before it may be answered."""
    *before, last = [bot.read_line(line) for line in text.splitlines()]
    assert before == [Reply()] * len(before)
    return last


def precept_read(bot: BotEnd, text: bytes) -> Precept:
    """Return the precept that the last line of a text asks for."""
    request = last_reply(bot, text)
    assert isinstance(request, MoveRequest)
    return request.precept


# Lines of the engine, read by a bot.


@pytest.mark.parametrize("player", [1, 2])
def test_transcript_of_a_game_is_read(player) -> None:
    """The lines of a game ask for moves in the right positions, with the time bank as a clock."""
    bot = BotEnd()
    text = SETTINGS % (player, player) + b"update game round %d\n" % player
    if player == 1:
        precept = precept_read(bot, text + field() + b"\naction move 10000")
        assert precept.position() == Position()
        assert precept.clock == Clock(10000, 500)
        assert last_reply(bot, field(b"0,0,0,1,0,0,0")) == Reply()
        text = b"update game round 3\n"
    board = field(b"0,0,0,2,0,0,0", b"0,0,0,1,0,0,0") if player == 1 else field(b"0,0,0,1,0,0,0")
    precept = precept_read(bot, text + board + b"\naction move 9775")
    assert precept.position() == position_from_moves("44" if player == 1 else "4", STANDARD)
    assert (precept.player, precept.clock) == (player, Clock(9775, 500))
    assert precept.connect == 4


def test_question_is_answered_each_time() -> None:
    """After a failure, the engine sends the field and the action again, and gets a move again."""
    bot = BotEnd()
    question = field() + b"\naction move 10000\n"
    first = precept_read(bot, SETTINGS % (1, 1) + question)
    assert precept_read(bot, question) == first


def test_game_that_was_lost_needs_no_answer() -> None:
    """The round and the field after a loss are not answered."""
    bot = BotEnd()
    text = SETTINGS % (2, 2) + b"update game round 8\n" + field(b"1,1,1,1,2,2,2")
    assert last_reply(bot, text) == Reply()
    assert not bot.is_over


def test_order_of_settings_has_no_meaning() -> None:
    """Settings may come in any order, after the field, and with unknown ones between them."""
    bot = BotEnd()
    lines = (SETTINGS % (2, 2)).splitlines()[::-1]
    lines.insert(3, b"settings max_rounds 21")
    lines.insert(0, field(b"0,0,0,1,0,0,0"))
    lines += [b"settings", b"settings hint", b"update player1 field 9", b"update", b"update game x"]
    precept = precept_read(bot, b"\n".join([*lines, b"action move 700"]))
    assert precept.position() == position_from_moves("4", STANDARD)
    assert precept.clock == Clock(700, 500)


@pytest.mark.parametrize(
    ("settings", "player"),
    [
        (b"", None),
        (b"settings your_botid 2", 2),
        (b"settings your_botid 7", None),
        (b"settings your_bot player2", 2),
        (b"settings your_bot player1", 1),
        (b"settings player_names anna,bert\nsettings your_bot bert", 2),
        (b"settings player_names anna,bert\nsettings your_bot player2", None),
        (b"settings player_names anna,bert\nsettings your_bot anna\nsettings your_botid 2", 2),
    ],
)
def test_player_is_found_in_the_settings(settings: bytes, player: int | None) -> None:
    """The id names the player. Otherwise the name does, or the counts of stones."""
    precept = precept_read(BotEnd(), (settings + b"\n" + field() + b"\naction move 1").lstrip())
    assert precept.player == player
    assert precept.position().player == (player or 1)


def test_board_without_settings_has_the_size_of_its_field() -> None:
    """Without settings, the rows of the field give the size, and there is no increment."""
    precept = precept_read(BotEnd(), b"update game field 0,0,0,0,0;0,0,0,0,0\naction move 1")
    assert precept.position() == Position(Variant(5, 2))
    assert precept.clock == Clock(1, 0)


@pytest.mark.parametrize(
    ("action", "clock"),
    [(b"action move", None), (b"action move -3", Clock(0)), (b"action move 0 x", Clock(0))],
)
def test_odd_time_banks_are_read(action: bytes, clock: Clock | None) -> None:
    """A missing bank is no limit. A negative one is empty."""
    assert precept_read(BotEnd(), field() + b"\n" + action).clock == clock


FULL_MIDDLE = field(*[b"0,0,0,2,0,0,0", b"0,0,0,1,0,0,0"] * 2, b"0,0,0,2,0,0,2", b"1,1,1,1,0,0,2")


@pytest.mark.parametrize(
    ("board", "answer"),
    [
        (field(b"1,1,1,1,2,2,2"), b"place_disc 3\n"),
        (FULL_MIDDLE, b"place_disc 2\n"),
        (b"update game field 1,2;2,1", b"place_disc 0\n"),
    ],
    ids=["won", "won in a full column", "full"],
)
def test_action_after_the_end_is_answered(board: bytes, answer: bytes) -> None:
    """An action after the end of the game gets a legal column, or 0 on a full board."""
    assert last_reply(BotEnd(), board + b"\naction move 500") == Reply(answer)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"place_disc 3", "no command: say settings NAME VALUE, update game field CELLS or"),
        (b"Settings timebank 3", "no command"),
        (b"action", "no command"),
        (b"action pick 3", "no command"),
        (b"", "no command"),
        (b"action move 500", "action before update game field"),
        (b"update game field\naction move 500", "action before update game field"),
        (field() + b"\naction move soon", "'soon' is not a number"),
        (b"settings time_per_move x\n" + field() + b"\naction move 1", "'x' is not a number"),
        (b"settings field_rows 0\n" + field() + b"\naction move 1", "field_rows is 0"),
        (b"settings field_rows 7\n" + field() + b"\naction move 1", "grid[0] has 6 cells, but"),
        (b"settings field_columns 8\n" + field() + b"\naction move 1", "the grid has 7 columns"),
        (b"update game field 0,0;0\naction move 1", "the rows of the field have different"),
        (b"update game field 0,3;0,0\naction move 1", "a cell of the field is '3', not one of 0"),
        (b"update game field 0,;0,0\naction move 1", "a cell of the field is '', not one of 0 1"),
        (b"update game field 1,0;0,0\naction move 1", "a stone floats over an empty cell"),
        (b"update game field 1,1\naction move 1", "player 1 has 2 stones and player 2 has 0"),
    ],
)
def test_lines_that_cannot_be_answered_are_refused(text: bytes, reason: str) -> None:
    """A line is refused with the reason. Settings and fields are read when an action comes."""
    bot = BotEnd()
    *before, last = text.split(b"\n")
    for line in before:
        assert bot.read_line(line) == Reply()
    with pytest.raises(ProtocolError, match="^" + re.escape(reason)):
        bot.read_line(last)


def test_next_field_is_read_after_a_refused_one() -> None:
    """After a refused field, the next question is answered."""
    bot = BotEnd()
    bot.read_line(b"update game field 9")
    with pytest.raises(ProtocolError):
        bot.read_line(b"action move 1")
    assert precept_read(bot, field() + b"\naction move 1").position() == Position()


def test_search_is_described_after_the_column() -> None:
    """The answer is one line, because the engine reads each line as an answer."""
    info = Info(score=2, exact=True, depth=9, nodes=77, ms=1.5, pv=[3], reason="proven:\n a win")
    bot = BotEnd()
    assert bot.write_move(3, None, 2) == b"place_disc 3\n"
    assert bot.write_move(3, info, 2) == b"place_disc 3 score 2, depth 9, 77 nodes; proven: a win\n"
    bot.read_line(b"settings your_botid 0")
    assert bot.write_move(3, info, 2) == b"place_disc 3\n"


@pytest.mark.parametrize("line", [b"settings timebank 10000", b"update game round 1", b"action x"])
def test_first_line_finds_the_dialect(line: bytes) -> None:
    """Settings, updates and actions begin this dialect."""
    assert type(bot_end_for(line)) is BotEnd


@pytest.mark.parametrize("line", [b"setting timebank 1", b"updates", b"actions", b"place_disc 3"])
def test_other_first_lines_are_of_other_dialects(line: bytes) -> None:
    """Words that are similar to those of the dialect do not begin it."""
    assert type(bot_end_for(line)) is not BotEnd


# Lines of the referee, written.


@pytest.mark.parametrize("player", [1, 2])
def test_game_is_written_as_the_engine_writes_it(player) -> None:
    """A bot reads settings, and then the lines of each turn. Its own move comes without an action.

    The rounds count plies, so that player 2 reads even numbers.
    """
    referee = RefereeEnd()
    before = "4" * (player - 1)
    bottom = b"0,0,0,1,0,0,0"
    first = field() if player == 1 else field(bottom)
    assert referee.write_precept(position_from_moves(before, STANDARD), Clock(10000, 500)) == (
        SETTINGS % (player, player)
        + b"update game round %d\n%b\naction move 10000\n" % (player, first)
    )
    assert referee.read_move(b"place_disc 0") == 0
    own = field(b"1,0,0,0,0,0,0") if player == 1 else field(b"2,0,0,1,0,0,0")
    answered = field(b"1,0,0,2,0,0,0") if player == 1 else field(b"2,0,0,1,1,0,0")
    following = "14" if player == 1 else "415"
    assert referee.write_precept(position_from_moves(following, STANDARD), Clock(9775.5, 500)) == (
        b"%b\nupdate game round %d\n%b\naction move 9775\n" % (own, player + 2, answered)
    )


@pytest.mark.parametrize(
    ("time", "settings", "bank"),
    [
        (None, (BANK_MS, 500), BANK_MS),
        (float("inf"), (BANK_MS, 500), BANK_MS),
        (700.9, (700, 700), 700),
        (Clock(60000, 1000), (60000, 1000), 60000),
        (Clock(0, 0), (0, 0), 0),
    ],
)
def test_time_is_sent_as_a_time_bank(time, settings, bank) -> None:
    """The bank is the remaining time or the time for the move, in whole milliseconds."""
    lines = RefereeEnd().write_precept(Position(), time).splitlines()
    assert lines[0] == b"settings timebank %d" % settings[0]
    assert lines[1] == b"settings time_per_move %d" % settings[1]
    assert lines[-1] == b"action move %d" % bank


@pytest.mark.parametrize(
    ("line", "column"),
    [(b"place_disc 3", 3), (b"place_disc 0 hello", 0), (b"  place_disc\t6", 6)],
)
def test_legal_move_is_read(line: bytes, column: int) -> None:
    """A legal column is read. Words after it are ignored."""
    referee = RefereeEnd()
    referee.write_precept(Position())
    assert referee.read_move(line) == column


FAILURES = [
    (b"no_moves", ProtocolError, "the answer is not place_disc COLUMN"),
    (b"", ProtocolError, "the answer is not place_disc COLUMN"),
    (b"place_disc", ProtocolError, "the answer is not place_disc COLUMN"),
    (b"Place_disc 3", ProtocolError, "the answer is not place_disc COLUMN"),
    (b'{"move":3}', ProtocolError, "the answer is not place_disc COLUMN"),
    (b"place_disc x", ProtocolError, "'x' is not a number"),
    (b"place_disc 7", IllegalMove, "column 7 is not on the board (0 to 6)"),
    (b"place_disc -1", IllegalMove, "column -1 is not on the board"),
    (b"place_disc -2", IllegalMove, "column -2 is not on the board"),
    (b"place_disc 3", IllegalMove, "column 3 is full"),
]


@pytest.mark.parametrize(("line", "error", "reason"), FAILURES)
def test_third_failure_is_the_fault(line: bytes, error: type[Exception], reason: str) -> None:
    """Two failures in a turn get the field and the action again. The third raises its reason."""
    referee = RefereeEnd()
    question = referee.write_precept(position_from_moves("444444", STANDARD), 800.0)
    again = b"".join(question.splitlines(keepends=True)[-2:])
    assert again.startswith(b"update game field ")
    assert again.endswith(b"\naction move 800\n")
    assert referee.read_move(b"nothing yet") == Reply(again)
    assert referee.read_move(line) == Reply(again)
    with pytest.raises(error, match="^failure 3 in one turn: " + re.escape(reason)):
        referee.read_move(line)


def test_failures_are_forgotten_in_the_next_turn() -> None:
    """Each turn has three tries, and a failure does not count as the bot's own move."""
    referee, position = RefereeEnd(), Position()
    for _ in range(3):
        question = referee.write_precept(position)
        again = Reply(b"".join(question.splitlines(keepends=True)[-2:]))
        assert [referee.read_move(b"no_moves") for _ in range(2)] == [again, again]
        assert referee.read_move(b"place_disc 2") == 2
        position = position.play(position.check(2)).play(position.play(position.check(2)).check(3))


@given(position=..., lines=st.lists(st.binary() | st.sampled_from([f[0] for f in FAILURES])))
def test_any_answer_is_a_legal_move_or_a_failure(position: Position, lines: list[bytes]) -> None:
    """After a question, any line is a legal column, one of two failures, or an error."""
    variant = Variant(position.variant.width, position.variant.height)
    referee = RefereeEnd()
    referee.write_precept(Position(variant))
    for failures, line in enumerate(lines):
        try:
            move = referee.read_move(line)
        except (IllegalMove, ProtocolError):
            assert failures == 2
            return
        if not isinstance(move, Reply):
            assert Position(variant).check(move) in Position(variant).moves
            return
        assert failures < 2


def test_nothing_may_be_written_between_questions() -> None:
    """A line between questions would be the next answer, so none is allowed."""
    assert not RefereeEnd().may_say(b"that was easy\n")


def test_another_seat_begins_with_settings() -> None:
    """Settings are sent again if the bot has another seat or board than before."""
    referee = RefereeEnd()
    referee.write_precept(Position())
    referee.read_move(b"place_disc 3")
    assert not referee.write_precept(position_from_moves("44", STANDARD)).startswith(b"settings")
    for position in (position_from_moves("4", STANDARD), Position(Variant(8, 7), player=2)):
        assert referee.write_precept(position).startswith(b"settings timebank 10000\n")
    assert RefereeEnd.plays_one_game


@pytest.mark.parametrize("variant", [STANDARD, Variant(8, 7), Variant(1, 1), Variant(52, 52)])
def test_boards_of_any_size_can_be_described(variant: Variant) -> None:
    """Boards of any size can be described, and their field is as wide and high."""
    referee = RefereeEnd()
    referee.check_variant(variant)
    lines = referee.write_precept(Position(variant)).splitlines()
    assert b"settings field_columns %d" % variant.width in lines
    assert b"settings field_rows %d" % variant.height in lines
    rows = lines[-2].removeprefix(b"update game field ").split(b";")
    assert rows == [b",".join([b"0"] * variant.width)] * variant.height


@pytest.mark.parametrize("variant", [LINE8, CODINGAME, Variant(connect=5), Variant(gravity=False)])
def test_other_games_cannot_be_described(variant: Variant) -> None:
    """Games other than four in a row with gravity are refused."""
    with pytest.raises(VariantError, match="theaigames knows only four in a row"):
        RefereeEnd().write_precept(Position(variant))
