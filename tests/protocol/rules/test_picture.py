"""Pictures of positions: what is drawn, where, and how large the picture is."""

import re
from xml.etree import ElementTree

import steals
from c4_protocol.board import Board
from c4_protocol.rules.notation import replay
from c4_protocol.rules.picture import ATTRIBUTES_BY_CLASS, board_svg
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, MAX_SIDE, STANDARD, STEAL, Variant
from hypothesis import given
from hypothesis import strategies as st

variants = steals.VARIANTS | st.builds(
    Variant,
    width=st.integers(1, MAX_SIDE),
    height=st.integers(1, MAX_SIDE),
    connect=st.integers(2, 7),
    gravity=st.booleans(),
)


@st.composite
def positions(draw):
    """Return a position of any variant after some random moves, and the cell of the last move."""
    position, last = Position(draw(variants)), None
    for _ in range(draw(st.integers(0, 12))):
        if position.is_over:
            break
        last = draw(st.sampled_from(position.moves))
        position = position.play(last)
    return position, last


def parts(picture):
    """Return the data of the paths by their class."""
    root = ElementTree.fromstring(picture)
    return {path.get("class"): path.get("d") for path in root.iter("path")}


def dots(data):
    """Return the coordinates of the dots of a path."""
    return [tuple(map(int, dot)) for dot in re.findall(r"M(\d+) (\d+)h0", data)]


@given(positions())
def test_every_stone_is_drawn_once_in_its_cell(case):
    """The dots of both players are their stones, in any variant."""
    position, last = case
    drawn, variant = parts(board_svg(position, last, styled=False)), position.variant
    for stones, name in zip(position.stones, ("b1", "b2"), strict=True):
        cells = [variant.cell(x - 1, variant.height - y) for x, y in dots(drawn.get(name, ""))]
        assert sum(1 << cell for cell in cells) == stones
        assert len(cells) == stones.bit_count()
    assert len(dots(drawn.get("bl", ""))) == (last is not None)
    assert ("bw" in drawn) == bool(position.winner)


@given(positions())
def test_a_picture_stays_in_its_box(case):
    """All cells and labels lie inside the visible part of the picture."""
    root = ElementTree.fromstring(board_svg(case[0], styled=False))
    left, top, width, height = map(float, root.get("viewBox").split())
    variant = case[0].variant
    assert left <= 0.5
    assert top <= 0.5
    assert left + width >= variant.width + 0.5
    assert top + height >= variant.height + 0.5
    for text in root.iter("text"):
        assert all(left < float(x) < left + width for x in text.get("x").split())
        assert all(top < float(y) < top + height for y in text.get("y").split())


def test_a_line_is_joined_by_a_stroke_between_its_ends():
    """Four stones in row 6 are joined from the first to the last."""
    position, cells = replay("1122334", STANDARD)
    drawn = parts(board_svg(position, cells[-1], styled=False))
    assert drawn["bw"] == drawn["bs"] == "M1 6L4 6"
    assert drawn["bl"] == "M4 6h0"


def test_a_better_move_is_an_empty_circle():
    """The mark of a better move lies around the centre of its cell."""
    drawn = parts(board_svg(Position(), better=21, styled=False))
    assert drawn["be"].startswith("M4 6m-.3 0")


def test_a_picture_of_a_page_is_small():
    """Pages hold thousands of pictures: a position takes 0.7 KB, the largest board 1.5 KB."""
    position, cells = replay("44441322351223", STANDARD)
    assert len(board_svg(position, cells[-1], styled=False)) < 650
    assert len(board_svg(Position(Variant(52, 52)), styled=False)) < 1500


def test_a_picture_for_a_notebook_brings_its_colours():
    """Nothing refers to a style sheet, and both the size and the namespace are given."""
    root = ElementTree.fromstring(board_svg(Position().play(0)))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("width"), root.get("height")) == ("292", "266")
    text = board_svg(Position().play(0))
    assert ATTRIBUTES_BY_CLASS["b1"] in text
    assert 'class="b1"' not in text


def test_labels_are_those_of_move_strings():
    """Columns after 9 are letters; without gravity, rows are letters and columns are numbers."""
    assert ">123456789abc<" in board_svg(Position(Variant(12, 4)))
    free = board_svg(Position(Variant(10, 3, gravity=False)))
    assert ">abc<" in free
    assert ">10<" in free


def test_a_wide_board_has_fewer_labels():
    """Labels on a board with 52 columns have room: each fourth column has one."""
    assert ">48cgkoswAEIMQ<" in board_svg(Position(Variant(52, 6)))


def test_the_description_names_the_state():
    """People who cannot see the picture read how many stones there are and what happens next."""
    assert "7x6 board with 0 stones: player 1 moves next" in board_svg(Position())
    assert "player 1 has won" in board_svg(replay("1122334", STANDARD)[0])
    assert "the board is full" in board_svg(Position(Variant(1, 1, 2)).play(0))
    assert 'aria-label="&lt;b&gt; &quot;"' in board_svg(Position(), label='<b> "')


def test_positions_and_boards_show_themselves():
    """Notebooks show a position with columns from 1 and a board with columns from 0."""
    assert ">1234567<" in Position()._repr_svg_()
    board = Board().play(3)
    assert ">0123456<" in board._repr_svg_()
    assert ATTRIBUTES_BY_CLASS["bl"] in board._repr_svg_()
    assert ">abcdefgh<" in Position(LINE8)._repr_svg_()


def test_the_steal_marks_the_stone_that_it_takes():
    """The steal as the last move or as a better move marks the first stone, of either player."""
    stolen, _ = replay("5s", CODINGAME)
    drawn = parts(board_svg(stolen, STEAL, styled=False))
    assert (drawn["bl"], drawn["b2"], drawn.get("b1")) == ("M5 7h0", "M5 7h0", None)
    missed, cells = replay("51", CODINGAME)
    drawn = parts(board_svg(missed, cells[-1], better=STEAL, styled=False))
    assert drawn["bl"] == "M1 7h0"
    assert drawn["be"].startswith("M5 7m")
