"""Folder of a site. Files are replaced one by one, and none is ever incomplete.

The file ``MARKER`` makes a folder a site: it lists the files that were written. A later run may
replace these files, and removes those of them that it did not write. No other file is ever removed.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Self

from c4_protocol.program.errors import UsageError

from c4_referee.system.safe_files import read_regular, read_start, replace_file

MARKER = "site.txt"
"""Name of the file that lists the files of a site, one path on each line."""
TITLE = "Files of a site of c4-referee. A later run replaces these files:"
"""First line of the marker."""


class SiteFolder:
    """Context manager for the folder of a site, which is created if it does not exist.

    Raises ``UsageError`` if the folder is neither empty nor a site, or if a file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: dict[str, None] = {}
        self._earlier: list[str] = []
        self.bytes = 0
        """Number of bytes that were written."""

    def __enter__(self) -> Self:
        with _named_errors(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._earlier = self._read_marker()
            self._write_marker()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            with _named_errors(self._folder):
                self._remove_stale()
                self._write_marker()
        else:
            with suppress(OSError):
                self._write_marker()

    def write(self, name: str, text: str) -> None:
        """Write a file. ``name`` is its path in the folder, with slashes."""
        data = text.encode(errors="backslashreplace")
        path = self._folder / name
        with _named_errors(path):
            if name not in self._written:
                self._make_folders(PurePosixPath(name).parent)
            self._written[name] = None
            if not _holds(path, data):  # to replace a file takes longer than to read it
                replace_file(path, data)
        self.bytes += len(data)

    def _make_folders(self, folder: PurePosixPath) -> None:
        """Create the folders on the way to a file; raise ``UsageError`` if one is a link."""
        for parent in (*reversed(folder.parents), folder):
            path = self._folder / parent
            if path.is_symlink() and path != self._folder:
                raise UsageError(f"cannot write {path}: it is a link: move it away")
            path.mkdir(exist_ok=True)

    def _read_marker(self) -> list[str]:
        """Return the files of the site that is in the folder; raise ``UsageError`` if none is."""
        try:
            lines = read_regular(self._folder / MARKER).decode().splitlines()
        except (FileNotFoundError, UnicodeDecodeError):
            lines = []
        if lines[:1] == [TITLE]:
            return [line for line in lines[1:] if _is_inside(line)]
        if any(self._folder.iterdir()):
            raise UsageError(
                f"cannot write {self._folder}: it is not empty, and holds no site of an earlier "
                "run: name another folder"
            )
        return []

    def _write_marker(self) -> None:
        """Write the list of all files that may be removed by a later run."""
        names = dict.fromkeys((*self._earlier, *self._written))
        replace_file(
            self._folder / MARKER, "".join(f"{line}\n" for line in (TITLE, *names)).encode()
        )

    def _remove_stale(self) -> None:
        """Remove the files of an earlier run that were not written again, and empty folders."""
        stale = [name for name in self._earlier if name not in self._written]
        for name in stale:
            if not any(parent.is_symlink() for parent in self._parents(name)):
                (self._folder / name).unlink(missing_ok=True)
        for name in stale:
            for parent in self._parents(name):
                with suppress(OSError):
                    parent.rmdir()  # only an empty folder can be removed
        self._earlier = []

    def _parents(self, name: str) -> list[Path]:
        """Return the folders between a file and the site, the innermost first."""
        return [self._folder / parent for parent in PurePosixPath(name).parents if parent.name]


def _holds(path: Path, data: bytes) -> bool:
    """Return whether a file has this content."""
    try:
        return not path.is_symlink() and read_start(path, len(data) + 1) == data
    except OSError:
        return False


def remove_site(folder: Path) -> None:
    """Remove the files of a site, and its folder if nothing else is in it.

    Raises ``UsageError`` if the folder holds no site, or if a file cannot be removed.
    """
    with SiteFolder(folder):
        pass  # nothing is written, so all files are stale
    with _named_errors(folder):
        (folder / MARKER).unlink()
    with suppress(OSError):
        folder.rmdir()


def write_page(path: Path, text: str) -> None:
    """Write a single page outside of a site; raise ``UsageError`` if this is not possible."""
    with _named_errors(path):
        replace_file(path, text.encode(errors="backslashreplace"))


def _is_inside(name: str) -> bool:
    """Return whether a name from a marker is a path inside the site."""
    path = PurePosixPath(name)
    is_below = not path.is_absolute() and ".." not in path.parts
    return is_below and bool(path.parts) and name.isprintable()


@contextmanager
def _named_errors(path: Path) -> Iterator[None]:
    """Replace an error of the system by a ``UsageError`` that names the file."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
