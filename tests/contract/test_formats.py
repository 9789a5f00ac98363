"""Contract of every registered format, tested with valid and invalid lines.

A new format needs a file in ``tests/referee/records/formats/files``, and a function that writes a
game in it in ``WRITERS`` of ``other_records``.
"""

from codecs import escape_decode
from importlib import import_module
from pathlib import Path

import pytest
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant
from c4_referee.records import formats
from c4_referee.records.formats import StoredGame, UnreadableLine
from c4_referee.records.storage.imported import imported_game
from hypothesis import given
from hypothesis import strategies as st
from other_records import WRITERS, last, pipe_lines, table
from result_files import lines_read

FILES = Path(__file__).parents[1] / "referee" / "records" / "formats" / "files"
LINES = sorted(
    {
        escape_decode(line[2:].encode())[0]
        for path in FILES.iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith(">")
    }
)
"""Valid and invalid lines of all formats."""


def module_of(name: str):
    """Return the module of a format."""
    return import_module(f"c4_referee.records.formats.{name}")


@pytest.mark.parametrize("name", formats.names())
@given(st.binary(max_size=60))
def test_first_line_is_recognised_or_not(name, line):
    """``recognises`` returns true or false for any bytes, and raises nothing."""
    assert module_of(name).recognises(line) in {True, False}


@pytest.mark.parametrize("name", formats.names())
@given(
    st.data(),
    st.lists(st.sampled_from(LINES) | st.text(max_size=30).map(str.encode), max_size=12).map(
        b"\n".join
    ),
    st.binary(max_size=40),
    st.integers(0, 400),
)
def test_any_lines_are_read_or_reported(name, data, later, noise, place):
    """After a valid first line, any lines give only results and unreadable lines."""
    module = module_of(name)
    starts = [*LINES, b"\n".join([b". . . ."] * 3)]
    first = data.draw(st.sampled_from([line for line in starts if module.recognises(line)]))
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
