"""The game of ``c4-bot --play``: its opponent."""

import pytest
from c4_bot.play.person import SessionOpponent
from c4_bot.play.session import Session
from c4_bot.player import registry
from c4_protocol.rules.variant import STANDARD


@pytest.mark.parametrize(("name", "says_elo"), [("level-3", True), ("needed", False)])
def test_opponent_says_how_strong_a_level_is(name, says_elo):
    """The opponent says how strong a level is; it says nothing of players without an Elo."""
    opponent = SessionOpponent(Session(registry.build_player(name)), STANDARD, 1)
    assert (f"{name} is about " in opponent.about) == says_elo
