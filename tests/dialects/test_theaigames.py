"""The dialect of theaigames: what its transcripts cannot show."""

import pytest
from c4_protocol.dialects.theaigames import BotEnd, RefereeEnd
from c4_protocol.program.errors import IllegalMove, ProtocolError
from c4_protocol.records.messages import MoveRequest, Reply
from c4_protocol.rules.notation import position_from_moves
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from hypothesis import given
from hypothesis import strategies as st


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
    bot = BotEnd()
    for line in [*settings.splitlines(), b"update game field 0,0;0,0"]:
        bot.read_line(line)
    request = bot.read_line(b"action move 1")
    assert isinstance(request, MoveRequest)
    assert request.precept.player == player
    assert request.precept.position().player == (player or 1)


ANSWERS = (b"place_disc", b"place_disc 0", b"place_disc 9", b"place_disc -1 hello")


@given(position=..., lines=st.lists(st.binary() | st.sampled_from(ANSWERS)))
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


def test_another_seat_begins_with_settings() -> None:
    """Settings are sent again if the bot has another seat or board than before."""
    referee = RefereeEnd()
    referee.write_precept(Position())
    referee.read_move(b"place_disc 3")
    assert not referee.write_precept(position_from_moves("44", STANDARD)).startswith(b"settings")
    for position in (position_from_moves("4", STANDARD), Position(Variant(8, 7), player=2)):
        assert referee.write_precept(position).startswith(b"settings timebank 10000\n")
    assert RefereeEnd.plays_one_game
