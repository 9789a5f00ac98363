"""A bot's number, which counts from 0, and people's columns, which count from 1, in all texts."""

import re
from pathlib import Path

import pytest
from c4_bot.reasons import sentences
from c4_protocol import dialects
from c4_protocol.program.errors import IllegalMove
from c4_protocol.rules.notation import cell_of_wire, position_from_moves, with_moves, without_moves
from c4_protocol.rules.variant import LINE8, STANDARD, Variant
from c4_referee.check.forms import form_of
from c4_referee.check.misreading import MISTAKES, MISTAKES_IN_COLUMNS

TEMPLATES = Path(sentences.__file__).with_name("sentences.json").read_text(encoding="utf-8")
PLACES = ("column 4", "columns 2, 3 and 5", "column 4 or row 2 of column 6")
WITH_PLACES = ("move", "reply", "better", "later", "column", "cells", "any_cell", "moves", "others")
STEAL_GAME, WIDE = Variant.parse("7x6+steal"), Variant.parse("12x8")
SHOWN = re.compile(r"[Cc]olumns? ([^()]+) \(moves? ([^()]+)\)")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("template", dict.fromkeys(re.findall(r': "([^"]*)"', TEMPLATES)))
def test_column_in_a_sentence_for_programs_has_its_move_beside_it(template: str, place: str):
    """No name of a column or of a line stands alone, and people read the sentence without moves."""
    values = dict.fromkeys(re.findall(r"{(\w+)}", template), "it")
    values |= dict.fromkeys(WITH_PLACES, place) | {"line": "4 3 5", "list": "2 and 3", "row": "2"}
    values |= {"there": f"with {place}"} | ({"column": "7"} if "column {" in template else {})
    text = template.format_map(values)
    shown = with_moves(text, STANDARD)
    for columns, moves in SHOWN.findall(shown):
        names = re.findall(r"\d", re.sub(r"row \d", "", columns))
        assert [int(name) - 1 for name in names] == [*map(int, re.findall(r"\d", moves))]
    assert not re.search(r"columns? \d|: \d|moves \d", SHOWN.sub("", shown))
    assert without_moves(shown).replace("columns 4 3 5", "4 3 5") == text.replace(
        "the moves 4", "4"
    )


@pytest.mark.parametrize(
    ("variant", "text", "shown"),
    [
        (LINE8, "Cell d5 and cell e6", "Cell d5 (move [4, 3]) and cell e6 (move [5, 4])"),
        (LINE8, "Wins by force: d5 e6", "Wins by force: cells d5 e6 (moves [4, 3] [5, 4])"),
        (LINE8, "Allows the moves d5 e6", "Allows cells d5 e6 (moves [4, 3] [5, 4])"),
        (STEAL_GAME, "The steal, column 1", "The steal (move -2), column 1 (move 0)"),
        (STEAL_GAME, "Wins by force: s 4", "Wins by force: columns s 4 (moves -2 3)"),
        (WIDE, "Column b wins: a 9", "Column b (move 10) wins: columns a 9 (moves 9 8)"),
    ],
)
def test_moves_of_other_games_stand_beside_them(variant: Variant, text: str, shown: str):
    """Cells, the steal and columns after 9 have their moves beside them, and people see none."""
    assert with_moves(text, variant) == shown
    assert "(" not in without_moves(shown)


@pytest.mark.parametrize("name", dialects.referee_names())
def test_number_of_a_bot_has_its_column_beside_it(name: str):
    """A move is shown as bots write it, and a refused one too, with the column of people."""
    for move in (-3, -1, 3, 7, 99):
        with pytest.raises(IllegalMove, match=rf"^{move} (is|would be) column {move + 1}\b"):
            cell_of_wire(position_from_moves("444444", STANDARD), move)
    end = dialects.referee_end(name)
    assert re.fullmatch("[3d] is column 4", end.move_in_words(STANDARD, 3))
    legal = "" if name == dialects.DEFAULT_DIALECT else form_of(name, end.variant or STANDARD).legal
    for advice in (legal, *(mistake.fix for mistake in (*MISTAKES, *MISTAKES_IN_COLUMNS))):
        if re.search(r"leftmost|from (0|the left)|column \d", advice):
            assert re.search(r"column 1\b.* is (move )?[0a]\b|column x", advice)
