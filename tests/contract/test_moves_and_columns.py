"""A bot's number, which counts from 0, and people's columns, which count from 1, in all texts."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from c4_bot.reasons.sentences import templates
from c4_protocol import dialects
from c4_protocol.program.errors import IllegalMove
from c4_protocol.rules.notation import cell_of_wire, position_from_moves, with_moves, without_moves
from c4_protocol.rules.variant import LINE8, STANDARD
from c4_referee.check.forms import form_of
from c4_referee.check.misreading import MISTAKES, MISTAKES_IN_COLUMNS

PLACES = ("column 4", "columns 2, 3 and 5", "column 4 or row 2 of column 6", "row 3 of column 7")
VALUES = ("move", "reply", "better", "later", "column", "cells", "any_cell", "moves", "others")
SHOWN = re.compile(r"[Cc]olumns? ([^()]+) \(moves? ([^()]+)\)")


def texts_of(values: Any) -> Iterator[str]:
    """Yield all texts in a value of ``sentences.json``."""
    if isinstance(values, str):
        yield values
    elif isinstance(values, dict):
        for value in values.values():
            yield from texts_of(value)


@pytest.mark.parametrize("template", dict.fromkeys(texts_of(templates())))
@pytest.mark.parametrize("place", PLACES)
def test_column_in_a_sentence_for_programs_has_its_move_beside_it(template: str, place: str):
    """No name of a column or of a line stands alone, and people read the sentence without moves."""
    names = re.findall(r"{(\w+)}", template)
    others = {"connect": "4 stones", "line": "4 3 5", "there": f"with {place}", "list": "2 and 3"}
    values = dict.fromkeys(names, "it") | dict.fromkeys(VALUES, place) | others
    values |= {"row": "2"} | ({"column": "7"} if "column {column}" in template else {})
    text = template.format_map(values)
    shown = with_moves(text, STANDARD)
    for columns, moves in SHOWN.findall(shown):
        last = re.sub(r"row \d of column", "", columns)
        assert [int(name) - 1 for name in re.findall(r"\d", last)] == [
            int(move) for move in re.findall(r"\d", moves)
        ]
    assert not re.search(r"columns? \d|: \d|moves \d", SHOWN.sub("", shown))
    assert without_moves(shown).replace("columns 4 3 5", "4 3 5") == text.replace(
        "the moves 4", "4"
    )


@pytest.mark.parametrize("name", dialects.referee_names())
def test_illegal_number_of_a_bot_has_its_column_beside_it(name: str):
    """A refused move is shown as the bot wrote it, with the column of people."""
    full = position_from_moves("444444", STANDARD)
    for move in (-3, -1, 3, 7, 99):
        with pytest.raises(IllegalMove, match=rf"^{move} (is|would be) column {move + 1}\b"):
            cell_of_wire(full, move)
    written = dialects.referee_end(name).move_in_words(STANDARD, 3)
    assert re.fullmatch("[3d] is column 4", written)
    assert dialects.referee_end(name).move_in_words(LINE8, (3, 2)).startswith("[3, 2] is column 4")


def test_advice_about_numbers_names_a_column_and_its_move():
    """Advice that says where numbers begin names the first column of people, too."""
    forms = [form_of(name, STANDARD) for name in dialects.referee_names() if name != "codingame"]
    advice = [mistake.fix for mistake in (*MISTAKES, *MISTAKES_IN_COLUMNS)]
    for text in (*advice, *(form.legal for form in forms)):
        if re.search(r"leftmost|from (0|the left)|column \d", text):
            assert re.search(r"column 1.* is (move 0|0|a)$|column x", text.split(" (")[0]), text
