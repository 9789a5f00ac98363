"""Size of the pages of a contest, and time to write them."""

import random
import resource
from itertools import combinations, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from _shared import seconds_of, show
from c4_protocol.events import GameEnded, VariantRecord
from c4_protocol.notation import moves_text
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD
from c4_referee.site.pages import site_pages
from c4_referee.site.writer import SiteFolder
from c4_referee.storage.contests import StoredBot, StoredContest

RECORD = VariantRecord.of(STANDARD)
MEGABYTE = 1e6


def game_of(number: int, first: str, second: str) -> GameEnded:
    """Return a game of random moves."""
    chance = random.Random(number)
    position, cells = Position(STANDARD), []
    while not position.is_over:
        cells.append(chance.choice([*position.moves]))
        position = position.play(cells[-1])
    times = [round(chance.lognormvariate(1, 1.5), 3) for _ in cells]
    ending = "line" if position.winner else "full board"
    moves = moves_text(STANDARD, cells)
    return GameEnded(
        number, first, second, moves, times, times, position.winner, ending, None, [], {}, RECORD
    )


def tournament_of(bots: int, games: int) -> StoredContest:
    """Return a tournament in which the bots meet in turn."""
    names = [f"bot {n}" for n in range(1, bots + 1)]
    pairs = [pair for two in combinations(names, 2) for pair in (two, two[::-1])]
    return StoredContest(
        number=1,
        variant=STANDARD,
        identity={"name": "Random games", "system": "round-robin"},
        began="2026-11-22 15:00:00",
        bots=tuple(StoredBot(name, ("c4-bot", "--plays", "random"), "00") for name in names),
        games=tuple(game_of(n, *two) for n, two in enumerate(islice(cycle(pairs), games), 1)),
    )


def write(contest: StoredContest, folder: Path) -> int:
    """Write the site of a contest, and return its size in bytes."""
    with SiteFolder(folder) as site:
        for name, text in site_pages([contest]):
            site.write(name, text)
    return site.bytes


def main(games: int = 10_000, *bots: int) -> None:
    """Write sites of tournaments with ``games`` games, one for each number of ``bots``."""
    rows = []
    for number in bots or (2, 50):
        contest, sizes = tournament_of(number, games), []
        with TemporaryDirectory() as folder:
            site = Path(folder)
            seconds = seconds_of(lambda: sizes.append(write(contest, site)))  # noqa: B023
            first = (site / "index.html").stat().st_size
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        row = (sizes[0] / MEGABYTE, first / MEGABYTE, seconds, peak / MEGABYTE)
        rows.append((f"{number} bots", *row))
    columns = {
        "contest": "",
        "site MB": ".1f",
        "first page MB": ".3f",
        "s": ".1f",
        "peak MB": ".0f",
    }
    show(f"sites of {games:,} games", columns, rows)
