"""Exports: a stored contest as texts for other programs and for announcements.

In: a ``StoredContest`` and its ``Standings``. Out: texts. Functions for games generate one text for
each game. ``c4-referee rate`` reads the tables of games, PGN and JSON lines, and gives the same
ratings for all of them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import orjson
from c4_protocol.program.text import visible
from c4_protocol.records.events import GameEnded, VariantRecord
from c4_protocol.records.reports import Standing, Standings
from c4_protocol.rules.variant import STANDARD

from c4_referee.bots.contain.faults import Fault
from c4_referee.records.formats import NO_RESULT, RESULTS_BY_WINNER, pgn
from c4_referee.records.formats.cells import csv_line
from c4_referee.records.storage.contests import StoredContest
from c4_referee.report.texts import apart_text

GAME_COLUMNS = (
    "number", "first", "second", "result", "ending", "fault", "fault_of", "detail", "variant",
    "opening", "moves", "plies",
)  # fmt: skip
"""Columns of a table of games. The number of moves is the last: without it, a line that is cut in
its last move could be another game."""
JSON_KEYS = ("event", "game", "first", "second", "moves", "opening", "winner", "ending")
FAULT_KEYS = ("bot", "fault", "ply", "detail")
STANDARD_RECORD = VariantRecord.of(STANDARD)
TERMINATIONS: dict[str, str] = {
    Fault.LATE: "time forfeit",
    Fault.LATE_FIRST: "time forfeit",
    Fault.CLOCK_USED_UP: "time forfeit",
    Fault.ILLEGAL_MOVE: "illegal move",
    Fault.EXITED: "abandoned",
    Fault.KILLED: "abandoned",
    Fault.FAILED_TO_START: "abandoned",
    Fault.WITHDRAWN: "abandoned",
}
"""Values of Termination in PGN, by fault. Any other fault is a rules infraction."""
MARKDOWN_SIGNS = re.compile(r"[\\`*_{}\[\]<>#|~&!$@:=^]|(?<=www)\.")
"""Characters that can have a meaning in Markdown between words, which a backslash removes."""
LINK_HINT = "All games, with replays: (put the address of the pages here)"


def crosstable_csv(standings: Standings) -> Iterator[str]:
    """Generate the lines of the crosstable as CSV.

    A cell holds the points of the bot in its row against the bot in its column. It is empty if they
    have not met.
    """
    names = [bot.bot for bot in standings.bots]
    yield csv_line(["rank", "bot", "points", *names])
    for bot in standings.bots:
        met = (bot.against.get(name) for name in names)
        cells = ("" if each is None else each.points for each in met)
        yield csv_line([bot.rank, bot.bot, bot.points, *cells])


def games_csv(contest: StoredContest) -> Iterator[str]:
    """Generate the lines of a table of games as CSV.

    ``plies`` counts the moves, opening included. ``fault_of`` is the name of the bot
    whose fault decided the game.
    """
    yield csv_line(GAME_COLUMNS)
    for game in contest.games:
        fault = (game.fault.fault, game.fault.bot, game.fault.detail) if game.fault else ("",) * 3
        start = (game.game, game.first, game.second, _result(game), game.ending, *fault)
        course = (game.rules, game.opening, game.moves, game.plies)
        yield csv_line([*start, *course])


def games_pgn(contest: StoredContest) -> Iterator[str]:
    """Generate the games in Portable Game Notation, each with its tags and its moves.

    The tag OpeningMoves has the moves that the referee made. They are among the moves, too.
    """
    for game in contest.games:
        tags = {
            "Event": contest.name,
            "Site": "?",
            "Date": _date(contest.began).replace("-", ".") or "????.??.??",
            "Round": f"{game.game}",
            "White": game.first,
            "Black": game.second,
            "Result": _result(game),
            "Variant": f"{game.rules}",
            "OpeningMoves": game.opening,
            "Termination": _termination(game),
        }
        if game.fault is not None:
            tags[pgn.FAULT_TAG] = f"{game.fault.bot}: {game.fault.fault}"
            tags[pgn.FAULT_DETAIL_TAG] = game.fault.detail
        yield pgn.write(tags, game.move_names)


def games_jsonl(contest: StoredContest) -> Iterator[str]:
    """Generate the games as JSON lines: the keys of ``GameEnded`` that a result needs.

    The standard ``variant`` is left out. Times and standard error are always left out.
    """
    for game in contest.games:
        short: dict[str, Any] = {name: getattr(game, name) for name in JSON_KEYS}
        if game.fault is not None:
            short["fault"] = {name: getattr(game.fault, name) for name in FAULT_KEYS}
        if game.variant != STANDARD_RECORD:
            short["variant"] = asdict(game.variant)
        yield orjson.dumps(short, option=orjson.OPT_APPEND_NEWLINE).decode()


def summary_markdown(contest: StoredContest, standings: Standings) -> str:
    """Return a summary of a contest in Markdown, to paste into an announcement."""
    began = _date(contest.began)
    ended = _date(contest.last_run.ended) if contest.last_run else ""
    parts = [
        f"# {markdown_text(contest.name)}",
        began if ended in {"", began} else f"{began} to {ended}",
        "\n".join(_standings_table(standings)),
        _listed("What the games tell", map(markdown_text, contest.goal_lines)),
        _games_text(contest, standings),
        _listed("Forfeits", _forfeits(standings)),
        _listed("How it was played", _conditions(contest)),
        LINK_HINT,
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _result(game: GameEnded) -> str:
    return NO_RESULT if game.ending == "void" else RESULTS_BY_WINNER[game.winner]


def _termination(game: GameEnded) -> str:
    """Return the value of the tag Termination."""
    if game.ending == "void":
        return pgn.UNTERMINATED_TERMINATION
    if game.fault is None:
        return "adjudication" if game.ending == "ended early" else "normal"
    return TERMINATIONS.get(game.fault.fault, "rules infraction")


def markdown_text(text: str) -> str:
    """Return a text that Markdown shows as it is, in one line."""
    return MARKDOWN_SIGNS.sub(r"\\\g<0>", visible(text))


def _date(time: str) -> str:
    """Return the date of a stored time, or an empty text if it was changed by hand."""
    date = re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", time)
    return date[0] if date else ""


def _standings_table(standings: Standings) -> Iterator[str]:
    yield "| rank | bot | points | games | won | drawn | lost | rating |"
    yield "| ---: | :-- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for bot in standings.bots:
        counts = (bot.games, bot.wins, bot.draws, bot.losses)
        cells = (bot.rank, markdown_text(bot.bot), f"{bot.points:g}", *counts, _rating(bot))
        yield f"| {' | '.join(map(str, cells))} |"


def _rating(bot: Standing) -> str:
    """Return a rating with half the width of its 95% interval."""
    if bot.rating is None or bot.rating_high is None:
        return "?"
    return f"{round(bot.rating):+} ± {bot.rating_high - bot.rating:.0f}"


def _games_text(contest: StoredContest, standings: Standings) -> str:
    """Return a sentence with the numbers of games."""
    text = f"{standings.games} games, {standings.distinct_games} of them different"
    if standings.void:
        text += f", and {standings.void} that do not count"
    if not contest.progress.is_complete and len(contest.games) < contest.progress.scheduled:
        text += ". The contest is not complete"
    if standings.apart:
        text += f". {apart_text(standings)}"
    return f"{text}. Ratings are in Elo points, with 95% intervals."


def _forfeits(standings: Standings) -> Iterator[str]:
    """Generate a line for each bot that forfeited games, with its faults and their numbers."""
    for bot in standings.bots:
        if bot.forfeits:
            faults = ", ".join(f"{fault} ({games})" for fault, games in bot.forfeits.items())
            yield f"**{markdown_text(bot.bot)}**: {markdown_text(faults)}"


def _conditions(contest: StoredContest) -> Iterator[str]:
    """Generate the conditions of a contest, one line for each."""
    yield f"system: {markdown_text(contest.system)}"
    conditions = contest.conditions or {"variant": str(contest.variant)}
    for name, text in conditions.items():
        yield f"{markdown_text(name)}: {markdown_text(text)}"


def _listed(title: str, lines: Iterable[str]) -> str:
    """Return a list with a title, or an empty text if it has no lines."""
    items = "\n".join(f"- {line}" for line in lines)
    return items and f"## {title}\n\n{items}"
