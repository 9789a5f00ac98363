"""Records show themselves in notebooks if an installed package can show them."""

from importlib.metadata import entry_points
from types import SimpleNamespace

import pytest
from c4_protocol.records import notebook
from c4_protocol.records.reports import Standings

EMPTY = Standings((), 0, 0, 0, 0, None, None, None, None, None, None)


def test_the_installed_function_shows_a_record(monkeypatch):
    """The function of the entry point receives the record."""
    provider = SimpleNamespace(load=lambda: lambda record: f"<p>{record}")
    monkeypatch.setattr(notebook, "entry_points", lambda **_: [provider])
    assert notebook.notebook_html("game", "a game") == "<p>a game"


def test_nothing_installed_shows_nothing(monkeypatch):
    """Without a provider the notebook falls back to the text of the record."""
    monkeypatch.setattr(notebook, "entry_points", lambda **_: [])
    assert notebook.notebook_html("game", "a game") is None


@pytest.mark.linux
@pytest.mark.skipif(
    not entry_points(group=notebook.ENTRY_POINT_GROUP), reason="no entry points are installed"
)
@pytest.mark.parametrize("kind", ["game", "match", "tournament", "standings"])
def test_the_package_brings_all_functions(kind):
    """The installed package names a function for every kind of record."""
    (provider,) = entry_points(group=notebook.ENTRY_POINT_GROUP, name=kind)
    assert callable(provider.load())
    assert "<table>" in EMPTY._repr_html_()
