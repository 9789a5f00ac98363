"""Stored contests in all forms in which they are shown, compared with golden files.

A contest is a file of JSON in ``tests/golden/contests``. It goes through the reports of its run,
lists and replays in a terminal, its pages with their exports, and the tables for notebooks. What a
class shows besides games is in ``tests/golden/class``: runs, accounts of submissions, and grades.
"""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path

import orjson
import pytest
from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import MatchReport, TournamentReport
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.paragraphs import Paragraph, fitted_lines
from c4_referee.classroom.entries import Account
from c4_referee.classroom.grading.points import Grade
from c4_referee.classroom.grading.writers import classroom50, gradescope, junit, print_grade
from c4_referee.classroom.pages.class_site import class_pages
from c4_referee.classroom.pages.feedback import feedback_files
from c4_referee.classroom.pages.privacy import for_student
from c4_referee.classroom.runs import Run
from c4_referee.contest.contest import Outcome
from c4_referee.contest.contest_reports import match_report, tournament_report
from c4_referee.contest.judging.accuracy import accuracy_from_solved
from c4_referee.contest.play.tournament import Tournament
from c4_referee.records.rounds import GameKey, Player, Round
from c4_referee.records.stats.analysis import analyse
from c4_referee.records.stats.solved import GameAnalysis
from c4_referee.records.stats.sprt import SequentialTest, Sprt
from c4_referee.records.stats.standings import Anchor, rating_list
from c4_referee.records.storage.contests import RunSummary, StoredContest
from c4_referee.report.protection import protection_text
from c4_referee.report.site.notebook import match_html, tournament_html
from c4_referee.report.site.pages import number_of_pages, site_pages
from c4_referee.report.site.results import ContestResults
from c4_referee.report.terminal.accuracy import TITLES, print_no_judge
from c4_referee.report.terminal.game_list import game_list, match_list
from c4_referee.report.terminal.match_and_tournament import (
    EXPLANATIONS,
    print_explanation,
    print_match,
    print_tournament,
)
from c4_referee.report.terminal.replay import game_page
from c4_referee.report.terminal.standings_tables import print_ratings, ratings_csv
from c4_referee.report.terminal.stepping import Step, all_steps, screen
from c4_referee.report.texts import (
    counted,
    elo_interval,
    points_text,
    signed,
    time_text,
    value_text,
)
from pydantic import TypeAdapter
from rich.text import Text

FOLDER = Path(__file__).parents[1] / "golden" / "contests"
CLASS = FOLDER.with_name("class")
NAMES = ("match", "swiss", "gauntlet", "knockout", "steal", "empty")
PLAYED = ("match", "swiss", "gauntlet", "knockout")
"""Contests of which the last run is known."""
CONTEST = TypeAdapter(StoredContest)
RUNS, ACCOUNT = TypeAdapter(list[Run]), TypeAdapter(Account)
GRADES = TypeAdapter(list[Grade])
REPORT = TypeAdapter[MatchReport | TournamentReport](MatchReport | TournamentReport)
PAGES = re.compile(r"index\.html|exports/.*|bots/[26]\.html|games/([129]|11)\.html")
FEWER_PAGES = re.compile(r"index\.html|bots/2\.html|games/1\.html")
"""Pages that are compared. The others are made in the same way."""


@cache
def contest(name: str) -> StoredContest:
    """Return a contest with its last run."""
    stored = CONTEST.validate_json((FOLDER / f"{name}.json").read_bytes())
    run = orjson.loads((FOLDER / "runs.json").read_bytes()).get(name)
    if run is None:
        return stored
    report = report_of(stored)
    report = REPORT.validate_python(asdict(report) | run["details"])
    return replace(stored, last_run=RunSummary("2026-11-23 00:10:00", report, run["conditions"]))


def report_of(stored: StoredContest) -> MatchReport | TournamentReport:
    """Return the report of a run that has played all games of a contest."""
    places = {bot.name: Player(place) for place, bot in enumerate(stored.bots)}
    games = {
        GameKey(places[game.first], places[game.second], game.opening, game.game): game
        for game in stored.all_games
    }
    progress, counted = stored.progress, {game.game for game in stored.games}
    byes = tuple(player for player, number in progress.byes.items() for _ in range(number))
    scheduled = tuple(key for key, game in games.items() if game.game in counted)
    later = progress.scheduled - len(scheduled)
    played = Round(scheduled, byes, later, progress.ranking or None)
    tournament = Tournament((each for each in [played]), games)
    judged = accuracy_from_solved(stored.games, stored.variant, stored.solved, "c4-solve <x>")
    judged = replace(judged, judge_version="9.9")
    present = tuple(places[bot.name] for bot in stored.bots if not bot.withdrawn)
    outcome = Outcome(tournament, stored.names, 12.3456, present=present)
    if "bots" in stored.identity:
        test = SequentialTest(Sprt(0, 300, 0.3, 0.3), stored.bots[0].name)
        for game in stored.games:
            test.take_game(game)
        return match_report(tuple(places), outcome, test, judged)
    return tournament_report((stored.name, stored.system), stored.pairs, outcome, judged)


