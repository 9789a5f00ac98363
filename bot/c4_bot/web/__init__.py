"""The board for the browser (``c4-bot --web``): a page that needs no server and no network.

``page/`` is made by ``bot/web/make_page.py`` from the modules in ``bot/web/`` and the native core.
"""

import errno
import os
import shutil
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from c4_protocol.program.errors import UsageError

PAGE = Path(__file__).with_name("page")
"""Folder of the built page."""
INDEX = "index.html"
"""Name of the file that a browser opens."""
NOT_PUBLISHED = ("built_from.txt",)
"""Names of files in ``PAGE`` that are not copied."""
TITLE = b"<title>Connect Four: play and analyse</title>"
"""A folder is a copy if the first 1000 bytes of its ``INDEX`` contain this text."""
MAX_TITLE_BYTES = 1000
UNFINISHED = ".c4-board-"
"""Start of the names of temporary folders, in which files are written before they are moved."""
STALE_SECONDS = 3600
WIDTHS, HEIGHTS, CONNECTS = range(3, 12), range(3, 11), range(3, 7)
"""Numbers of columns, of rows and of stones in a line on the page, as in ``notation.js``."""


def copy_page(folder: Path) -> None:
    """Copy the page into a folder, which is created if it does not exist.

    Files of an earlier copy are replaced if they differ, and no other file is touched. If the page
    cannot be copied, no new file remains. Raises ``UsageError`` if the folder holds something else,
    or if a file cannot be written.
    """
    files = {file.name: file.read_bytes() for file in _page_files()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _check(folder)
        _replace_all(folder, files)
    except OSError as error:
        path = Path(error.filename2 or folder)
        raise UsageError(f"cannot write {path}: {_reason(path, error)}") from None


def _check(folder: Path) -> None:
    """Raise ``UsageError`` if a folder holds something other than an earlier copy.

    Temporary folders of runs that were killed do not count, and are removed after an hour.
    """
    others = []
    for path in folder.iterdir():
        if not path.name.startswith(UNFINISHED):
            others.append(path.name)
        elif _age(path) > STALE_SECONDS:
            shutil.rmtree(path, ignore_errors=True)
    if others and not _is_copy(folder):
        raise UsageError(
            f"cannot write {folder}: it holds {min(others)!r}, and no earlier copy of the board: "
            "name another folder"
        )


def _age(path: Path) -> float:
    """Return the seconds since a folder was changed; 0 if another run has just removed it."""
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0


def _reason(path: Path, error: OSError) -> str | None:
    """Return why a path cannot be written, with advice."""
    if error.errno == errno.ENOSPC:
        return "the disk is full: make room and try again"
    if not isinstance(error, FileExistsError):
        return error.strerror
    if path.is_symlink():
        return "it is a link to nothing: remove it or name another folder"
    return "it is a file: name a folder"


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


def _replace_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Give files in a folder these contents. If one cannot be written, remove what is new.

    A symbolic link is replaced, not followed.
    """
    changed = [name for name, data in files.items() if not _holds(folder / name, data)]
    new = [folder / name for name in changed if not os.path.lexists(folder / name)]
    try:
        with TemporaryDirectory(prefix=UNFINISHED, dir=folder) as work:
            for name in changed:
                Path(work, name).write_bytes(files[name])
            for name in changed:
                Path(work, name).replace(folder / name)
    except BaseException:
        for path in new:
            path.unlink(missing_ok=True)
        raise


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a path is a regular file with this content."""
    return path.is_file() and not path.is_symlink() and path.read_bytes() == data
