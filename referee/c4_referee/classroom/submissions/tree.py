"""A folder that is written from entries of strangers, within limits.

An entry is a file, a folder or a link of an archive or of another folder. ``Tree`` checks each
entry before it is written. Only folders and regular files are written: a link to a file becomes a
copy of this file, and other links are left out. So nothing that reads the folder later can be led
out of it, and no entry is written through a link.
"""

import errno
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import IO, TypeGuard

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import shortened

from c4_referee.classroom.submissions.time_limit import Exceeded
from c4_referee.system.safe_files import open_file

LEFT_OUT = frozenset(
    {"__MACOSX", ".DS_Store", ".git", "node_modules", ".venv", "venv", "site-packages"}
    | {"__pycache__", "target", ".gradle", "CMakeFiles", "CMakeCache.txt"}
    | {"cmake-build-debug", "cmake-build-release"}
)
"""Names of files and folders that are left out at any depth."""
PYTHON_LINK = re.compile(r"python[\d.]*")
"""Pattern of links in environments of Python, which lead out of them. They are left out, too."""
OUTSIDE = re.compile(r"/|[A-Za-z]:|(?:.*/)?\.\.(?:/|$)|.*\0", re.DOTALL)
"""Pattern of the beginning of paths that leave their folder."""
CHUNK_BYTES = 64 << 10
RATIO_FROM_BYTES = 16 << 20
"""Number of unpacked bytes up to which any ratio is accepted. Small files can be very regular."""
READ_SHARE = 4
"""Maximum number of bytes in tar archives for each byte that may be written. What is left out is
decompressed, too."""
LISTED_SHARE = 50
"""Maximum number of entries in archives, also of those left out, for each one that may be written.
"""


OWN_ERRORS = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE}
"""Errors of the system for which no submission is the reason."""
FEWER = "hand in your sources only"
"""Advice to the author of a submission that is too large."""


class Refused(ArenaError):
    """An archive or a folder that is not taken. The text is for the author and the instructor."""


def is_fault_of_this_machine(error: Exception) -> TypeGuard[OSError]:
    """Return whether an error is not one of a submission, but a full disk, for example."""
    return isinstance(error, OSError) and error.errno in OWN_ERRORS


@dataclass(frozen=True)
class Bounds:
    """Maximum sizes of what one submission unpacks to. More than that is refused.

    ``entries`` counts files and folders, and ``depth`` the names in a path. ``ratio`` is the number
    of unpacked bytes for each byte that was handed in.
    """

    entries: int = 2_000
    depth: int = 12
    megabytes: int = 100
    ratio: int = 200


@dataclass(frozen=True)
class Packed:
    """An entry of an archive or a folder.

    ``mode`` has its kind and permissions, as in ``stat``. ``open`` opens a file to read it; it is
    called only if the file is written. ``target`` is where a link leads, from the root of its
    archive.
    """

    path: str
    mode: int
    open: Callable[[], IO[bytes] | None]
    target: str = ""


