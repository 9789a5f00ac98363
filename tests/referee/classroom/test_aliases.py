"""Aliases of bots."""

import pytest
from c4_protocol.program.errors import ArenaError
from c4_referee.bots.find import BOT_NAME_PATTERN
from c4_referee.classroom.aliases import ADJECTIVES, ANIMALS, new_alias


def test_all_aliases_differ_and_are_names_of_bots():
    """No alias is given twice, until there are no more."""
    taken = set()
    for _ in range(300):
        alias = new_alias(taken)
        assert alias not in taken
        assert BOT_NAME_PATTERN.fullmatch(alias)
        taken.add(alias)
    rest = {f"{one}-{other}" for one in ADJECTIVES.split() for other in ANIMALS.split()}
    with pytest.raises(ArenaError, match="aliases"):
        new_alias(rest)


def test_alias_is_drawn():
    """The same students get other aliases in another class."""
    assert len({new_alias(()) for _ in range(20)}) > 1
