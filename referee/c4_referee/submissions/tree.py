"""A folder that is written from entries of strangers, within limits.

An entry is a file, a folder or a link of an archive or of another folder. ``Writer`` checks each
entry before it is written. Only folders and regular files are written: a link to a file becomes a
copy of this file, and other links are left out. So nothing that reads the folder later can be led
out of it, and no entry is written through a link.
"""

import re
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import IO, Literal

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.text import shortened

Parts = tuple[str, ...]
"""A relative path, as the names of its folders and of its last entry."""
Kind = Literal["file", "folder", "link", "special"]

LEFT_OUT = frozenset(
    {"__MACOSX", ".DS_Store", ".git", "node_modules", ".venv", "venv", "__pycache__", "target"}
)
"""Names of files and folders that are left out at any depth."""
DRIVE = re.compile(r"[A-Za-z]:")
RATIO_FROM_BYTES = 16 << 20
"""Number of unpacked bytes up to which any ratio is accepted. Small files can be very regular."""
CHUNK_BYTES = 64 << 10


class Refused(ArenaError):
    """An archive or a folder that is not taken. The text is for the author and the instructor."""


class Exceeded(Refused):
    """An archive that exceeds a limit on the sum of its entries."""


@dataclass(frozen=True)
class Limits:
    """Maximum sizes of what one download or submission unpacks to. More than that is refused.

    ``entries`` counts files and folders, and ``depth`` the names in a path. ``ratio`` is the number
    of unpacked bytes for each byte of the archive. ``name_bytes`` is the length of a name in UTF-8.
    """

    entries: int = 2_000
    depth: int = 12
    megabytes: int = 100
    ratio: int = 200
    name_bytes: int = 200

    def check(self, name: str, size: int, packed: int | None = None) -> None:
        """Raise ``Exceeded`` if an archive of ``packed`` bytes may not unpack to ``size`` bytes."""
        if size > self.megabytes << 20:
            raise Exceeded(f"{name} unpacks to more than {self.megabytes} MB")
        if packed is not None and size > max(RATIO_FROM_BYTES, self.ratio * packed):
            raise Exceeded(f"{name} unpacks to more than {self.ratio} times its size")


@dataclass(frozen=True)
class Entry:
    """A file, a folder, a link or something else (``special``) in an archive or a folder.

    ``open`` opens a file to read it; it is called only if the file is written. ``target`` is where
    a link leads, from the root of its archive.
    """

    path: str
    kind: Kind
    open: Callable[[], IO[bytes] | None]
    target: str = ""
    executable: bool = False


@dataclass
class Tree:
    """A new folder and what has been written there: ``kinds`` by path, and the sum of all bytes."""

    root: Path
    limits: Limits
    kinds: dict[Parts, Kind] = field(default_factory=dict)
    size: int = 0

    def files(self) -> list[Parts]:
        """Return the paths of all files."""
        return [path for path, kind in self.kinds.items() if kind == "file"]