def terminal(width: int, *printers: Callable[[SafeConsole], None]) -> str:
    """Return what is printed on a terminal of ``width`` columns."""
    console = SafeConsole(file=io.StringIO(), width=width, height=24, highlight=False)
    for printer in printers:
        printer(console)
    return "".join(f"{line.rstrip()}\n" for line in console.file.getvalue().splitlines())


def lines(paragraphs: Iterable[Paragraph], width: int | None = None) -> str:
    """Return paragraphs as ``show`` prints them."""
    console = SafeConsole(file=io.StringIO())
    return "".join(f"{line.plain}\n" for line in fitted_lines(console, paragraphs, width))


def joined(parts: Iterable[tuple[str, str]]) -> str:
    """Return texts, each below its title, without the version of this program."""
    text = "".join(f"======== {title}\n{text}\n" for title, text in parts)
    return text.replace(f"c4-solve {version('c4-arena')}", "c4-solve 9.9")


def printed(console: SafeConsole, stored: StoredContest, report: object) -> None:
    """Print a report as the command does that has played the contest."""
    if isinstance(report, MatchReport):
        print_match(console, report, stored.games)
    else:
        print_tournament(console, report)
    if report.protection is not None:
        console.print(Text(protection_text(report.protection)))


def reports(name: str) -> Iterator[tuple[str, str]]:
    """Yield the report of a run, its ratings, and its tables in other forms."""
    stored = contest(name)
    report = stored.last_run.report
    bots = [bot.name for bot in stored.bots]
    ratings = rating_list(bots, stored.games, Anchor(bots[0], 1500), fewest_games=1)
    yield "json", orjson.dumps(report).decode().replace("},", "},\n")
    for width in (40, 80):
        draw = partial(printed, stored=stored, report=report)
        yield f"width {width}", terminal(width, draw, partial(print_ratings, standings=ratings))
    free = rating_list(bots, stored.games)
    yield "rate", terminal(140, partial(print_ratings, standings=free)) + ratings_csv(free)
    html = match_html if isinstance(report, MatchReport) else tournament_html
    yield "notebook", html(report)


def replays(name: str) -> Iterator[tuple[str, str]]:
    """Yield the lists of the games, each game, and one step by step."""
    stored = contest(name)
    for width in (None, 62, 40):
        yield f"list {width}", lines(game_list(stored.all_games, stored.solved, width), width)
        yield f"match {width}", lines(match_list([("x" * 40, stored), ("y", stored)], width), width)
    for game in filter(is_chosen, stored.all_games):
        analysis = analyse(game, stored.solved)
        page = partial(game_page, analysis, stored.conditions)
        yield f"game {game.game}", lines(page(None))
        yield "coloured as a warning", " ".join(warnings(page(None)))
        if game.game == 2:
            for width in (40, 20, 9):
                yield f"game {game.game}, width {width}", lines(page(width), width)
            if name == "match":
                yield "steps", lines(all_steps(analysis, 60), 60)
                yield from screens(analysis)


def warnings(page: Iterable[Paragraph]) -> Iterator[str]:
    """Yield the texts of a game's page that have the style of a warning."""
    for line in fitted_lines(SafeConsole(file=io.StringIO()), page, None):
        for span in line.spans:
            if "on red" in str(span.style):
                yield line.plain[span.start : span.end]


def is_chosen(game: GameEnded) -> bool:
    """Return whether a game is shown by itself: some games, and those with faults."""
    return game.game in {1, 2, 6} or game.fault is not None


def screens(analysis: GameAnalysis) -> Iterator[tuple[str, str]]:
    """Yield the screens of a terminal after keys."""
    every = "", "left", "right x r b", "end right", "d", "d d d", "d r", "d r r r r r left", "d b b"
    console = SafeConsole(file=io.StringIO(), width=80, height=24, highlight=False)
    for keys in (*every, "d b right right d", "d r home", "end d d left", "d r left right"):
        step = Step(analysis, 0)
        for key in keys.split():
            step = step.press(key)
        yield f"keys {keys}", f"{step.ply} {step.shown}\n{screen(console, step).plain}\n"
    for width, height in ((20, 10), (5, 3)):
        console = SafeConsole(file=io.StringIO(), width=width, height=height, highlight=False)
        yield f"size {width} {height}", f"{screen(console, step).plain}\n"


def pages(name: str) -> Iterator[tuple[str, str]]:
    """Yield pages and exports of a site with one contest."""
    stored = contest(name)
    made = [*site_pages([stored])]
    assert len(made) == number_of_pages([stored])
    chosen = PAGES if name in {"match", "swiss"} else FEWER_PAGES
    yield from ((path, text) for path, text in made if chosen.fullmatch(path))


