"""The fixtures that this package adds to pytest.

Every run of pytest in an environment with c4-arena imports this module. Therefore this module
imports large modules only when a test uses a fixture.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from c4_referee.bots.spec import BotSpec


@pytest.fixture
def scripted_bot() -> "Callable[..., BotSpec]":
    """Return ``c4_referee.testing.players.scripted``, which makes a bot from a list of answers."""
    from c4_referee.testing.players import scripted  # noqa: PLC0415 - see above

    return scripted


@pytest.fixture
def misbehaving_bot() -> "Callable[..., BotSpec]":
    """Return ``c4_referee.testing.players.misbehaving``, which makes a bot with a given fault."""
    from c4_referee.testing.players import misbehaving  # noqa: PLC0415 - see above

    return misbehaving