@dataclass
class Writer:
    """Writes the entries of one archive or folder, called ``name``, into a tree.

    They are written into the folder ``base`` of the tree. If their paths begin with ``outer``, it
    is removed, because ``base`` already has this name. ``packed`` is the archive's size in bytes.
    With ``notes``, an entry that is refused is left out, and a line about it is added there.
    """

    tree: Tree
    name: str
    base: Parts = ()
    outer: str = ""
    packed: int | None = None
    notes: list[str] | None = None
    size: int = 0

    def fill(self, entries: Iterable[Entry]) -> None:
        """Write entries, and then the files to which links lead. Raises ``Refused``."""
        links = []
        for entry in entries:
            try:
                links += self._add(entry)
            except Exceeded:
                raise
            except Refused as refused:
                if self.notes is None:
                    raise
                self.notes.append(f"{refused} (left out)")
        for path, goal in links:
            if self.tree.kinds.get(goal) == "file":
                self._write(path, entry_on_disk(self.tree.root.joinpath(*goal), "/".join(path)))

    def _add(self, entry: Entry) -> list[tuple[Parts, Parts]]:
        """Write an entry. If it is a link, return its path and where it leads."""
        path = self._place(entry.path, "path outside of its folder", entry.path)
        if not LEFT_OUT.isdisjoint(path) or path == self.base:
            return []
        limits = self.tree.limits
        if len(path) > limits.depth:
            raise self._refusal(f"path of more than {limits.depth} names", entry.path)
        if any(len(name.encode()) > limits.name_bytes for name in path):
            raise self._refusal(f"name of more than {limits.name_bytes} bytes", entry.path)
        if entry.kind == "special":
            raise self._refusal("device, a pipe or a socket", entry.path)
        if entry.kind == "link":
            shown = f"{entry.path} -> {entry.target}"
            return [(path, self._place(entry.target, "link that leaves its folder", shown))]
        if entry.kind == "folder":
            self._make_folder(path)
        else:
            self._write(path, entry)
        return []

    def _place(self, text: str, fault: str, shown: str) -> Parts:
        """Return the place of a path in the tree. Raises ``Refused`` if it leaves ``base``."""
        path = normpath(decoded(text.encode("utf-8", "surrogateescape")).replace("\\", "/"))
        names = tuple(path.split("/")) if path != "." else ()
        if path.startswith("/") or ".." in names or DRIVE.match(path) or "\0" in path:
            raise self._refusal(fault, shown)
        return self.base + (names[1:] if names[:1] == (self.outer,) else names)

    def _refusal(self, thing: str, path: str) -> Refused:
        return Refused(f"{self.name} holds a {thing}: {shortened(path)}")

    def _make_folder(self, path: Parts) -> None:
        """Make a folder and the folders around it, unless they are there."""
        for end in range(1, len(path) + 1):
            if self._is_new(path[:end], "folder"):
                self.tree.root.joinpath(*path[:end]).mkdir()

    def _write(self, path: Parts, entry: Entry) -> None:
        self._make_folder(path[:-1])
        if not self._is_new(path, "file"):
            raise self._refusal("file twice", entry.path)
        place = self.tree.root.joinpath(*path)
        with place.open("xb") as file, entry.open() or BytesIO() as content:
            while chunk := content.read(CHUNK_BYTES):
                self.size += len(chunk)
                self.tree.size += len(chunk)
                self.tree.limits.check(self.name, self.size, self.packed)
                self.tree.limits.check(self.name, self.tree.size)
                file.write(chunk)
        if entry.executable:
            place.chmod(place.stat().st_mode | 0o111)

    def _is_new(self, path: Parts, kind: Kind) -> bool:
        """Note an entry of the tree. Return false if it is there already."""
        if self.tree.kinds.get(path, kind) != kind:
            raise self._refusal("file where a folder is", "/".join(path))
        if path in self.tree.kinds:
            return False
        if len(self.tree.kinds) >= self.tree.limits.entries:
            limit = self.tree.limits.entries
            raise Exceeded(f"{self.name} holds more than {limit} files and folders")
        self.tree.kinds[path] = kind
        return True


def entry_on_disk(source: Path, path: str) -> Entry:
    """Return the entry of a file, folder or link on the disk."""
    mode = source.lstat().st_mode
    target = join(dirname(path), source.readlink()) if stat.S_ISLNK(mode) else ""
    return Entry(path, kind_of(mode), lambda: source.open("rb"), target, bool(mode & 0o100))


def kind_of(mode: int) -> Kind:
    """Return the kind of an entry with this mode. Without a type, it is a file."""
    kinds: dict[int, Kind] = {
        0: "file",
        stat.S_IFREG: "file",
        stat.S_IFDIR: "folder",
        stat.S_IFLNK: "link",
    }
    return kinds.get(stat.S_IFMT(mode), "special")


def decoded(name: bytes) -> str:
    """Return a name of unknown encoding: UTF-8, or an old code page of Western Europe.

    Letters of the code page of MS-DOS (437) are bytes below 0xA8, and those of Windows (1252) are
    bytes from 0xC0.
    """
    try:
        return name.decode()
    except UnicodeDecodeError:
        is_dos = any(0x80 <= byte < 0xA8 for byte in name)
        return name.decode("cp437" if is_dos else "cp1252", errors="replace")
