"""An excerpt stores the beginning and the end of what a bot writes on standard error."""

import pytest
from c4_referee.bots.contain import excerpt as excerpts
from c4_referee.bots.contain.excerpt import TextExcerpt
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("portions", "text"),
    [
        ([b"abcd", b"efgh"], "abcdefgh"),
        ([b"abcdefghi"], "abcd\n[... 1 bytes ...]\nfghi"),
        ([b"abc", b"def", b"ghi", b"jkl"], "abcd\n[... 4 bytes ...]\nijkl"),
    ],
)
def test_excerpt_leaves_out_the_middle(monkeypatch, portions, text):
    """An excerpt that stores four bytes of each end leaves out the middle of nine bytes."""
    monkeypatch.setattr(excerpts, "MAX_KEPT_BYTES", 4)
    excerpt = TextExcerpt()
    for portion in portions:
        excerpt.add(portion)
    assert excerpt.text() == text
    assert excerpt.total == sum(map(len, portions))


@given(st.lists(st.binary(max_size=3000), max_size=8))
def test_excerpt_keeps_both_ends(portions):
    """An excerpt does not depend on the portions in which the text arrives."""
    excerpt, parts = TextExcerpt(), TextExcerpt()
    excerpt.add(b"".join(portions))
    for portion in portions:
        parts.add(portion)
    assert parts.text() == excerpt.text()
    assert parts.total == excerpt.total == sum(map(len, portions))


def test_excerpt_escapes_control_characters():
    """An excerpt escapes control characters and invalid UTF-8, but no tabs and line ends."""
    excerpt = TextExcerpt()
    excerpt.add("\x1b[31mä\t\n".encode() + b"\xff")
    assert excerpt.text() == "\\x1b[31mä\t\n\\xff"
