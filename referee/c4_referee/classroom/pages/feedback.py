"""The feedback to a student: a page, the same as Markdown, and the games to step through.

Everything is in one folder and needs no other file. Nothing in it links to pages of other bots. The
template ``feedback.md.jinja`` escapes all texts, in one line each. Texts of bots and of compilers
stand in fenced blocks, whose fence is longer than any run of backticks in them. Code in sentences
becomes code (``CODE``).
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from c4_protocol.program.text import visible
from c4_protocol.terminal.board import MARKED_ROOM, board_text
from jinja2 import Template
from markupsafe import Markup, escape
from pydantic import TypeAdapter

from c4_referee.bots.languages import LANGUAGES, Lines
from c4_referee.check.checker import CheckReport
from c4_referee.classroom.accounts import sentence
from c4_referee.classroom.entries import Account
from c4_referee.report.site.bot_page import bot_parts
from c4_referee.report.site.environment import environment, static_text
from c4_referee.report.site.exports import markdown_text
from c4_referee.report.site.mistakes import Mistake
from c4_referee.report.site.pages import Page
from c4_referee.report.site.replay_page import game_page
from c4_referee.report.site.results import ContestResults
from c4_referee.report.texts import counted

STATIC = ("style.css", "replay.js", "icon.svg")
"""Names of the static files that a page of feedback and its games need."""
CHAINS = ("&&", "||", ";", "|")
"""Signs in a command line that need parentheses around it when something is piped to it."""
LIST_SIGN = re.compile(r"^(?:(\d+)(?=[.)](?!\S))|(?=-|\+(?!\S)))")
"""Beginning of a line that Markdown takes for that of a list."""
LINES = sorted(
    {
        line
        for each in LANGUAGES
        for text in each.lines[: Lines._fields.index("prompt")]
        for line in text.split("; in C++ ")
    },
    key=lambda line: -len(line),
)
CODE = re.compile(
    r"(`[^`\n]+`|(?<![^\s(])'[^'`\n]+'(?!\w)|\b\w+(?:\[\w+\])+|"
    rf"{'|'.join(map(re.escape, LINES))})"
)
"""Pattern of code in sentences: in backticks or quotes, an index, or a line of a language."""
CHECK: TypeAdapter[CheckReport | None] = TypeAdapter(CheckReport | None)
"""Reader of the report of a check from JSON."""


def feedback_files(account: Account, results: ContestResults | None) -> Iterator[Page]:
    """Generate the files of the feedback to a student.

    ``results`` are those of the last run, of a contest as ``privacy.for_student`` returns it. They
    are ``None`` if no bot of the student has played. A contest without the bot is shown as none.
    """
    bot = results and next((bot for bot in results.contest.bots if bot.name == account.bot), None)
    variables = feedback_variables(account)
    for name in STATIC:
        yield name, static_text(name)
    if results and bot:
        yield from _game_pages(results, bot.name)
        is_chain = any(sign in account.command for sign in CHAINS)
        parts = bot_parts(results, bot, f"({account.command})" if is_chain else account.command)
        parts |= {"games_at": "games/", "has_bot_pages": False, "command": ""}
        variables |= parts | {"parts": parts}
    page = environment().get_template("feedback.html.jinja")
    yield "index.html", page.render(root="", **variables)
    in_markdown = {"fenced": fenced, "board": board, "coded": coded_markdown}
    text = _markdown_template().render(variables | in_markdown)
    yield "feedback.md", text


def feedback_variables(account: Account) -> dict[str, Any]:
    """Return the variables of the page without the games."""
    report = CHECK.validate_python(account.check)
    causes = report.causes if report else []
    because = f" (from {account.because})" if account.because else ""
    return {
        "account": account,
        "facts": _facts(account),
        "started": f"Started with this command{because}:",
        "parts": None,
        # Causes that are only advice wait until the check is passed.
        "causes": [each for each in causes if (report and report.passed) or not each.advice],
        "verdict": _verdict(report) if report else None,
        "sentence": sentence,
        "coded": coded,
    }


def _facts(account: Account) -> list[tuple[str, str]]:
    """Return what is known about the submission: names with texts."""
    late = "late" if account.late else ""
    handed = filter(None, (f"version {account.version}", account.handed_in, late))
    facts = [
        ("Handed in", ", ".join(handed) if account.version else ""),
        ("Playing", f"version {account.playing}" if account.playing else "no version yet"),
        ("Language", account.language),
    ]
    return [(name, text) for name, text in facts if text]


def _verdict(report: CheckReport) -> tuple[bool, str]:
    """Return whether the check is passed, and a sentence on the rules of the tournament."""
    failed, tried = report.count(here=True)
    if report.passed_here:
        return True, f"It follows all {tried} rules of the tournament."
    more = ". The others were not tried" if report.not_tried else ""
    return False, f"It breaks {counted(failed, 'rule')} of the tournament{more}."


def coded(text: str) -> Markup:
    """Return a text as HTML, with code as code."""
    parts = enumerate(CODE.split(visible(text, "\n")))
    shown = (
        f"<code>{escape(_bare(part))}</code>" if odd % 2 else escape(part) for odd, part in parts
    )
    return Markup("".join(shown))


def coded_markdown(text: str) -> Markup:
    """Return a text as Markdown, with code as code."""
    parts = enumerate(CODE.split(visible(text)))
    return Markup("".join(f"`{_bare(part)}`" if odd % 2 else _escaped(part) for odd, part in parts))


def _bare(code: str) -> str:
    """Return code without its quotes."""
    return code[1:-1] if code[0] in "`'" else code


def _game_pages(results: ContestResults, bot: str) -> Iterator[Page]:
    """Generate the pages of all games of a bot. Each links to the games before and after it."""
    games = sorted((*results.games_of[bot], *results.apart_of(bot)), key=lambda game: game.game)
    numbers = [None, *(game.game for game in games), None]
    crumbs = [("../index.html", f"Feedback for {bot}")]
    for game, *around in zip(games, numbers, numbers[2:], strict=False):
        page = game_page(results.analysis(game), root="../", crumbs=crumbs, around=around)
        yield f"games/{game.game}.html", page


@cache
def _markdown_template() -> Template:
    return environment().overlay(finalize=_escaped).get_template("feedback.md.jinja")


def _escaped(value: Any) -> Any:  # noqa: ANN401 - the result of any expression
    """Return a text as Markdown that shows it as it is."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    # A colon has a meaning only in an address, and in the name of a picture.
    shown = re.sub(r"\\:(?!//|[\w+-]+\\:)", ":", markdown_text(value))
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
