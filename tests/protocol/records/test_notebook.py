"""Records show themselves in notebooks if an installed package can show them."""

from types import SimpleNamespace

import pytest
from c4_protocol.records.notebook import ENTRY_POINT_GROUP, find_providers, notebook_html
from c4_protocol.records.reports import Standings

EMPTY = Standings((), 0, 0, 0, 0, None, None, None, None, None, None)


def test_the_installed_function_shows_a_record():
    """The function of the entry point receives the record."""
    provider = SimpleNamespace(load=lambda: lambda record: f"<p>{record}")
    assert notebook_html("game", "a game", lambda kind: [provider]) == "<p>a game"


def test_nothing_installed_shows_nothing():
    """Without a provider the notebook falls back to the text of the record."""
    assert notebook_html("game", "a game", lambda kind: []) is None


@pytest.mark.linux
@pytest.mark.skipif(
    not [*find_providers("standings")], reason=f"no entry points of {ENTRY_POINT_GROUP}"
)
@pytest.mark.parametrize("kind", ["game", "match", "tournament", "standings"])
def test_the_package_brings_all_functions(kind):
    """The installed package names a function for every kind of record."""
    (provider,) = find_providers(kind)
    assert callable(provider.load())
    assert "<table>" in EMPTY._repr_html_()
