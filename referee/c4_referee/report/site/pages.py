"""All pages of a site: contests, bots and games.

``site_pages`` generates the pages one by one, so that a site of any size needs little memory. The
standings of a contest come after its other pages, so that they never link to a page that does not
exist yet.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from c4_protocol.records.events import GameEnded
from c4_protocol.records.reports import Standings

from c4_referee.records.storage.contests import StoredContest
from c4_referee.records.storage.meant import meant, recency
from c4_referee.report.site import exports
from c4_referee.report.site.bot_page import render_bot
from c4_referee.report.site.conditions import conditions
from c4_referee.report.site.environment import STATIC_FILES, environment, static_text
from c4_referee.report.site.replay_page import game_page
from c4_referee.report.site.results import ContestResults
from c4_referee.report.site.standings_page import render_standings
from c4_referee.report.terminal.standings_tables import ratings_csv

EXPORTS = "exports"
"""Folder of the files in other formats."""
APART = "apart.csv"
"""Name of the file in ``EXPORTS`` with the games that do not count, if there are any."""
EXPORTERS: dict[str, tuple[str, Callable[[StoredContest, Standings], Iterable[str]]]] = {
    "standings.csv": ("standings as a table", lambda _, table: [ratings_csv(table)]),
    "crosstable.csv": ("crosstable", lambda _, table: exports.crosstable_csv(table)),
    "games.csv": ("games as a table", lambda contest, _: exports.games_csv(contest)),
    "games.pgn": (
        "games with their moves (Portable Game Notation)",
        lambda contest, _: exports.games_pgn(contest),
    ),
    "games.jsonl": ("games as lines of JSON", lambda contest, _: exports.games_jsonl(contest)),
    "summary.md": (
        "summary to paste into an announcement (Markdown)",
        lambda contest, table: [exports.summary_markdown(contest, table)],
    ),
    APART: (
        "games that do not count, as a table",
        lambda contest, _: exports.games_csv(replace(contest, games=contest.apart)),
    ),
}
"""Files in ``EXPORTS`` by their names: a description, and a function that makes their parts."""
FOOTER = "Made by c4-referee report."
Page = tuple[str, str]
"""Path of a page in its site, with slashes, and the text of the page."""
Pages = dict[str, Callable[[], str]]
"""Functions that make pages, by the paths of these pages."""


def number_of_pages(contests: Sequence[StoredContest]) -> int:
    """Return the number of pages of a site, with its static files and exports."""
    pages = [len(each.bots) + len(each.all_games) for each in contests]
    exported = sum(len(_exported(each)) + 1 for each in contests)
    more = pages[0] + len(_exported(meant(contests))) + 1 if len(contests) > 1 else 0
    return sum(pages) + exported + len(STATIC_FILES) + more


def _exported(contest: StoredContest) -> list[str]:
    """Return the names of the files in ``EXPORTS``."""
    return [name for name in EXPORTERS if name != APART or contest.apart]


def site_pages(contests: Sequence[StoredContest], *, board: bool = False) -> Iterator[Page]:
    """Generate the pages of a site with one contest or more.

    If the site has a board to play on (``board_folder.py``), the replays use its engine. A single
    contest has no folder of its own. Each of several has one, and the first page lists them. The
    bots and games of the first one are also where they were before others were added. The exports
    outside of the folders are those of the contest that is meant.
    """
    for name in STATIC_FILES:
        yield name, static_text(name)
    above = "index.html" if len(contests) > 1 else ""
    listed: list[tuple[str, ContestResults]] = []
    for contest in sorted(contests, key=recency, reverse=True):
        folder, results = f"{contest.number}/" if above else "", ContestResults(contest)
        pages = contest_pages(results, folder, above, board=board)
        if above and contest.number == contests[0].number:
            pages |= _pages_in(
                ("bots", "games"), contest_pages(results, "", above, folder, board=board)
            )
        if above and not listed:
            pages |= _pages_in((EXPORTS,), contest_pages(results, "", above))
        listed.append((folder, results))
        yield from ((path, made()) for path, made in pages.items())
    if above:
        yield above, render_overview(listed)


def render_overview(contests: Sequence[tuple[str, ContestResults]], **texts: Any) -> str:  # noqa: ANN401 - variables of a template
    """Return the page that lists contests, each with its folder. ``texts`` are for the template."""
    template = environment().get_template("overview.html.jinja")
    return template.render({"root": "", "contests": contests, "footer": FOOTER} | texts)


def _pages_in(folders: Sequence[str], pages: Pages) -> Pages:
    return {path: made for path, made in pages.items() if path.partition("/")[0] in folders}


def contest_pages(
    results: ContestResults,
    folder: str,
    overview: str,
    home: str = "",
    *,
    board: bool = False,
    live: bool = False,
) -> Pages:
    """Return functions that make the pages of a contest, by their paths in the site.

    ``folder`` is empty or ends with a slash. ``overview`` is the path of a page above these, or
    empty. ``home`` is the path from ``folder`` to the folder of the standings that they lead to. If
    the contest is ``live``, its standings lead to ``live.html`` in the same folder.
    """
    contest = results.contest
    root = "../" * folder.count("/")
    above = [(root + overview, "All contests")] if overview else []
    deeper = [(f"../{address}", text) for address, text in above]
    crumbs = [*deeper, (f"../{home}index.html", contest.name)]
    numbers = [None, *(game.game for game in contest.all_games), None]
    pages: Pages = {}
    for game, *around in zip(contest.all_games, numbers, numbers[2:], strict=False):
        frame = {"root": f"{root}../", "crumbs": crumbs, "around": around}
        page = partial(_page_of_game, results, game, board=board, **frame)
        pages[f"{folder}games/{game.game}.html"] = page
    for place in range(len(contest.bots)):
        page = partial(render_bot, results, place, f"{root}../", crumbs)
        pages[f"{folder}bots/{place + 1}.html"] = page
    for name in _exported(contest):
        pages[f"{folder}{EXPORTS}/{name}"] = partial(_export, name, results)
    links = [(f"{EXPORTS}/{name}", EXPORTERS[name][0]) for name in _exported(contest)]
    pages[f"{folder}index.html"] = partial(
        render_standings, results, root, above, FOOTER, links, live=live
    )
    return pages


def _page_of_game(results: ContestResults, game: GameEnded, **frame: Any) -> str:  # noqa: ANN401 - arguments of game_page
    """Return the page of a game of a contest."""
    facts = [text for name, text in conditions(results) if name == "Time" and text]
    bots = [results.places[name] + 1 for name in game.bots]
    return game_page(results.analysis(game), facts=facts, bots=bots, **frame)


def _export(name: str, results: ContestResults) -> str:
    """Return a file of ``EXPORTS``."""
    return "".join(EXPORTERS[name][1](results.contest, results.standings))
