"""The fixtures that this package gives to pytest.

Every run of pytest where it is installed imports this module, so it imports nothing of weight
before a fixture is asked for.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from c4_referee.bots import BotSpec


@pytest.fixture
def scripted_bot() -> "Callable[..., BotSpec]":
    """Makes bots that give the answers of a list: ``c4_referee.testing.players.scripted``."""
    from c4_referee.testing.players import scripted  # noqa: PLC0415 - see above

    return scripted


@pytest.fixture
def misbehaving_bot() -> "Callable[..., BotSpec]":
    """Makes bots that misbehave, by kind: ``c4_referee.testing.players.misbehaving``."""
    from c4_referee.testing.players import misbehaving  # noqa: PLC0415 - see above

    return misbehaving
