"""Contract of every registered format, tested with valid and invalid lines.

For a new format, ``LINES`` needs a first line of its files.
"""

from importlib import import_module

import pytest
from c4_referee import formats
from c4_referee.formats import StoredGame, UnreadableLine
from hypothesis import given
from hypothesis import strategies as st

GAME = (
    '{"game":1,"first":"a","second":"b","moves":"1122334","ms":[1.5],"cpu_ms":[1.0],"winner":1,'
    '"ending":"line","fault":null,"notes":[],"stderr":{},"variant":{},"opening":"1",'
    '"event":"game_ended"}'
)
LINES = [
    GAME,
    GAME[:90],
    '{"event":"move","game":1}',
    '{"event":"game_ended"}',
    "{}",
    "[1]",
    '[White "a"]',
    '[Black "b"]',
    '[Result "0-1"]',
    '[Termination "time forfeit"]',
    '[White "a',
    "%",
    "1. d1 d2 {it is 1-0} *",
    "first,second,result",
    "first;second;result;moves",
    "a,b,1-0",
    "a;b;0.5;44",
    'a,"b,1-0',
    "",
    "\x00",
]
"""Valid and invalid lines of several formats."""


def module_of(name: str):
    """Return the module of a format."""
    return import_module(f"c4_referee.formats.{name}")


@pytest.mark.parametrize("name", formats.names())
@given(st.binary(max_size=60))
def test_first_line_is_recognised_or_not(name, line):
    """``recognises`` returns true or false for any bytes, and raises nothing."""
    assert module_of(name).recognises(line) in {True, False}


@pytest.mark.parametrize("name", formats.names())
@given(
    st.data(),
    st.lists(st.sampled_from(LINES) | st.text(max_size=30), max_size=12).map("\n".join),
    st.binary(max_size=40),
    st.integers(0, 400),
)
def test_any_lines_are_read_or_reported(name, data, text, noise, place):
    """After a valid first line, any lines give only results and unreadable lines."""
    module = module_of(name)
    first_lines = [line.encode() for line in LINES if module.recognises(line.encode())]
    first = data.draw(st.sampled_from(first_lines))
    later = text.encode()
    later = later[:place] + noise + later[place:]
    for found in module.read(enumerate([first, *later.split(b"\n")], 1)):
        assert isinstance(found, StoredGame | UnreadableLine)
        if isinstance(found, StoredGame):
            assert found.winner in {0, 1, 2}
            assert found.first != found.second
            assert found.first.isprintable()
            assert found.second
        else:
            assert found.number >= 1
            assert len(found.reason.splitlines()) == 1
