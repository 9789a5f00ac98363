"""No cell of a table is a formula of a spreadsheet, and every text comes back."""

import pytest
from c4_referee.records.formats.cells import plain_cell, safe_cell
from hypothesis import example, given
from hypothesis import strategies as st

SIGNS = st.text(st.sampled_from("=+-@'; \t\ruﾀ\uff1d1"), max_size=6)


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ('=HYPERLINK("http://x")', '\'=HYPERLINK("http://x")'),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+1", "'+1"),
        ("-3", "'-3"),
        ("\t=1", "'\t'=1"),
        ("a;=1", "a;'=1"),
        ("'=1", "''=1"),
        ("\uff1d1", "'\uff1d1"),
        ("a-b", "a-b"),
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
    assert not cell.lstrip().startswith(tuple("=+-@\uff1d\uff0b\uff0d\uff20"))
