"""How the bot's side of theaigames recognises the dialect of riddles."""

import pytest
from c4_protocol.dialects import bot_end_for, theaigames

SIGNS = b"""settings field_width 7
settings field_height 6
settings player_names player0,player1
settings your_bot player0
settings your_botid 0
update game field 0,.,.""".splitlines()


@pytest.mark.parametrize("line", [b"settings timebank 10000", *SIGNS])
def test_first_line_of_either_platform_leads_to_riddles(line: bytes) -> None:
    """A conversation that begins as theaigames does is read as riddles when a sign comes.

    The next conversation does not know of it.
    """
    bot = bot_end_for(line)
    assert type(bot) is theaigames.BotEnd
    bot.read_line(line)
    bot.read_line(b"settings your_botid 1")
    bot.read_line(b"update game field " + b",".join([*[b"."] * 38, b"0", *[b"."] * 3]))
    request = bot.read_line(b"action move 1")
    assert request.precept.position().player == 2
    assert theaigames.BotEnd().platform is theaigames.PLATFORM
