"""The feedback to a student as Markdown, from the template ``feedback.md.jinja``.

The template escapes all texts, in one line each. Texts of bots and of compilers stand in fenced
blocks, whose fence is longer than any run of backticks in them.
"""

import re
from functools import cache
from typing import Any

from c4_protocol.program.text import visible
from c4_protocol.terminal.board import MARKED_ROOM, board_text
from jinja2 import Template
from markupsafe import Markup

from c4_referee.report.site.environment import environment
from c4_referee.report.site.exports import markdown_text
from c4_referee.report.site.mistakes import Mistake

LIST_SIGN = re.compile(r"^(?:(\d+)(?=[.)](?!\S))|(?=-|\+(?!\S)))")
"""Beginning of a line that Markdown takes for that of a list."""


def feedback_markdown(**variables: object) -> str:
    """Return the feedback to a student. The arguments are the variables of the page."""
    return _template().render(fenced=fenced, board=board, **variables)


@cache
def _template() -> Template:
    return environment().overlay(finalize=_escaped).get_template("feedback.md.jinja")


def _escaped(value: Any) -> Any:  # noqa: ANN401 - the result of any expression
    """Return a text as Markdown that shows it as it is."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    shown = re.sub(r"\\:(?!\S)", ":", markdown_text(value))  # it means nothing before a blank
    return Markup(LIST_SIGN.sub(r"\1\\", shown))


def fenced(text: str) -> Markup:
    """Return a text as a block that shows it as it is, whatever it contains."""
    shown = visible(text, "\n\t").rstrip("\n")
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`*", shown)))
    return Markup(f"{fence}text\n{shown}\n{fence}")


def board(mistake: Mistake) -> Markup:
    """Return the board after a mistake, on which parentheses mark the move that was played."""
    game, ply = mistake.game, mistake.change.ply
    rows = board_text(game.positions[ply + 1], MARKED_ROOM, game.cells[ply])
    return fenced("\n".join(row.plain for row in rows))
