"""Helpers for tests that read files with results of games."""

from pathlib import Path

from c4_referee.records.formats import StoredGame, UnreadableLine, reader_for
from c4_referee.records.storage.game_files import read_results

Found = StoredGame | UnreadableLine


def read(tmp_path: Path, text: str | bytes) -> list[Found]:
    """Return the results of a file, followed by its unreadable lines."""
    path = tmp_path / "file"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    complaints: list[UnreadableLine] = []
    found: list[Found] = [*read_results([str(path)], lambda _, bad: complaints.append(bad))]
    return [*found, *complaints]


def lines_read(data: bytes) -> list[Found]:
    """Return what the format that recognises the bytes reads, or an empty list if none does."""
    lines = [*enumerate(data.split(b"\n"), 1)]
    reader = reader_for(data.lstrip())
    return [] if reader is None else [*reader(lines)]
