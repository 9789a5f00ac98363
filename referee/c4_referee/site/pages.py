"""All pages of a site: contests, bots and games.

``site_pages`` generates the pages one by one, so that a site of any size needs little memory. The
standings of a contest come after its other pages, so that they never link to a page that does not
exist yet.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from c4_protocol.records.reports import Standings

from c4_referee.report.rich_tables import ratings_csv
from c4_referee.site import exports
from c4_referee.site.bot_page import render_bot
from c4_referee.site.conditions import conditions
from c4_referee.site.environment import BOARD_FILES, STATIC_FILES, environment, static_text
from c4_referee.site.replay_page import game_page
from c4_referee.site.results import ContestResults
from c4_referee.site.standings_page import render_standings
from c4_referee.storage.contests import StoredContest

EXPORTS = "exports"
"""Folder of the files in other formats."""
FORMER_FOLDER = "1/"
"""Folder of the first of several contests in the sites of earlier versions."""
EXPORT_NAMES = {
    "standings.csv": "standings as a table",
    "crosstable.csv": "crosstable",
    "games.csv": "games as a table",
    "games.pgn": "games with their moves (Portable Game Notation)",
    "games.jsonl": "games as lines of JSON",
    "summary.md": "summary to paste into an announcement (Markdown)",
}
"""Names of the files in ``EXPORTS``, each with a description."""
APART = "apart.csv"
"""Name of the file in ``EXPORTS`` with the games that do not count, if there are any."""
FOOTER = "Made by c4-referee report."
Page = tuple[str, str]
"""Path of a page in its site, with slashes, and the text of the page."""


def number_of_pages(contests: Sequence[StoredContest], *, board: bool = False) -> int:
    """Return the number of pages of a site, with its static files and exports."""
    pages = sum(len(each.bots) + len(each.all_games) + 1 for each in contests)
    exported = sum(len(EXPORT_NAMES) + bool(each.apart) for each in contests)
    return pages + exported + len(_static_files(board=board)) + (len(contests) > 1)


def _static_files(*, board: bool) -> tuple[str, ...]:
    return (*STATIC_FILES, *(BOARD_FILES if board else ()))


def site_pages(
    contests: Sequence[StoredContest], first_folder: str = "", *, board: bool = False
) -> Iterator[Page]:
    """Generate the pages of a site with one contest or more.

    If the site has a board to play on (``board_folder.py``), the replays use its engine.

    ``first_folder`` is the folder of the first contest, ``FORMER_FOLDER`` in a site that has these
    pages. It stays the same when contests are added, so that links to the pages go on working.
    """
    for name in _static_files(board=board):
        yield name, static_text(name)
    results: list[tuple[int, str, ContestResults]] = []
    for contest in contests:
        folder = f"{contest.number}/" if results else first_folder
        results.append((contest.number, folder, ContestResults(contest)))
        name = "index.html" if first_folder else "contests.html"
        above = name if len(contests) > 1 else ""
        yield from _contest_pages(results[-1][2], folder, above, board=board)
    if above:
        template = environment().get_template("overview.html.jinja")
        yield above, template.render(root="", contests=results, footer=FOOTER)


def _contest_pages(
    results: ContestResults, folder: str, overview: str, *, board: bool
) -> Iterator[Page]:
    """Generate the pages of a contest in ``folder``, which is empty or ends with a slash."""
    contest = results.contest
    root = "../" if folder else ""
    above = [(root + overview, "All contests")] if overview else []
    deeper = [(f"../{address}", text) for address, text in above]
    crumbs = [*deeper, ("../index.html", contest.name)]
    facts = [text for name, text in conditions(results) if name == "Time" and text]
    numbers = [None, *(game.game for game in contest.all_games), None]
    for game, *around in zip(contest.all_games, numbers, numbers[2:], strict=False):
        analysis = results.analysis(game) if contest.solved else None
        bots = [results.places[name] + 1 for name in (game.first, game.second)]
        page = game_page(
            game,
            analysis,
            board=board,
            root=f"{root}../",
            crumbs=crumbs,
            facts=facts,
            bots=bots,
            around=around,
        )
        yield f"{folder}games/{game.game}.html", page
    for place in range(len(contest.bots)):
        yield f"{folder}bots/{place + 1}.html", render_bot(results, place, f"{root}../", crumbs)
    for name, text in export_files(contest, results.standings):
        yield f"{folder}{EXPORTS}/{name}", text
    what = EXPORT_NAMES | ({APART: "games that do not count, as a table"} if contest.apart else {})
    links = [(f"{EXPORTS}/{name}", text) for name, text in what.items()]
    yield f"{folder}index.html", render_standings(results, root, above, FOOTER, links)


def export_files(contest: StoredContest, table: Standings) -> Iterator[Page]:
    """Generate the files of ``EXPORTS``: the results in the formats of other programs."""
    yield "standings.csv", ratings_csv(table)
    yield "crosstable.csv", "".join(exports.crosstable_csv(table))
    yield "games.csv", "".join(exports.games_csv(contest))
    yield "games.pgn", "".join(exports.games_pgn(contest))
    yield "games.jsonl", "".join(exports.games_jsonl(contest))
    yield "summary.md", exports.summary_markdown(contest, table)
    if contest.apart:
        yield APART, "".join(exports.games_csv(replace(contest, games=contest.apart)))
