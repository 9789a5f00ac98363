"""Variants: their names, and the lines and choices that follow from their rules."""

import pytest
import steals
from c4_protocol.program.errors import VariantError
from c4_protocol.rules.variant import (
    DIAGONAL,
    DIRECTIONS,
    HORIZONTAL,
    LINE8,
    MAX_SIDE,
    STANDARD,
    VERTICAL,
    Variant,
)
from hypothesis import given
from hypothesis import strategies as st

VARIANTS = st.from_type(Variant) | steals.VARIANTS
SIDES = st.integers(1, MAX_SIDE)
STEPS = {HORIZONTAL: [(1, 0)], VERTICAL: [(0, 1)], DIAGONAL: [(1, 1), (1, -1)]}


def naive_lines(variant: Variant) -> set[int]:
    """Return every line, found by a walk from every cell in every direction."""
    lines = set()
    for x in range(variant.width):
        for y in range(variant.height):
            for dx, dy in (step for name in variant.directions for step in STEPS[name]):
                walk = [(x + i * dx, y + i * dy) for i in range(variant.connect)]
                if all(a < variant.width and 0 <= b < variant.height for a, b in walk):
                    lines.add(sum(1 << (a * (variant.height + 1) + b) for a, b in walk))
    return lines


@pytest.mark.parametrize(
    ("text", "variant"),
    [
        ("standard", Variant(7, 6, 4)),
        ("7x6", STANDARD),
        ("8x7", Variant(8, 7, 4)),
        ("9x7x5", Variant(9, 7, 5)),
        ("52x52x52", Variant(52, 52, 52)),
        ("line8", Variant(8, 8, 4, gravity=False, directions=(HORIZONTAL, VERTICAL))),
    ],
)
def test_text_names_a_variant(text: str, variant: Variant) -> None:
    """A text is a variant's name, or its width and height, with or without the length of a line."""
    assert Variant.parse(text) == variant


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no variant ''"),
        ("7", "no variant '7'"),
        ("7x", "no variant '7x'"),
        ("7x6x", "no variant '7x6x'"),
        ("7x6x4x2", "no variant '7x6x4x2'"),
        ("-7x6", "no variant '-7x6'"),
        ("7X6", "no variant '7X6'"),
        (" 7x6", "no variant ' 7x6'"),
        ("Standard", "no variant 'Standard'"),
        ("70000x6", "no variant '70000x6'"),
        ("\u0667x\u0666", "no variant '\u0667x\u0666'"),
        ("0x6", "1 to 52 wide and high, not 0x6"),
        ("7x0", "1 to 52 wide and high, not 7x0"),
        ("53x6", "1 to 52 wide and high, not 53x6"),
        ("7x53", "1 to 52 wide and high, not 7x53"),
        ("7x6x1", "2 to 52 stones, not 1"),
        ("7x6x53", "2 to 52 stones, not 53"),
    ],
)
def test_wrong_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    """A text that is not a variant is refused with the reason."""
    with pytest.raises(VariantError, match=reason):
        Variant.parse(text)


@pytest.mark.parametrize("directions", [(), ("up",), ("horizontal", "up")])
def test_unknown_or_no_directions_are_refused(directions: tuple[str, ...]) -> None:
    """A variant with an unknown direction, or without one, is refused."""
    with pytest.raises(VariantError, match="one or more of horizontal, vertical, diagonal"):
        Variant(directions=directions)


@given(st.just(LINE8) | st.builds(Variant, SIDES, SIDES, st.integers(2, MAX_SIDE)))
def test_text_of_a_variant_is_parsed_back(variant: Variant) -> None:
    """``parse`` is the inverse of ``str`` for variants with usual rules or with a name."""
    assert Variant.parse(str(variant)) == variant


@given(VARIANTS, VARIANTS)
def test_different_variants_have_different_texts(one: Variant, other: Variant) -> None:
    """Different variants have different texts."""
    assert (str(one) == str(other)) == (one == other)


@pytest.mark.parametrize(
    ("variant", "text"),
    [
        (STANDARD, "standard"),
        (LINE8, "line8"),
        (Variant(8, 7), "8x7x4"),
        (Variant(8, 7, gravity=False), "8x7x4 free"),
        (Variant(directions=(HORIZONTAL, DIAGONAL)), "7x6x4 horizontal+diagonal"),
    ],
)
def test_text_says_only_what_is_unusual(variant: Variant, text: str) -> None:
    """The text of a variant is its name, or its size and its unusual rules."""
    assert str(variant) == text


@given(st.permutations(DIRECTIONS))
def test_order_of_directions_makes_no_other_game(directions: list[str]) -> None:
    """The order of the directions does not change a variant."""
    assert Variant(directions=tuple(directions)) == STANDARD


@given(VARIANTS)
def test_lines_agree_with_a_walk_over_the_board(variant: Variant) -> None:
    """The lines of a variant are those found by a walk, each once."""
    assert len(variant.lines) == len(set(variant.lines))
    assert set(variant.lines) == naive_lines(variant)


@given(VARIANTS)
def test_choices_go_from_the_centre_outwards(variant: Variant) -> None:
    """Choices are ordered by their distance from the centre, then by their bits."""
    middle = complex(variant.width - 1, variant.height - 1) / 2

    def distance(choice: int) -> tuple[float, int]:
        cell = choice.bit_length() - 1
        away = complex(variant.column_of(cell), variant.row_of(cell)) - middle
        return abs(away.real if variant.gravity else away), choice

    assert list(variant.choices) == sorted(variant.choices, key=distance)


@given(VARIANTS)
def test_choices_are_all_there_is_to_choose(variant: Variant) -> None:
    """Each cell is in exactly one choice: a column, or a single cell without gravity."""
    assert len(variant.choices) == (variant.width if variant.gravity else variant.cells)
    assert sum(variant.choices) == variant.board


@given(VARIANTS, st.data())
def test_cell_is_where_its_column_and_row_say(variant: Variant, data: st.DataObject) -> None:
    """``column_of`` and ``row_of`` are the inverse of ``cell`` for all cells of the board."""
    column = data.draw(st.integers(0, variant.width - 1))
    row = data.draw(st.integers(0, variant.height - 1))
    cell = variant.cell(column, row)
    assert (variant.column_of(cell), variant.row_of(cell)) == (column, row)
    assert variant.columns[column] >> cell & 1
