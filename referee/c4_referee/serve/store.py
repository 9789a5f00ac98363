"""The contests that a server shows: folders of ``--out`` under short names, and their pages.

Nothing here writes. A folder is read again when it has changed, but only after a pause that is
``PAUSE`` times as long as the last reading, so that a server takes little of the machine from a
contest. Methods can be called in several threads.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from c4_protocol.program.errors import ArenaError

from c4_referee.contest.live.file import LIVE_FILE, MAX_FOLLOWED_BYTES, is_locked, open_live
from c4_referee.contest.live.follow import START, state_of_file
from c4_referee.contest.live.state import Message
from c4_referee.records.storage.contests import StoredContest, read_contests
from c4_referee.records.storage.database import DATABASE_FILE, database_files
from c4_referee.records.storage.meant import recency
from c4_referee.report.site.pages import contest_pages, render_overview
from c4_referee.report.site.results import ContestResults
from c4_referee.report.texts import ordinal
from c4_referee.serve.log import Log
from c4_referee.serve.public import public_contest

INDEX = "index.html"
PAUSE = 30
"""Minimum pause between two readings of a folder, in durations of the last one."""
MIN_PAUSE = 0.2
"""Minimum pause between two readings of a folder, in seconds."""
MAX_PAGES = 200
"""Maximum number of pages of a folder that are kept."""


class ShownRun(NamedTuple):
    """The run of a class that is shown: the one in progress, or the last one.

    ``contest`` and ``message`` return what everybody may see of a contest and of a message of its
    stream. ``names`` are the real names that they show, by alias.
    """

    folder: Path
    names: Mapping[str, str]
    contest: Callable[[StoredContest], StoredContest]
    message: Callable[[Message], Message | None]


class ShownClass(NamedTuple):
    """A class: its name in addresses, the folder of its site, and a function that reads its run."""

    name: str
    site: Path
    run: Callable[[], ShownRun | None]


@dataclass
class Shelf:
    """A folder: its contests as they were when they were read, and pages that were made of them.

    ``run`` says what is shown of the run of a class. It is ``None`` for other folders.
    """

    folder: Path
    key: str
    run: ShownRun | None = None
    state: Sequence[object] = ()
    next_reading: float = 0.0
    contests: list[ContestResults] = field(default_factory=list)
    page: Callable[[str], str | None] = field(default=lambda _: None)
    """Returns a page by its path, or ``None`` if there is no such page."""


class Store:
    """Contests and sites of classes, each with a key that is a part of its address.

    ``folders`` returns the folders to look in: folders of ``--out``, or folders that hold some.
    """

    def __init__(
        self, folders: Callable[[], Iterable[Path]], classes: Sequence[ShownClass] = ()
    ) -> None:
        self._folders, self._classes = folders, classes
        self.log: Callable[[str], None] = Log()
        """Receives the reason why a folder cannot be read."""
        self.has_board = False
        """Whether the server has the board to play on."""
        self.offers_games = True
        """Whether people can play against bots."""
        self.shows_stderr = True
        """Whether pages have what bots wrote to standard error."""
        self._shelves: dict[Path, Shelf] = {}
        self._lock = Lock()
        self.sites: dict[str, Path] = {}
        for shown in classes:
            self.sites[_new_key(shown.name, self.sites)] = shown.site.resolve()

    def shelves(self) -> dict[str, Shelf]:
        """Return all folders by their keys. Of a class, this is the folder of one run at most."""
        runs = {run.folder: run for each in self._classes if (run := self._run_of(each))}
        with self._lock:
            for folder in chain(runs, *map(contest_folders, self._folders())):
                if folder not in self._shelves:
                    taken = {shelf.key for shelf in self._shelves.values()}
                    self._shelves[folder] = Shelf(folder, _new_key(folder.name, taken))
            for folder, shelf in [*self._shelves.items()]:
                if folder in runs:
                    shelf.run = runs[folder]
                elif shelf.run:  # streams still use it, and show no more than before
                    del self._shelves[folder]
            return {shelf.key: shelf for shelf in self._shelves.values()}

    def _run_of(self, shown: ShownClass) -> ShownRun | None:
        """Return the run of a class that is shown, if it has a contest yet."""
        try:
            run = shown.run()
        except ArenaError as error:
            self.log(f"cannot show {shown.name}: {error}")
            return None
        return run if run and _holds_contest(run.folder) else None

    def results(self, shelf: Shelf, *, now: bool = False) -> list[ContestResults]:
        """Return the contests of a folder. They can be old, except with ``now``."""
        with self._lock:
            files = database_files(shelf.folder / DATABASE_FILE)
            state = [*map(state_of_file, files), shelf.run and shelf.run.names]
            if state != shelf.state and (now or time.monotonic() >= shelf.next_reading):
                began = time.monotonic()
                self._read(shelf)
                pause = max(MIN_PAUSE, PAUSE * (time.monotonic() - began))
                shelf.state, shelf.next_reading = state, time.monotonic() + pause
            return shelf.contests

    def _read(self, shelf: Shelf) -> None:
        """Read a folder, and compute its standings."""
        try:
            contests = read_contests(shelf.folder)
            if shelf.run or not self.shows_stderr:
                contests = [*map(shelf.run.contest if shelf.run else public_contest, contests)]
            shelf.contests = [*map(ContestResults, contests)]
        except ArenaError as error:
            self.log(f"cannot show {shelf.folder.name}: {error}")
            shelf.contests = []
        for results in shelf.contests:
            results.standings  # noqa: B018 - computed here, so that the pause knows how long it takes
        pages: dict[str, Callable[[], str]] = {}
        for results in shelf.contests:
            folder = f"c/{shelf.key}/{results.contest.number}/"
            live = not results.is_complete
            pages |= contest_pages(results, folder, "index.html", board=self.has_board, live=live)
        shelf.page = lru_cache(MAX_PAGES)(lambda path: pages[path]() if path in pages else None)

    def page(self, shelf: Shelf, path: str) -> str | None:
        """Return a page of a contest by its path, or ``None`` if there is no such page."""
        self.results(shelf)
        return shelf.page(path)

    def first_page(self) -> str:
        """Return the address of the page to begin with: of a class alone, its run or its site."""
        shelves = self.shelves().values()
        if len(self.sites) == 1 and all(shelf.run for shelf in shelves):
            for shelf in shelves:
                if number := running_contest(shelf.folder):
                    return f"c/{shelf.key}/{number}/live.html"
            for key, site in self.sites.items():
                if (site / INDEX).is_file():
                    return f"class/{key}/{INDEX}"
            for shelf in shelves:
                for results in self.results(shelf)[-1:]:
                    return f"c/{shelf.key}/{results.contest.number}/{INDEX}"
        return INDEX

    def standing(self, bot: str) -> tuple[str, str]:
        """Return the rank of a bot of a class, in words, and the address of its page, or ""."""
        for shelf in self.shelves().values():
            for results in self.results(shelf)[-1:]:
                rows = [row for row in results.standings.bots if not row.withdrawn]
                for row in rows:
                    if row.bot == bot and (row.games or row.gave_up):
                        folder = f"c/{shelf.key}/{results.contest.number}"
                        page = f"{folder}/bots/{results.places[bot] + 1}.html"
                        rank = 1 + sum(other.rank < row.rank for other in rows)
                        return "gave up" if row.gave_up else f"{ordinal(rank)} of {len(rows)}", page
        return "", ""

    def overview(self) -> str:
        """Return the page that lists all contests."""
        shelves = self.shelves().values()
        contests = {
            f"c/{shelf.key}/{results.contest.number}/": results
            for shelf in shelves
            for results in sorted(
                self.results(shelf), key=lambda it: recency(it.contest), reverse=True
            )
        }
        running = {f"c/{shelf.key}/{running_contest(shelf.folder)}/" for shelf in shelves}
        return render_overview(
            [*contests.items()],
            served=True,
            running=running & contests.keys(),
            sites=[key for key, site in self.sites.items() if (site / INDEX).is_file()],
            board=self.has_board,
            play=self.offers_games,
            footer="Shown by c4-referee serve.",
        )


def running_contest(folder: Path) -> int | None:
    """Return the number of the contest that a referee plays in a folder now, or ``None``."""
    try:
        with open_live(folder / LIVE_FILE) as file:
            is_running = is_locked(file.fileno())
            return (
                START.validate_json(file.readline(MAX_FOLLOWED_BYTES)).contest
                if is_running
                else None
            )
    except (OSError, ArenaError, ValueError):
        return None


def contest_folders(folder: Path) -> list[Path]:
    """Return a folder of ``--out``, or those in it. Links and hidden folders are left out."""
    if _holds_contest(folder):
        return [folder]
    try:
        inner = sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    except OSError:
        return []
    return [each for each in inner if not each.is_symlink() and _holds_contest(each)]


def _holds_contest(folder: Path) -> bool:
    return (folder / DATABASE_FILE).is_file()


def _new_key(name: str, taken: Iterable[str]) -> str:
    """Return a harmless name that no other folder has, as a part of an address."""
    key = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip(".-")[:60] or "contest"
    while key in taken:
        key += "-2"
    return key
