"""Files of each format: what is read, and what is reported.

``files/FORMAT.txt`` has many files of a format, with a blank line between two of them. ``== TITLE``
is above files that belong together. A line of a file begins with ``>``, and may have escapes as in
Python. The lines below it are what is found: ``<`` is a game, with the fields that are not usual,
``x`` is an unreadable line, with its number and the reason, and ``!`` is the reason why the whole
file is refused. A reason that ends in ``...`` may be longer, because its end depends on a library.
"""

import json
from codecs import escape_decode
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from c4_protocol.program.errors import UsageError
from c4_referee.records.formats import StoredGame, UnreadableLine
from result_files import read

BLOCKS = [
    pytest.param(block, id=f"{path.stem} {number}")
    for path in sorted((Path(__file__).parent / "files").iterdir())
    for number, block in enumerate(path.read_text(encoding="utf-8").rstrip("\n").split("\n\n"))
]
USUAL = asdict(StoredGame("", "", 0))
"""Fields of a game that a file says nothing about."""


def found_in(data: bytes, folder: Path) -> Iterator[str]:
    """Yield a line for each game and each complaint of a file."""
    try:
        for found in read(folder, data):
            if isinstance(found, UnreadableLine):
                yield f"x {found.number} {found.reason}"
            else:
                unusual = {k: v for k, v in asdict(found).items() if v != USUAL[k] or k == "winner"}
                yield f"< {json.dumps(unusual, ensure_ascii=False)}"
    except UsageError as error:
        yield f"! {error}".replace(str(folder), "FOLDER")


@pytest.mark.parametrize("block", BLOCKS)
def test_file_has_these_games_and_unreadable_lines(block: str, tmp_path: Path) -> None:
    """A file gives the games and the complaints that are written below it."""
    lines = [line for line in block.splitlines() if not line.startswith("==")]
    texts = [escape_decode(line[2:].encode())[0] for line in lines if line[0] == ">"]
    wanted = [line for line in lines if line[0] != ">"]
    found = [*found_in(b"\n".join(texts), tmp_path)]
    for number, line in enumerate(wanted[: len(found)]):
        if line.endswith("..."):
            found[number] = found[number][: len(line) - 3] + "..."
    assert found == wanted
