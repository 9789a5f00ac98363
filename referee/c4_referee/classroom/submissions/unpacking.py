"""Archives of strangers, unpacked within limits, and submissions made from their parts.

Archives are read as streams, by Python's own modules for zip and tar. ``tree.py`` checks each entry
and counts the bytes that are really written, because sizes in an archive can be wrong. Everything
is written into a folder beside the target, which gets its name at the end. So a target is complete
or not there at all.
"""

import gzip
import lzma
import re
import shutil
import stat
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path, PurePosixPath
from posixpath import commonprefix, dirname, join
from typing import IO, Any, cast

from c4_referee.bots.languages import BY_ENDING
from c4_referee.classroom.submissions.handed import Part, is_hidden
from c4_referee.classroom.submissions.time_limit import Exceeded, limited_time
from c4_referee.classroom.submissions.tree import (
    LEFT_OUT,
    Bounds,
    Packed,
    Refused,
    Tree,
    chunks_of,
    entry_on_disk,
)
from c4_referee.system.safe_files import open_file, read_start

SUBMISSION_LIMITS = Bounds()
BESIDE_BUILD = {"CMakeLists.txt", "build.gradle", "build.gradle.kts", "setup.py", "pyproject.toml"}
"""Files of build tools that write into a folder "build" beside them."""
LARGE = {"node_modules", "build"}
"""Folders that are left out if a submission with them is too large."""
MAX_OUTER_FOLDERS = 3
"""Maximum number of folders around a download: its own one, and others if it was packed again."""
ENDINGS = (".zip", ".tar", ".tgz", ".txz", ".tar.gz", ".tar.xz", ".tar.bz2", ".rar", ".7z")
"""Endings of archives. Those of other kinds than zip and tar are refused, so authors are told."""
UNPACKED_LEVELS = 2
"""Number of archives in each other that are unpacked. Deeper ones stay files."""
DIRECTORY_SIGNATURE = b"PK\x01\x02"
"""Beginning of each entry in the directory of a zip archive. Python reads the whole directory into
memory, so they are counted before."""
TAR_HEADERS = frozenset({b"x", b"g", b"X", b"L", b"K"})
"""Types of members of a tar archive that are headers, which Python reads into memory."""
MAX_HEADER_BYTES = 16 << 10
"""Maximum size of such a header in bytes. Python may search it in quadratic time."""
ENCRYPTED_FLAG, UTF8_FLAG = 0x1, 0x800
COMMON_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Methods of compression of which Python decompresses a limited number of bytes at a time."""
MAX_LINK_BYTES = 4096


def is_archive(path: Path) -> bool:
    """Return whether a file is an archive, by its ending."""
    is_named = path.name.lower().endswith(ENDINGS) and not path.name.startswith(".")
    return is_named and path.is_file() and not path.is_symlink()


def stem_of(name: str) -> str:
    """Return the name of an archive or of another file without its ending."""
    return re.sub(r"(\.tar)?\.\w+$", "", name, flags=re.IGNORECASE)


def unpack(
    archive: Path, target: Path, limits: Bounds = SUBMISSION_LIMITS, notes: list[str] | None = None
) -> None:
    """Unpack an archive into the new folder ``target``.

    Raises ``Refused`` if the archive is broken, or if anything in it is too large or leaves the
    folder. Then there is no ``target``.

    With ``notes``, the archive is the download of a platform, in which the limits hold for each
    submission (``Tree``). The download itself has no limit but half of the free disk, because each
    submission is copied once more. A platform has packed it, and its students decide only what is
    in their own parts.
    """
    with _new_folder(target) as folder:
        tree = Tree(folder, limits, notes, archive.stat().st_size)
        if notes is not None:
            tree.outer, tree.room = _outer_folders(archive), shutil.disk_usage(folder).free // 2
        tree.fill(archive.name, _entries_of(archive, tree))


def _outer_folders(archive: Path) -> int:
    """Return the number of folders that are around everything in a download."""
    paths = []
    with suppress(Exception):  # it is damaged, which is said when it is unpacked
        for entry in _entries_of(archive, Tree(archive, SUBMISSION_LIMITS, [], room=sys.maxsize)):
            names = PurePosixPath(entry.path.replace("\\", "/")).parts
            if not stat.S_ISDIR(entry.mode) and not any(map(is_hidden, names)):
                paths.append(names[: MAX_OUTER_FOLDERS + 1])
    shortest = min((len(names) - 1 for names in paths), default=0)
    return min(shortest, len(commonprefix(paths)), MAX_OUTER_FOLDERS)


def gather(parts: Sequence[Part], target: Path, limits: Bounds = SUBMISSION_LIMITS) -> None:
    """Make the new folder ``target`` of a submission from its parts.

    Folders and files are copied. An archive among them is also unpacked into a folder beside it,
    with its name without the ending, unless this name is taken. The same happens to archives in
    these archives; deeper ones stay files. What tools have made is left out, and ``LARGE``
    folders only if the submission is refused with them. Raises ``Refused``, also if this takes too
    long. Then there is no ``target``. The calling thread is the main thread.
    """
    try:
        with _new_folder(target) as folder, limited_time():
            try:
                _gather_into(Tree(folder, limits, left_out=LEFT_OUT - LARGE), parts)
            except Refused:
                if not any(path.name in LARGE for path in folder.rglob("*")):
                    raise
                shutil.rmtree(folder)
                folder.mkdir()
                _gather_into(Tree(folder, limits, left_out=LEFT_OUT | LARGE), parts)
            for path in sorted(folder.rglob("*")):
                if path.name in BESIDE_BUILD:
                    shutil.rmtree(path.with_name("build"), ignore_errors=True)
                elif path.name == "pyvenv.cfg" and path.is_file() and path.parent != folder:
                    beside = {other.suffix.lower() for other in path.parent.iterdir()}
                    if beside.isdisjoint(BY_ENDING):
                        shutil.rmtree(path.parent, ignore_errors=True)
    except Exceeded as exceeded:
        raise Refused(f"it {exceeded}") from None


def _gather_into(tree: Tree, parts: Sequence[Part]) -> None:
    """Copy the parts of a submission into a tree, and unpack the archives among them."""
    for part in parts:
        _copy(tree, part)
    tree.handed, unpacked = tree.size, set[Path]()
    for _ in range(UNPACKED_LEVELS):
        for path in sorted(filter(is_archive, tree.root.rglob("*"))):
            place = path.with_name(stem_of(path.name))
            if path not in unpacked and not place.exists():
                unpacked.add(path)
                tree.fill(path.name, _entries_of(path, tree), place.relative_to(tree.root))


@contextmanager
def _new_folder(target: Path) -> Iterator[Path]:
    """Yield a folder that becomes ``target`` if no exception is raised, and is removed otherwise.

    What an earlier process has left there, because it was killed, is removed first.
    """
    folder = target.with_name(f".{target.name}.unfinished")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        yield folder
        folder.rename(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _copy(tree: Tree, part: Part) -> None:
    """Copy a file or a folder into a tree. Links in a folder must not leave it."""
    source, name = part.source, part.name or part.source.name
    if source.is_dir() and not source.is_symlink():
        tree.fill(name, _entries_in(source, tree.left_out), Path(part.name))
    else:
        tree.fill(name, [entry_on_disk(source, name)])


def _entries_in(folder: Path, left_out: frozenset[str], prefix: str = "") -> Iterator[Packed]:
    """Generate the entries of a folder on the disk, and of the folders in it."""
    for path in sorted(folder.iterdir()):
        yield entry_on_disk(path, f"{prefix}{path.name}")
        if path.is_dir() and not path.is_symlink() and path.name not in left_out:
            yield from _entries_in(path, left_out, f"{prefix}{path.name}/")


def _entries_of(archive: Path, tree: Tree) -> Iterator[Packed]:
    """Generate the entries of an archive for a tree, which counts them."""
    with open_file(archive) as file:
        is_zip = zipfile.is_zipfile(file)
    yield from (_zip_entries if is_zip else _tar_entries)(archive, tree)


def _zip_entries(archive: Path, tree: Tree) -> Iterator[Packed]:
    """Generate the entries of a zip archive for a tree, which counts all of them before."""
    with open_file(archive) as file:
        tree.count_listed(sum(chunk.count(DIRECTORY_SIGNATURE) for chunk in chunks_of(file)))
    with open_file(archive) as file, zipfile.ZipFile(file) as packed:
        for info in packed.infolist():
            if info.flag_bits & ENCRYPTED_FLAG or info.compress_type not in COMMON_METHODS:
                raise Exceeded("has a password or a rare compression: pack it as a common zip")
            yield _zip_entry(packed, info)


def _zip_entry(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> Packed:
    path, mode, target = info.orig_filename, info.external_attr >> 16, ""
    if not info.flag_bits & UTF8_FLAG:  # then Python assumes the code page 437
        with suppress(UnicodeDecodeError):
            path = path.encode("cp437").decode()
    if path.endswith(("/", "\\")):
        mode = stat.S_IFDIR
    elif not stat.S_IFMT(mode):  # a system that knows no such modes has packed it
        mode |= stat.S_IFREG
    elif stat.S_ISLNK(mode):
        with packed.open(info) as file:
            target = join(dirname(path), file.read(MAX_LINK_BYTES).decode(errors="replace"))
    return Packed(path, mode, lambda: packed.open(info), target)


def _tar_entries(archive: Path, tree: Tree) -> Iterator[Packed]:
    """Generate the entries of a tar archive for a tree, which counts what is decompressed."""
    if not hasattr(tarfile, "data_filter"):
        raise Exceeded("is a tar archive, which needs Python 3.11.4: pack it as zip")
    kinds: Any = {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open}
    opened = kinds.get(read_start(archive, 2), nullcontext)
    with open_file(archive) as file, opened(file) as content:
        stream: Any = _CountedStream(content, tree)
        with tarfile.open(
            fileobj=stream, mode="r|", encoding="utf-8", tarinfo=_ShortHeader
        ) as packed:
            while member := packed.next():
                tree.count_listed()
                yield _tar_entry(packed, member)
                cast(Any, packed).members.clear()  # otherwise, it keeps all of them


def _tar_entry(packed: tarfile.TarFile, member: tarfile.TarInfo) -> Packed:
    is_link, is_folder = member.issym() or member.islnk(), member.isdir()
    kind = stat.S_IFREG if member.isreg() else stat.S_IFIFO
    kind = stat.S_IFLNK if is_link else stat.S_IFDIR if is_folder else kind
    target = join(dirname(member.name) if member.issym() else "", member.linkname)
    mode = kind | member.mode & 0o777
    return Packed(
        member.name, mode, lambda: packed.extractfile(tarfile.data_filter(member, ".")), target
    )


class _ShortHeader(tarfile.TarInfo):
    """A member of a tar archive. The headers before it must be short."""

    def _proc_member(self, packed: tarfile.TarFile) -> tarfile.TarInfo:
        """Read a member. ``tarfile`` calls this after the first 512 bytes of each."""
        is_long = self.type in TAR_HEADERS and self.size > MAX_HEADER_BYTES
        if is_long or self.type == tarfile.GNUTYPE_SPARSE:
            raise Exceeded("has long headers or sparse files: pack it as zip")
        read: Any = cast(Any, super())._proc_member  # noqa: SLF001 - it is there for subclasses
        return cast(tarfile.TarInfo, read(packed))


class _CountedStream:
    """A decompressed archive. A tree counts the bytes that are read of it."""

    def __init__(self, stream: IO[bytes], tree: Tree) -> None:
        self._stream, self._tree = stream, tree

    def read(self, size: int) -> bytes:
        """Return the next bytes. Raises ``Exceeded`` if there were too many."""
        data = self._stream.read(size)
        self._tree.count_read(len(data))
        return data
