"""The board for the browser (``c4-bot --web``): a page that needs no server and no network.

``page/`` is made by ``bot/web/make_page.py`` from the modules beside it and the native core.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from c4_protocol.program.errors import UsageError

PAGE = Path(__file__).with_name("page")
"""Folder of the built page."""
INDEX = "index.html"
"""Name of the file that a browser opens."""
NOT_PUBLISHED = ("built_from.txt",)
"""Names of files in ``PAGE`` that users do not get."""
TITLE = b"<title>Connect Four: play and analyse</title>"
"""Text in ``INDEX``. A folder whose ``INDEX`` begins with lines that contain it holds a copy."""
MAX_TITLE_BYTES = 1000
"""Number of bytes of ``INDEX`` in which the title is looked for."""
WIDTHS, HEIGHTS, MIN_CONNECT = range(3, 12), range(3, 11), 3
"""Numbers of columns and rows, and minimum length of a line on the page, as in ``notation.js``."""


def copy_page(folder: Path) -> None:
    """Copy the page into a folder, which is created if it does not exist.

    Files of an earlier copy are replaced if they differ, and no other file is touched. Raises
    ``UsageError`` if the folder holds something else, or if a file cannot be written.
    """
    files = [*_page_files()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not _is_copy(folder):
            raise UsageError(
                f"cannot write {folder}: it is not empty, and holds no earlier copy of the board: "
                "name another folder"
            )
        for file in files:
            _replace(folder / file.name, file.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or folder}: {error.strerror}") from None


def _page_files() -> Iterator[Path]:
    """Yield the files of the page. ``INDEX`` is the first, because it marks a copy.

    Raises ``UsageError`` if the page is not installed.
    """
    index = PAGE / INDEX
    if not index.is_file():
        raise UsageError("the board is not in this installation: reinstall c4-arena")
    yield index
    for file in sorted(PAGE.iterdir()):
        if file.is_file() and file.name not in (INDEX, *NOT_PUBLISHED):
            yield file


def page_index() -> Path:
    """Return the path of the page to open; raise ``UsageError`` if it is not installed."""
    return next(_page_files())


def _is_copy(folder: Path) -> bool:
    """Return whether a folder holds an earlier copy of the page."""
    index = folder / INDEX
    if not index.is_file():
        return False
    with index.open("rb") as file:
        return TITLE in file.read(MAX_TITLE_BYTES)


def _replace(path: Path, data: bytes) -> None:
    """Give a file this content, all at once. A link is replaced, and not followed."""
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with part.open("xb") as file:
            file.write(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from None
