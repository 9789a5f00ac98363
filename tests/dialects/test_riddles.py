"""The dialect of riddles, byte for byte, and how the bot's side of theaigames recognises it."""

import pytest
from c4_protocol.dialects import bot_end, bot_end_for, riddles, theaigames

SIGNS = b"""settings field_width 7
settings field_height 6
settings player_names player0,player1
settings your_bot player0
settings your_botid 0
update game field 0,.,.""".splitlines()


@pytest.mark.parametrize("line", [b"settings timebank 10000", *SIGNS])
def test_first_line_of_either_platform_leads_to_riddles(line: bytes) -> None:
    """A conversation that begins as theaigames does is read as riddles when a sign comes."""
    bot = bot_end_for(line)
    assert type(bot) is theaigames.BotEnd
    bot.read_line(line)
    bot.read_line(b"settings your_botid 1")
    bot.read_line(b"update game field " + b",".join([*[b"."] * 38, b"0", *[b"."] * 3]))
    request = bot.read_line(b"action move 1")
    assert request.precept.position().player == 2


@pytest.mark.parametrize("line", SIGNS)
def test_sign_is_of_one_conversation(line: bytes) -> None:
    """A conversation that shows the sign of riddles does not change the next one."""
    bot = bot_end("theaigames")
    bot.read_line(line)
    assert bot.platform is riddles.PLATFORM
    assert bot_end("theaigames").platform is theaigames.PLATFORM


@pytest.mark.parametrize(
    "line",
    [b"settings timebank 10000", b"settings player_names player1,player2",
     b"settings your_bot player1", b"settings your_botid 1", b"settings your_botid 02",
     b"settings field_columns 7", b"settings field_rows 6", b"update game round 1",
     b"update game field 0,0;1,2", b"action move 10.5"],
)  # fmt: skip
def test_lines_of_theaigames_are_no_sign(line: bytes) -> None:
    """Lines that theaigames sends are not signs of riddles."""
    assert not riddles.RIDDLES_ONLY_LINE.match(line)
