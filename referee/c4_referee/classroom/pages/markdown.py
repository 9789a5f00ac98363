"""The feedback to a student as Markdown: the content of its page, in the same order.

Texts of bots and of compilers stand in fenced blocks, whose fence is longer than any run of
backticks in them. In all other texts, characters that mean something in Markdown are escaped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from c4_protocol.program.text import visible

from c4_referee.check.checker import Cause
from c4_referee.check.terminal import broken_rules
from c4_referee.classroom.entries import Account
from c4_referee.grading.points import Grade
from c4_referee.report.board import MARKED_ROOM, board_text
from c4_referee.report.texts import UNKNOWN, counted, elo_interval, percent, points_text, signed
from c4_referee.report.texts import value_text as value
from c4_referee.site.exports import markdown_text
from c4_referee.site.faults import FaultKind
from c4_referee.site.mistakes import Mistake
from c4_referee.site.results import moment

LIST_SIGN = re.compile(r"^(?:(\d+)(?=[.)])|(?=[-+]))")
"""Beginning of a line that Markdown takes for that of a list."""


def feedback_markdown(
    account: Account,
    parts: Mapping[str, Any] | None,
    causes: Sequence[Cause],
    verdicts: Sequence[tuple[bool, str]],
    elsewhere: str,
) -> str:
    """Return the feedback to a student. The arguments are the variables of the page."""
    blocks = [
        f"# {text(account.bot)}",
        f"**{text(account.happened)}**",
        *map(text, account.notes),
        *_section("What to do next", [_numbered(account.todo)]),
        *_section("Your submission", _submission(account)),
        *_section("Check", _check(causes, verdicts, elsewhere)),
        *_section("Points", _grade(account.grade)),
        *_section("In the last run", _results(parts) if parts else ()),
    ]
    return "\n\n".join(blocks) + "\n"


def text(words: str) -> str:
    """Return a text in one line, which Markdown shows as it is."""
    shown = markdown_text(words).replace("\\: ", ": ")  # it means nothing before a blank
    return LIST_SIGN.sub(r"\1\\", shown)


def fenced(words: str) -> str:
    """Return a text as a block that shows it as it is, whatever it contains."""
    shown = visible(words, "\n\t").rstrip("\n")
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def _section(title: str, blocks: Iterable[str]) -> list[str]:
    """Return blocks under a title, or nothing if all blocks are empty."""
    filled = [*filter(None, blocks)]
    return [f"## {title}", *filled] if filled else []


def _numbered(steps: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text(step)}" for number, step in enumerate(steps, 1))


def _labelled(label: str, words: str) -> list[str]:
    return [label, fenced(words)] if words else []


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Columns after the first are aligned to the right."""
    lines = (headings, [":--", *["--:"] * (len(headings) - 1)], *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _submission(account: Account) -> Iterator[str]:
    if account.version:
        late = ", late" if account.late else ""
        yield f"- Handed in: version {account.version} {text(account.handed_in)}".rstrip() + late
    playing = f"version {account.playing}" if account.playing else "no version yet"
    yield f"- Playing: {playing}"
    if account.language:
        yield f"- Language: {text(account.language)}"
    if account.command:
        found = f" (found by {text(account.because)})" if account.because else ""
        yield from _labelled(f"Started with{found}:", account.command)
    yield from _labelled("What the compiler wrote:", account.messages)


def _check(
    causes: Sequence[Cause], verdicts: Sequence[tuple[bool, str]], elsewhere: str
) -> Iterator[str]:
    yield from (text(words) for _, words in verdicts)
    for cause in causes:
        yield f"### {text(cause.seen)}"
        yield f"To fix: {text(cause.fix)}"
        if cause.elsewhere and not cause.advice:
            yield f"Only {elsewhere} need this. Your bot plays here without it."
        if cause.evidence:
            yield from _labelled("It was asked:", cause.evidence.board)
            yield from _labelled("It answered:", cause.evidence.answered)
            yield from _labelled("To see it again in a shell:", cause.evidence.shell)
        yield f"Rules: {text(broken_rules(cause.rules))}"


def _grade(grade: Grade | None) -> Iterator[str]:
    if grade is not None:
        yield f"**{grade.points:g}** of {grade.max_points:g}"
        rows = (
            (text(line.name), f"{line.points:g}/{line.max_points:g}", text(line.reason))
            for line in grade.lines
        )
        yield _table(("Wanted", "Points", "Found"), rows)


def _results(parts: Mapping[str, Any]) -> Iterator[str]:
    """Generate standing, results by opponent, accuracy, mistakes, faults and games."""
    standing, rating = parts["standing"], parts["rating"]
    if standing and standing.gave_up:
        yield "Your bot gave up because of its faults: none of its games counts."
    elif standing:
        games = points_text(standing.games + standing.extra_points)
        yield f"Rank {standing.rank}, {points_text(standing.points)} of {games} points"
    if rating:
        interval = elo_interval(rating.low, rating.high)
        yield f"Rating {signed(rating.points)} (95%: {interval})"
    opponents = [
        (text(name), points_text(met.points if met else 0), str(met.games if met else 0))
        for _, name, met, _ in parts["opponents"]
    ]
    if opponents:
        yield "### Results by opponent"
        yield _table(("Opponent", "Points", "Games"), opponents)
    elif not parts["apart"]:
        yield "This bot has no games."
    yield from _accuracy(parts)
    for mistake in parts["mistakes"]:
        yield from _mistake(mistake)
    for kind in parts["faults"]:
        yield from _fault(parts["bot"].name, kind)
    yield from _games(parts)


def _accuracy(parts: Mapping[str, Any]) -> Iterator[str]:
    if parts["phases"]:
        yield "### Accuracy"
        rows = (
            (name, percent(each.kept / each.judged) if each.judged else UNKNOWN, f"{each.judged}")
            for name, each in parts["phases"]
        )
        yield _table(("Moves", "Kept", "Judged"), rows)


def _mistake(mistake: Mistake) -> Iterator[str]:
    """Generate a mistake with its board, on which parentheses mark the move that was played."""
    change, game = mistake.change, mistake.game
    before, cell = moment(game, change.ply)
    yield f"### Costly mistake: {value(change.before)} became {value(change.after)}"
    rows = board_text(before.play(cell), MARKED_ROOM, cell)
    yield fenced("\n".join(row.plain for row in rows))
    better = f", better was {mistake.better}" if mistake.better else ""
    yield text(change.reason) if change.reason else f"Played {mistake.move}{better}."
    place = f"[Game {game.game}](games/{game.game}.html#{change.ply + 1})"
    yield f"{place}, move {change.ply + 1}, against {text(mistake.opponent)}"


def _fault(bot: str, kind: FaultKind) -> Iterator[str]:
    yield f"### Fault: {text(kind.fault)} ({counted(kind.number, 'time')})"
    if kind.unplayed:
        yield f"Games that were not played because of it: {kind.unplayed}"
    for game, record, command in kind.shown:
        place = f"[Game {game.game}](games/{game.game}.html)"
        yield f"{place}, move {record.ply + 1}: {text(record.detail)}"
        yield from _labelled("It wrote:", record.line or "")
        yield from _labelled("Its standard error in this game:", game.stderr.get(bot, ""))
        yield from _labelled("This command asks the bot the same question again:", command)


def _games(parts: Mapping[str, Any]) -> Iterator[str]:
    if parts["opponents"]:
        yield "### All games"
    for _, name, _, seats in parts["opponents"]:
        links = " ".join(
            f"[{kind} {number}](games/{number}.html)"
            for _, games in seats
            for number, kind in games
        )
        yield f"Against {text(name)}: {links}"
