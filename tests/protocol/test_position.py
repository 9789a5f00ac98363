"""The earlier name of the module of positions."""

import importlib

import pytest
from c4_protocol.rules.position import Position


def test_old_name_warns_and_has_the_same_class():
    """Evaluators of users that import the old name work, and a warning names the new one."""
    with pytest.warns(
        DeprecationWarning, match=r"c4_protocol\.position is now c4_protocol\.rules\.position"
    ):
        old = importlib.import_module("c4_protocol.position")
    assert old.Position is Position
