"""Texts of other people are made harmless, and names are checked."""

import unicodedata

import pytest
from c4_protocol.program.text import (
    checked_name,
    distinct_names,
    is_visible,
    shortened,
    shown,
    shown_name,
    visible,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, 'ä' and 四", "plain text, 'ä' and 四"),
        ("a back\\slash", "a back\\slash"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m\x00\x7f\r\n\t", "\\x9b31m\\x00\\x7f\\r\\n\\t"),
        (
            "\u202eabc\u2066\u200b\u2028\u2029\ufeff",
            "\\u202eabc\\u2066\\u200b\\u2028\\u2029\\ufeff",
        ),
        ("\xad\xa0\ud800\ue000\U000e0041", "\\xad\\xa0\\ud800\\ue000\\U000e0041"),
    ],
)
def test_characters_that_are_not_printable_are_escaped(text, shown):
    """Control and formatting characters become escapes, and other characters stay."""
    assert visible(text) == shown


@given(st.text())
def test_visible_text_can_be_printed_and_stored(text):
    """No control, formatting or separating character is left, and nothing is escaped twice."""
    shown = visible(text)
    assert not {unicodedata.category(sign) for sign in shown} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    assert visible(shown) == shown
    shown.encode()


def test_some_characters_can_be_kept():
    """Line ends and tabs stay where a text may have several lines."""
    assert visible("a\tb\n\r", keep="\t\n") == "a\tb\n\\r"


@given(st.text(), st.sampled_from(["", "\n\t"]))
def test_visible_text_is_recognised(text, keep):
    """What ``visible`` returns is recognised."""
    assert is_visible(visible(text, keep), keep)


@pytest.mark.parametrize(
    "sign", ["\x1b", "\n", "\x9b", "\u202e", "\u2028", "\xa0", "\ud800", "\ue000"]
)
def test_other_texts_are_recognised(sign):
    """A text with a character that would be escaped is not a visible text."""
    assert not is_visible(f"a{sign}b")
    assert is_visible(f"a{sign}b", keep=sign)


def test_letters_of_a_newer_unicode_are_accepted():
    """A code point without a meaning here may be a letter where the text was made visible."""
    unassigned = "\U0003fffd"
    assert visible(unassigned) == "\\U0003fffd"
    assert is_visible(unassigned)


@pytest.mark.parametrize("name", ["", " ", "\t\xa0", "a" * 201, "\u200d" * 34])
def test_impossible_names_are_refused(name):
    """A name is not empty and not too long."""
    with pytest.raises(ValueError, match="cannot be a name"):
        checked_name(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" a\n", "a"),
        ("a\tb", "a\\tb"),
        ("\x1b[2J", "\\x1b[2J"),
        ("a\u202e\ud800", "a\\u202e\\ud800"),
        ("👩\u200d💻", "👩\\u200d💻"),
        *(
            (name, name)
            for name in ('the "best", [bot]; \\ {1}', "四 ä", "bot.py --x='y'", "a" * 200)
        ),
    ],
)
def test_names_are_cleaned(text, name):
    """A name has no blanks around it, and shows what cannot be printed.

    Quotes, commas and brackets may be in a name.
    """
    assert checked_name(text) == shown_name(text) == name


@given(st.lists(st.text() | st.text("a \u200d\\u20d()2", max_size=8), max_size=8))
def test_different_texts_have_different_names(texts):
    """Any texts get different names, which are names of contests, and names keep themselves."""
    names = distinct_names(texts)
    assert names.keys() == {*texts}
    assert len({*names.values()}) == len(names)
    for text, name in names.items():
        assert checked_name(name) == name
        assert name == text or shown_name(text) != text


def test_equal_names_are_numbered():
    """The text that is the name keeps it. Long names are cut."""
    names = distinct_names(["a ", "\ta", "a", "a (2)", "", "b" * 300, "b" * 301])
    assert [*names.values()] == ["a", "a (2)", "a (3)", "a (4)", "?", "b" * 200, "b" * 196 + " (2)"]


def test_long_texts_are_shortened():
    """Only the start of a long text is shown in an error message."""
    assert shortened("a\x1b") == r"'a\x1b'"
    assert shortened("a" * 61) == f"'{'a' * 60}'..."


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a\nb", r"'a\nb'"),
        ([[1], [2]], "[[1], [2]]"),
        ("4" * 99, "'" + "4" * 59 + "..."),
        pytest.param(10**5000, "a value of the type int", id="huge number"),
    ],
)
def test_any_value_is_shown_in_one_short_line(value, line):
    """A value is shown as Python writes it, shortened, or by its type if Python cannot write it."""
    assert shown(value) == line
