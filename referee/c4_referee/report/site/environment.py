r"""The environment of all templates. It decides how texts of other people reach a page.

Texts are escaped, and characters that could reorder or hide other text are shown as escapes, such
as ``\x1b``. Data for scripts is JSON in which no element can begin or end.
"""

import re
import shlex
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import orjson
from c4_protocol.program.text import visible
from c4_protocol.records.report_text import points_text
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from c4_referee.report.texts import (
    UNKNOWN,
    counted,
    elo_interval,
    percent,
    signed,
    time_text,
    value_text,
)

PACKAGE = "c4_referee.report.site"
STATIC_FILES = ("style.css", "replay.js", "tables.js", "icon.svg")
"""Names of the files that all pages of a site share."""
SERVER_FILES = ("live.js", "live.css", "play.js", "play.css")
"""Names of the files of pages that a server shows."""
TEXTS = (counted, elo_interval, percent, points_text, signed, time_text, value_text)
"""Functions that all templates can call. They write numbers as texts."""
HYPHENATED = re.compile(r"(?<!\S)(?=\S{1,18}(?!\S))\S*-\S*")
"""Words with a hyphen that are short enough for one line."""
KEPT = "\n\t"
"""Control characters that a page shows as they are."""


@cache
def environment() -> Environment:
    """Return the environment, with ``TEXTS``, ``unknown`` and the filters of this module.

    A missing variable is an error, unless a template handles it with ``default``.
    """
    made = Environment(
        loader=PackageLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_visible,
    )
    for filter_ in (data_address, file_name, script_json, unbroken):
        made.filters[filter_.__name__] = filter_
    made.filters["in_shell"] = shlex.quote
    made.globals.update({text.__name__: text for text in TEXTS}, unknown=UNKNOWN)
    return made


def static_text(name: str) -> str:
    """Return the text of a file in ``STATIC_FILES`` or ``SERVER_FILES``."""
    return (files(PACKAGE) / "static" / name).read_text(encoding="utf-8")


def script_json(value: Any) -> Markup:  # noqa: ANN401 - anything that JSON can hold
    """Return a value as JSON for the inside of a script element."""
    text = orjson.dumps(value).decode()
    return Markup(text.replace("<", "\\u003c"))


def unbroken(text: str) -> Markup:
    """Return a text in which no line ends after a hyphen: options and names of bots stay whole."""
    shown = str(escape(visible(text, KEPT)))
    return Markup(HYPHENATED.sub(r'<span class="nowrap">\g<0></span>', shown))


def data_address(svg: str) -> str:
    """Return an SVG picture as an address that needs no file and no server."""
    return f"data:image/svg+xml,{quote(svg, safe=' !()*,-./:;=@~')}"


def file_name(title: str) -> str:
    """Return the name of a file for something with this title, without its ending."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _make_visible(value: Any) -> Any:  # noqa: ANN401 - the result of any expression
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value, KEPT)
    return value
