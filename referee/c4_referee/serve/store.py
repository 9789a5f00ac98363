"""The contests that a server shows: folders of ``--out`` under short names, and their pages.

Nothing here writes. A folder is read again when it has changed, but only after a pause that is
``PAUSE`` times as long as the last reading, so that a server takes little of the machine from a
contest. Methods can be called in several threads.
"""

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from threading import Lock

from c4_protocol.program.errors import ArenaError

from c4_referee.contest.live.file import LIVE_FILE, MAX_FOLLOWED_BYTES, is_locked, open_live
from c4_referee.contest.live.follow import START, state_of_file
from c4_referee.records.storage.contests import read_contests
from c4_referee.records.storage.database import DATABASE_FILE, database_files
from c4_referee.records.storage.meant import recency
from c4_referee.report.site.pages import contest_pages, render_overview
from c4_referee.report.site.results import ContestResults
from c4_referee.serve.log import Log
from c4_referee.serve.public import public_contest

PAUSE = 30
"""Minimum pause between two readings of a folder, in durations of the last one."""
MIN_PAUSE = 0.2
"""Minimum pause between two readings of a folder, in seconds."""
MAX_PAGES = 200
"""Maximum number of pages of a folder that are kept."""


@dataclass
class Shelf:
    """A folder: its contests as they were when they were read, and pages that were made of them."""

    folder: Path
    key: str
    state: Sequence[object] = ()
    next_reading: float = 0.0
    contests: list[ContestResults] = field(default_factory=list)
    page: Callable[[str], str | None] = field(default=lambda _: None)
    """Returns a page by its path, or ``None`` if there is no such page."""


class Store:
    """Contests and sites of classes, each with a key that is a part of its address.

    ``folders`` returns the folders to look in: folders of ``--out``, or folders that hold some.
    ``sites`` are the folders of the pages of classes, with their names.
    """

    def __init__(
        self, folders: Callable[[], Iterable[Path]], sites: Iterable[tuple[str, Path]] = ()
    ) -> None:
        self._folders = folders
        self.log: Callable[[str], None] = Log()
        """Receives the reason why a folder cannot be read."""
        self.has_board = False
        """Whether the server has the board to play on."""
        self.shows_stderr = True
        """Whether pages have what bots wrote to standard error."""
        self._shelves: dict[Path, Shelf] = {}
        self._lock = Lock()
        self.sites: dict[str, Path] = {}
        for name, site in sites:
            self.sites[_new_key(name, self.sites)] = site.resolve()

    def shelves(self) -> dict[str, Shelf]:
        """Return all folders by their keys."""
        with self._lock:
            for folder in chain.from_iterable(map(contest_folders, self._folders())):
                if folder not in self._shelves:
                    taken = {shelf.key for shelf in self._shelves.values()}
                    self._shelves[folder] = Shelf(folder, _new_key(folder.name, taken))
            return {shelf.key: shelf for shelf in self._shelves.values()}

    def results(self, shelf: Shelf, *, now: bool = False) -> list[ContestResults]:
        """Return the contests of a folder. They can be old, except with ``now``."""
        with self._lock:
            files = database_files(shelf.folder / DATABASE_FILE)
            state = [*map(state_of_file, files)]
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
            shown = contests if self.shows_stderr else map(public_contest, contests)
            shelf.contests = [*map(ContestResults, shown)]
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
            sites=[*self.sites],
            board=self.has_board,
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
