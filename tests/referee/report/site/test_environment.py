"""The environment of the templates: texts of other people stay texts."""

import json

import pytest
from c4_referee.report.site.environment import environment, script_json, static_text
from c4_referee.report.site.replay_page import INLINE_FILES
from jinja2 import UndefinedError
from markupsafe import Markup


def rendered(source, **context):
    """Return what a template makes of its variables."""
    return environment().from_string(source).render(**context)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<b>&\"'", "&lt;b&gt;&amp;&#34;&#39;"),
        ("</script><!--", "&lt;/script&gt;&lt;!--"),
        ("a\u202eb\x1b", "a\\u202eb\\x1b"),
        ("two\nlines\t", "two\nlines\t"),
        ("\udcff", "\\udcff"),
    ],
)
def test_texts_are_escaped_and_visible(text, shown):
    """Markup and characters that hide or reorder text are shown, and do nothing."""
    assert rendered("{{ text }}", text=text) == shown
    assert rendered('<a title="{{ text }}">', text=text) == f'<a title="{shown}">'


def test_short_words_with_a_hyphen_stay_in_one_line():
    """No line ends within an option, which stays text; a long word may be broken."""
    text = f"<bot> --depth 4 {'x-' * 12}"
    assert rendered("{{ text|unbroken }}", text=text) == (
        f'&lt;bot&gt; <span class="nowrap">--depth</span> 4 {"x-" * 12}'
    )


def test_our_own_markup_stays():
    """Pictures and other parts that we made are not escaped, and numbers are written."""
    assert rendered("{{ a }}{{ b }}", a=Markup("<svg>"), b=1.5) == "<svg>1.5"


def test_json_cannot_end_its_element():
    """Data in a script element has no character that begins markup, and is read unchanged."""
    value = {"a": ["</script>", "<!--", "\u2028", 'quote" \\']}
    text = rendered("{{ value|script_json }}", value=value)
    assert "<" not in text
    assert json.loads(text) == value == json.loads(script_json(value))


def test_a_missing_variable_is_an_error():
    """A misspelled name does not become an empty place in a page."""
    with pytest.raises(UndefinedError):
        rendered("{{ nothing }}")


@pytest.mark.parametrize("name", [*INLINE_FILES.values()])
def test_static_files_can_stand_in_a_page(name):
    """No text in a file that a page contains ends its element, and nothing loads from a network."""
    text = static_text(name)
    assert "</script" not in text.lower()
    assert "</style" not in text.lower()
    assert "<!--" not in text
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")
