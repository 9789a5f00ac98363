"""Runs of a class: each is a stored contest in ``runs/DATE``, with a file that describes it.

The folder has ``tournament.toml`` with the bots, the system and the conditions, which are fixed
when the run begins, and ``run.json``. So a run that was stopped goes on as it began, whatever has
changed since.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from c4_protocol.program.errors import UsageError
from pydantic import BaseModel, Field, ValidationError

from c4_referee.classroom.entries import Row
from c4_referee.system.safe_files import read_regular, replace_file

RUNS = "runs"
CONTEST_FILE = "tournament.toml"
RUN_FILE = "run.json"


class Run(BaseModel):
    """A run: what was planned when it began, and its standings when it is over.

    ``name`` is that of its folder: the date, such as ``2026-11-23`` or ``2026-11-23-2``.
    ``versions`` has the number of the version of each student's bot by its alias. ``plan`` is for
    people. ``rows`` are the standings, the best first. ``names`` has the real names that its games
    show, by alias, and ``None`` if nothing has been shown yet. ``anchor`` is the staff's bot whose
    rating is 0.
    """

    name: str
    versions: dict[str, int] = Field(default_factory=dict)
    plan: str = ""
    games: int = 0
    is_over: bool = False
    rows: tuple[Row, ...] = ()
    names: dict[str, str] | None = None
    anchor: str | None = None

    def with_names(self, names: Mapping[str, str]) -> "Run":
        """Return the run with the names of bots that its pages show."""
        rows = (replace(row, name=names.get(row.name, row.name)) for row in self.rows)
        return self.model_copy(update={"rows": tuple(rows)})


class Runs:
    """The runs of a class, in the order in which they began."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / RUNS
        self._folder.mkdir(exist_ok=True)

    def folder_of(self, run: Run) -> Path:
        """Return the folder of a run."""
        return self._folder / run.name

    def all(self) -> list[Run]:
        """Return all runs that have begun. Raises ``UsageError`` if one cannot be read."""
        return [*map(_read, _files(self._folder))]

    def open_one(self) -> Run | None:
        """Return the run that has begun and is not over, if there is one."""
        return next((run for run in self.all() if not run.is_over), None)

    def last(self) -> Run | None:
        """Return the last run that is over, if there is one."""
        return next((run for run in reversed(self.all()) if run.is_over), None)

    def new_name(self) -> str:
        """Return a name for a run that begins today."""
        today, known = date.today().isoformat(), {run.name for run in self.all()}
        names = (today, *(f"{today}-{number}" for number in range(2, len(known) + 3)))
        return next(name for name in names if name not in known)

    def save(self, run: Run) -> None:
        """Write the file of a run, and make its folder if there is none."""
        self.folder_of(run).mkdir(exist_ok=True)
        replace_file(self.folder_of(run) / RUN_FILE, run.model_dump_json(indent=1).encode())


def newest_run(folder: Path) -> Run | None:
    """Return the run of a class that began last, and write nothing.

    Raises ``UsageError`` if it cannot be read.
    """
    return _read(files[-1]) if (files := _files(folder / RUNS)) else None


def _files(folder: Path) -> list[Path]:
    """Return the files of the runs in a folder, in the order in which the runs began."""
    return sorted(folder.glob(f"*/{RUN_FILE}"), key=lambda path: _order(path.parent.name))


def _order(name: str) -> tuple[str, int]:
    """Return a key that sorts runs: by date, then by number."""
    return name[:10], int(name[11:] or 1) if name[11:].isdecimal() or not name[11:] else 0


def _read(path: Path) -> Run:
    try:
        run = Run.model_validate_json(read_regular(path))
    except (OSError, ValidationError):
        raise UsageError(f"cannot read {path}: put back a copy of the file") from None
    return run.model_copy(update={"name": path.parent.name})  # the folder may be renamed
