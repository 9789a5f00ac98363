"""Contract of every registered format, tested with valid and invalid lines.

For a new format, ``LINES`` needs a first line of its files, and ``WRITERS`` of ``other_records``
needs a function that writes a game in it.
"""

from importlib import import_module

import pytest
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant
from c4_referee import formats
from c4_referee.formats import StoredGame, UnreadableLine
from c4_referee.storage.imported import imported_game
from hypothesis import given
from hypothesis import strategies as st
from other_records import WRITERS, last, pipe_lines, table
from result_files import lines_read

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
    '{"grid":[[0,0],[0,0]],"player":1}',
    '{"grid":[[0,1],[0,0]]}',
    '{"grid":[[0,1],[0,2]]}',
    '{"grid":3,"width":99}',
    '{"move":0}',
    '{"move":[0,1]}',
    ". . . .",
    ". . x o",
    "| |x|o| |",
    "Player 1 wins",
    '{"name":"connectx","steps":[]}',
    '{"name":"connectx","configuration":{"columns":99},"steps":[]}',
    '{"name":"connectx","steps":[[{"status":"ACTIVE"},{"status":"INACTIVE"}],'
    '[{"status":"DONE","action":3},{"status":"ERROR"}]]}',
    '"steps": [',
    "settings field_columns 2",
    "settings field_width x",
    "settings player_names a,a",
    "update game field 0,0;0,0",
    "update game field 0,0;0,1",
    "update game field .,.,0,1",
    'Output from your bot: "place_disc 1"',
    "place_disc 999",
    "4453",
    "1212121",
    "11111111",
    "moves",
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
    starts = [*LINES, "\n".join([". . . ."] * 3)]
    first_lines = [line.encode() for line in starts if module.recognises(line.encode())]
    first = data.draw(st.sampled_from(first_lines))
    later = text.encode()
    later = later[:place] + noise + later[place:]
    for found in module.read(enumerate([*first.split(b"\n"), *later.split(b"\n")], 1)):
        assert isinstance(found, StoredGame | UnreadableLine)
        if isinstance(found, StoredGame):
            assert found.winner in {0, 1, 2}
        else:
            assert found.number >= 1
            assert len(found.reason.splitlines()) == 1


@st.composite
def games(draw: st.DrawFn, variants: tuple[Variant, ...]) -> tuple[Variant, list[int]]:
    """Return a variant and the cells of a game that is played to its end."""
    position, cells = Position(draw(st.sampled_from(variants))), []
    while not position.is_over:
        cells.append(draw(st.sampled_from(position.moves)))
        position = position.play(cells[-1])
    return position.variant, cells


ANY = (STANDARD, Variant(8, 7), Variant(5, 5, 3))
VARIANTS = {
    "moves": (STANDARD,),
    "theaigames": (STANDARD, Variant(8, 7)),
    "driver": (STANDARD, Variant(5, 4)),
}
"""Variants that a format can describe, if not all of ``ANY``."""


def test_every_format_of_other_programs_has_a_writer():
    """The tests know how other programs write a game in each format."""
    assert {*WRITERS} == {*formats.names()} - {"jsonl"}


@pytest.mark.parametrize(
    ("name", "write"), [(name, write) for name, writers in WRITERS.items() for write in writers]
)
@given(st.data())
def test_game_is_read_as_it_was_played(name, write, data):
    """A game that another program wrote has the same variant, moves and result."""
    variant, cells = data.draw(games(VARIANTS.get(name, ANY)))
    text = write(variant, cells).encode()
    assert formats.reader_for(text) is module_of(name).read
    check_game(text, variant, cells)


@pytest.mark.parametrize("write", [table, pipe_lines])
@given(game=games((CODINGAME, LINE8)))
def test_game_with_other_rules_is_read(write, game):
    """Tables and precepts also describe the steal, and games without gravity."""
    check_game(write(*game).encode(), *game)


def check_game(text: bytes, variant: Variant, cells: list[int]) -> None:
    """Check that a text is read as the game with these moves."""
    (game,) = lines_read(text)
    assert isinstance(game, StoredGame)
    record = imported_game(1, game)
    assert record.moves == moves_text(variant, cells)
    assert record.winner == last(variant, cells).winner
    assert record.ending == ("line" if record.winner else "full board")
    assert record.variant.variant() == variant
    assert (record.fault, record.opening) == (None, "")