@dataclass
class Tree:
    """A new folder that entries are written into, their number, and the sum of their bytes.

    ``handed`` is the size of what was handed in, in bytes. ``None`` means that the tree is filled
    with it now. ``read`` is the number of bytes that tar archives had, and ``listed`` the number of
    entries in archives. Both count what is left out. All numbers are those of all archives
    together, because a small archive can hold thousands of others.

    With ``notes``, the tree is a download. An entry that is refused is left out, and a line about
    it is added there. Each part of the download counts for itself: a file or a folder with
    ``outer`` folders around it. Of a part that exceeds the limits, just as much is written that it
    is refused later, when the submission is made. The download as a whole may fill ``room`` bytes.
    """

    root: Path
    limits: Bounds
    notes: list[str] | None = None
    handed: int | None = None
    outer: int = 0
    room: int = 0
    entries: Counter[Path] = field(default_factory=Counter)
    sizes: Counter[Path] = field(default_factory=Counter)
    left_out: frozenset[str] = LEFT_OUT
    size: int = 0
    read: int = 0
    listed: int = 0

    @property
    def most(self) -> int:
        """Maximum sum of the bytes that are written."""
        if self.notes is not None:
            return self.room
        whole, handed = self.limits.megabytes << 20, self.handed
        if handed is None:
            return whole
        return min(whole, max(RATIO_FROM_BYTES, self.limits.ratio * handed))

    def count_read(self, size: int) -> None:
        """Count bytes of tar archives. Raises ``Exceeded`` if there are too many."""
        self.read += size
        if self.read > READ_SHARE * self.most:
            raise Exceeded(f"unpacks to more than {READ_SHARE * self.most >> 20} MB: {FEWER}")

    def count_listed(self, number: int = 1) -> None:
        """Count entries in archives. Raises ``Exceeded`` if there are too many."""
        self.listed += number
        if self.notes is None and self.listed > LISTED_SHARE * self.limits.entries:
            most = LISTED_SHARE * self.limits.entries
            raise Exceeded(f"holds more than {most} files and folders: {FEWER}")

    def fill(self, name: str, entries: Iterable[Packed], base: Path = Path()) -> None:
        """Write the entries of an archive or a folder, and then the files to which links lead.

        They are written into the folder ``base`` of the tree. ``name`` is for people. Raises
        ``Refused``.
        """
        links: dict[Path, Path] = {}
        try:
            for entry in entries:
                with self._refusals(name):
                    self._add(entry, base, links)
            for place, goal in links.items():
                with self._refusals(name):
                    if goal.is_file():
                        self._write(place, entry_on_disk(goal, place.name))
        except Refused:
            raise
        except Exceeded as exceeded:
            raise Refused(f"{name} {exceeded}") from None
        except Exception as error:  # modules for archives raise many kinds for a damaged archive
            if is_fault_of_this_machine(error):
                raise
            reason = "it is damaged, or no zip or tar archive: pack it as zip"
            raise Refused(f"{name} cannot be unpacked: {reason}") from error

    @contextmanager
    def _refusals(self, name: str) -> Iterator[None]:
        """Add the name of an archive to the reason why an entry of it is refused."""
        try:
            yield
        except Refused as refused:
            if self.notes is None:
                raise Refused(f"{name} holds {refused}") from None
            self.notes.append(f"{name} holds {refused} (left out)")

    def _add(self, entry: Packed, base: Path, links: dict[Path, Path]) -> None:
        """Write an entry, or note where a link leads."""
        path = _path_inside(entry.path, "path outside of its folder", entry.path)
        place, kind = self.root / base / path, stat.S_IFMT(entry.mode)
        if self.left_out.intersection(path.parts):
            return
        if kind == stat.S_IFLNK and PYTHON_LINK.fullmatch(path.name):
            return
        if not self._count(self._part(place)):
            return
        depth = self.limits.depth + (0 if self.notes is None else self.outer + 2)
        if len((base / path).parts) > depth:
            raise _refusal(f"path of more than {depth} names", entry.path)
        if kind == stat.S_IFLNK:
            shown = f"{entry.path} -> {entry.target}"
            goal = _path_inside(entry.target, "link that leaves its folder", shown)
            links[place] = self.root / base / goal
        elif kind == stat.S_IFDIR:
            place.mkdir(parents=True, exist_ok=True)
        elif kind == stat.S_IFREG:
            self._write(place, entry)
        else:
            raise _refusal("device, a pipe or a socket", entry.path)

    def _part(self, place: Path) -> Path:
        """Return the part of a download to which a path belongs. A submission is one part."""
        names = place.relative_to(self.root).parts
        return Path() if self.notes is None else Path(*names[: self.outer + 1])

    def _count(self, part: Path) -> bool:
        """Count an entry, and return whether it is written. Raises ``Exceeded``."""
        if self.notes is not None and self._is_full(part):
            return False
        self.entries[part] += 1
        if self.notes is None and self._is_full(part):
            raise Exceeded(f"holds more than {self.limits.entries} files and folders: {FEWER}")
        return True

    def _is_full(self, part: Path) -> bool:
        """Return whether a part has more entries or bytes than a submission may have."""
        whole = self.limits.megabytes << 20
        return self.entries[part] > self.limits.entries or self.sizes[part] > whole

    def _write(self, place: Path, entry: Packed) -> None:
        """Write a file."""
        part = self._part(place)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            file = place.open("xb")
        except OSError as error:
            if is_fault_of_this_machine(error):
                raise
            raise _refusal(f"file that cannot be written ({error.strerror})", entry.path) from None
        with file, entry.open() or BytesIO() as content:
            for chunk in chunks_of(content):
                self.size += len(chunk)
                self.sizes[part] += len(chunk)
                if self.size > self.most:
                    whole, ratio = self.limits.megabytes, self.limits.ratio
                    raise Exceeded(
                        f"unpacks to more than {whole} MB, or {ratio} times what was handed in: "
                        f"{FEWER}"
                        if self.notes is None
                        else f"needs more than {self.room >> 20} MB, half of the free disk"
                    )
                file.write(chunk)
                if self.notes is not None and self._is_full(part):
                    break
        if entry.mode & 0o100:
            place.chmod(place.stat().st_mode | 0o111)


def _path_inside(text: str, fault: str, shown: str) -> Path:
    """Return a path from the root of an archive. Raises ``Refused`` if it leads outside."""
    path = normpath(text.encode(errors="replace").decode().replace("\\", "/"))
    if OUTSIDE.match(path):
        raise _refusal(fault, shown)
    return Path(path)


def _refusal(thing: str, path: str) -> Refused:
    return Refused(f"a {thing}: {shortened(path)}")


def chunks_of(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the content of a file in pieces."""
    return iter(lambda: file.read(CHUNK_BYTES), b"")


def entry_on_disk(source: Path, path: str) -> Packed:
    """Return the entry of a file, folder or link on the disk."""
    target = join(dirname(path), source.readlink()) if source.is_symlink() else ""
    return Packed(path, source.lstat().st_mode, lambda: open_file(source), target)
