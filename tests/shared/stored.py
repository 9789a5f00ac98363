"""Games that a folder of ``--out`` holds, also while a referee plays there."""

import json
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path


def stored_games(folder: Path) -> list[dict]:
    """Return the records in ``games.jsonl``, in the order in which the games ended."""
    return [json.loads(line) for line in (folder / "games.jsonl").read_bytes().splitlines()]


def count_results(folder: Path) -> int:
    """Return the number of results in the database of a folder, or 0 if there is none."""
    address = f"{(folder / 'arena.sqlite').absolute().as_uri()}?mode=ro"
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(address, uri=True)) as base:
        return int(base.execute("SELECT count(*) FROM results").fetchone()[0])
    return 0


def wait_for_results(folder: Path, number: int = 1) -> None:
    """Wait until a folder has so many results."""
    while count_results(folder) < number:
        time.sleep(0.01)