def class_site() -> Iterator[tuple[str, str]]:
    """Yield the pages of a class after each of its runs."""
    runs = RUNS.validate_json((CLASS / "runs.json").read_bytes())
    folders = {run.name: f"runs/{run.name}/index.html" for run in runs[:-1]}
    for number in (0, 2, len(runs)):
        for path, text in class_pages("A class", runs[:number], folders):
            yield f"{path} after {number} runs", text


def feedback() -> Iterator[tuple[str, str]]:
    """Yield the feedback to students whose bots have played, or not."""
    for given in orjson.loads((CLASS / "accounts.json").read_bytes()):
        account, name = ACCOUNT.validate_python(given["account"]), given.get("contest")
        played = name and ContestResults(for_student(contest(name), account.bot))
        for path, text in feedback_files(account, played):
            if path in {"index.html", "feedback.md", "games/5.html"}:
                yield f"{path} of {account.bot}", text


def grades() -> Iterator[tuple[str, str]]:
    """Yield grades on a terminal and in the formats of other programs."""
    for grade in GRADES.validate_json((CLASS / "grades.json").read_bytes()):
        yield "terminal", terminal(60, partial(print_grade, grade=grade))
        for write in (gradescope, junit, partial(classroom50, environment={})):
            yield "file", write(grade)


@pytest.mark.parametrize("output", [class_site, feedback, grades])
def test_class_is_shown_as_before(golden, output) -> None:
    """Pages, feedback and grades of a class are those of the golden files."""
    golden(CLASS / f"{output.__name__}.txt", joined(output()))


@pytest.mark.parametrize(
    ("output", "name"),
    [
        *((reports, name) for name in PLAYED),
        *((replays, name) for name in NAMES),
        *((pages, name) for name in NAMES),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_contest_is_shown_as_before(golden, output, name) -> None:
    """All outputs of a contest are those of the golden file."""
    golden(FOLDER / "shown" / f"{name}-{output.__name__}.txt", joined(output(name)))


def test_reports_of_other_results_are_shown_as_before(golden) -> None:
    """Lines that differ from the report of the match are those of the file.

    The variations change the report, and with ``played`` choose some of the games.
    """
    stored = contest("match")
    report, games = asdict(stored.last_run.report), {game.game: game for game in stored.games}
    usual = {*report_lines(stored, stored.last_run.report)}
    text = ""
    for changes in orjson.loads((FOLDER / "variations.json").read_bytes()):
        text += f"======== {orjson.dumps(changes).decode()}\n"
        played = tuple(games[number] for number in changes.pop("played", games))
        varied = REPORT.validate_python(report | changes)
        shown = report_lines(replace(stored, games=played), varied)
        text += "".join(line for line in shown if line not in usual)
    golden(FOLDER / "shown" / "variations.txt", text)


def report_lines(stored: StoredContest, report: MatchReport) -> list[str]:
    """Return the lines of a report on a wide terminal."""
    draw = partial(printed, stored=stored, report=report)
    return terminal(140, draw).splitlines(keepends=True)


def test_tables_fit_into_the_width_as_before(golden) -> None:
    """Tables of bots and of games leave out columns, and then become lists."""
    stored, text = contest("swiss"), ""
    ratings = rating_list([bot.bot for bot in stored.last_run.report.standings.bots], stored.games)
    for width in range(20, 110, 6):
        bots = terminal(width, partial(print_ratings, standings=ratings)).splitlines()[:4]
        games = lines(game_list(stored.games, stored.solved, width), width).splitlines()[:3]
        text += "\n".join([f"======== {width}", *bots, *games, ""])
    golden(FOLDER / "shown" / "widths.txt", text)


NUMBERS: Mapping[Callable[..., str], Sequence[tuple[object, ...]]] = {
    time_text: [(0.123,), (0.999,), (1.5,), (9.87,), (123.4,), (1234,), (59_999,), (90_000,)],
    points_text: [(1.5,), (0.5,), (0,)],
    signed: [(0.2,), (-12.4,), (3,)],
    value_text: [(0,), (-3,), (1,)],
    counted: [(1, "game"), (1200, "game"), (0, "game")],
    elo_interval: [(-12.4, 30), (5, 2000), (-2000, 5), (-2000, 2000), (-2100, 2100)],
}


def test_numbers_are_shown_as_before(golden) -> None:
    """Numbers are shown with few digits and their units. Bounds at the ends are left out."""
    shown = ((f"{make.__name__}{each}", make(*each)) for make in NUMBERS for each in NUMBERS[make])
    golden(FOLDER / "shown" / "numbers.txt", "".join(f"{what}: {text}\n" for what, text in shown))


def test_numbers_are_explained_as_before(golden) -> None:
    """Each column of the accuracy has its explanation, and all are those of the golden file."""
    assert {" ".join(title.split()) for title in TITLES} <= {*EXPLANATIONS}
    no_judge = partial(print_no_judge, variant=contest("gauntlet").variant)
    text = terminal(80, print_explanation, no_judge)
    golden(FOLDER / "shown" / "explanation.txt", text)
