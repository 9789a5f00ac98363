"""All pages of a site: contests, bots and games.

``site_pages`` generates the pages one by one, so that a site of any size needs little memory. The
standings of a contest come after its other pages, so that they never link to a page that does not
exist yet.
"""

from collections.abc import Iterator, Sequence

from c4_protocol.reports import Standings

from c4_referee.site import exports
from c4_referee.site.bot import render_bot
from c4_referee.site.conditions import game_facts
from c4_referee.site.environment import STATIC_FILES, environment, static_text
from c4_referee.site.replay import game_page
from c4_referee.site.results import ContestResults
from c4_referee.site.standings import render_standings
from c4_referee.storage.contests import StoredContest

EXPORTS = "exports"
"""Folder of the files in other formats."""
EXPORT_NAMES = {
    "standings.csv": "standings as a table",
    "crosstable.csv": "crosstable",
    "games.csv": "games as a table",
    "games.pgn": "games with their moves (Portable Game Notation)",
    "games.jsonl": "games as lines of JSON",
    "summary.md": "summary to paste into an announcement (Markdown)",
}
"""Names of the files in ``EXPORTS``, each with a description."""
FOOTER = "Made by c4-referee report."
Page = tuple[str, str]
"""Path of a page in its site, with slashes, and the text of the page."""


def number_of_pages(contests: Sequence[StoredContest]) -> int:
    """Return the number of pages of a site, with its static files and exports."""
    pages = sum(len(contest.bots) + len(contest.games) + 1 for contest in contests)
    return pages + len(contests) * len(EXPORT_NAMES) + len(STATIC_FILES) + (len(contests) > 1)


def site_pages(contests: Sequence[StoredContest]) -> Iterator[Page]:
    """Generate the pages of a site with one contest or more."""
    for name in STATIC_FILES:
        yield name, static_text(name)
    if len(contests) == 1:
        yield from _contest_pages(ContestResults(contests[0]), "")
        return
    results = []
    for contest in contests:
        found = ContestResults(contest)
        yield from _contest_pages(found, f"{contest.number}/")
        results.append((contest.number, found))
    yield "index.html", _overview(results)


def _contest_pages(results: ContestResults, folder: str) -> Iterator[Page]:
    """Generate the pages of a contest in ``folder``, which is empty or ends with a slash."""
    contest = results.contest
    root = "../" if folder else ""
    above = [("../index.html", "All contests")] if folder else []
    deeper = [(f"../{address}", text) for address, text in above]
    crumbs = [*deeper, ("../index.html", contest.name)]
    facts = game_facts(results)
    for game in contest.games:
        known = results.analysis(game) if contest.solved else None
        bots = [results.places[name] + 1 for name in (game.first, game.second)]
        page = game_page(game, known, root=f"{root}../", crumbs=crumbs, facts=facts, bots=bots)
        yield f"{folder}games/{game.game}.html", page
    for place in range(len(contest.bots)):
        yield f"{folder}bots/{place + 1}.html", render_bot(results, place, f"{root}../", crumbs)
    for name, text in export_files(contest, results.standings):
        yield f"{folder}{EXPORTS}/{name}", text
    links = [(f"{EXPORTS}/{name}", what) for name, what in EXPORT_NAMES.items()]
    yield f"{folder}index.html", render_standings(results, root, above, FOOTER, links)


def export_files(contest: StoredContest, table: Standings) -> Iterator[Page]:
    """Generate the files of ``EXPORT_NAMES``: the results in the formats of other programs."""
    yield "standings.csv", exports.standings_csv(table)
    yield "crosstable.csv", "".join(exports.crosstable_csv(table))
    yield "games.csv", "".join(exports.games_csv(contest))
    yield "games.pgn", "".join(exports.games_pgn(contest))
    yield "games.jsonl", "".join(exports.games_jsonl(contest))
    yield "summary.md", exports.summary_markdown(contest, table)


def _overview(results: Sequence[tuple[int, ContestResults]]) -> str:
    """Return the page that lists the contests."""
    template = environment().get_template("overview.html.jinja")
    return template.render(root="", contests=results, footer=FOOTER)
