"""No cell of a table is a formula of a spreadsheet, and every text comes back."""

import re

import pytest
from c4_referee.records.formats.cells import plain_cell, safe_cell
from hypothesis import example, given
from hypothesis import strategies as st

HIDDEN = "\0\x7f\x85\xad\u034f\u061c\u200b\u200e\u202e\u2060\u3164\ufe0f\ufeff\U0001d173\U000e0020"
"""Characters that are not seen. Some spreadsheets leave them out."""
SIGNS = st.text(st.sampled_from(f"=+-@'\"|; \t\ruﾀ\uff1d1{HIDDEN}"), max_size=6)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+1", "'+1"),
        ("-3", "'-3"),
        ("\t=1", "\t'=1"),
        ('Eve;"=1+1;', "Eve;\"'=1+1;"),
        ('Eve\t"=1', "Eve\t\"'=1"),
        ("|=1", "|'=1"),
        ("a;=1", "a;'=1"),
        ("'=1", "''=1"),
        ("\uff1d1", "'\uff1d1"),
        *((f"{hidden}=1", f"{hidden}'=1") for hidden in HIDDEN),
        ("\ufeff\0 \u200b@SUM(A1)", "\ufeff\0 \u200b'@SUM(A1)"),
        ("\ufe661", "'\ufe661"),
        ("a-b", "a-b"),
        ("\ufeffa=b", "\ufeffa=b"),
        ("it's", "it's"),
        (-3.5, -3.5),
    ],
)
def test_formula_gets_an_apostrophe(text, cell):
    """A text that a spreadsheet would calculate gets an apostrophe. Numbers stay numbers."""
    assert safe_cell(text) == cell


@given(SIGNS | st.text(max_size=9))
@example("' =x")
def test_every_text_comes_back(text):
    """A text is read as it was written, and none begins like a formula."""
    cell = safe_cell(text)
    assert plain_cell(cell) == text
    for part in re.split(r"[;|\t\r\n]", cell):
        seen = re.sub(f'^[\\s"{HIDDEN}]*', "", part)
        assert not seen.startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("text", ["\t", ";", '"', "\t'", "'"])
def test_long_text_is_read_once(text):
    """A cell of a megabyte takes no longer than others, whatever it holds."""
    cell = safe_cell(text * (1 << 20))
    assert plain_cell(cell) == text * (1 << 20)
