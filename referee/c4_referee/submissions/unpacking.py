"""Archives of strangers, unpacked within limits, and submissions made from their parts.

Archives are read as streams, by Python's own modules for zip and tar. ``tree.py`` checks each entry
and counts the bytes that are really written, because sizes in an archive can be wrong. Everything
is written into a folder beside the target, which gets its name at the end. So a target is complete
or not there at all.
"""

import gzip
import lzma
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from posixpath import dirname, join
from typing import Any, BinaryIO, cast

from c4_referee.submissions import tree
from c4_referee.submissions.handed import Part
from c4_referee.submissions.tree import (
    Entry,
    Limits,
    Parts,
    Tree,
    Writer,
    decoded,
    entry_on_disk,
    kind_of,
)

Refused = tree.Refused
SUBMISSION_LIMITS = Limits()
DOWNLOAD_LIMITS = Limits(entries=20_000, depth=14, megabytes=4_096, name_bytes=250)
"""Limits for the download of a platform, which holds the submissions of a class."""
ENDINGS = (".zip", ".tar", ".tgz", ".txz", ".tar.gz", ".tar.xz", ".tar.bz2", ".rar", ".7z")
"""Endings of archives. Those of other kinds than zip and tar are refused, so authors are told."""
COMPRESSED_ENDINGS = (".gz", ".xz")
"""Endings of files that are archives if they hold a tar archive."""
SKIPPED_SHARE = 4
"""Maximum number of bytes in a tar archive for each byte that may be written. The others are left
out, but have to be decompressed, too."""
DIRECTORY_SIGNATURE, MAX_DIRECTORY_SHARE = b"PK\x01\x02", 50
"""Beginning of each entry in the directory of a zip archive, and how many entries may be there for
each one that may be written. Python reads the whole directory into memory."""
ENCRYPTED_FLAG, UTF8_FLAG = 0x1, 0x800
COMMON_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
"""Methods of compression of which Python decompresses a limited number of bytes at a time."""
MAX_LINK_BYTES = 4096


def is_archive(path: Path) -> bool:
    """Return whether a file is an archive, by its ending. For .gz and .xz, the content decides."""
    name = path.name.lower()
    if path.is_symlink() or not path.is_file():
        return False
    return name.endswith(ENDINGS) or (name.endswith(COMPRESSED_ENDINGS) and _is_tar(path))


def stem_of(name: str) -> str:
    """Return the name of an archive or of another file without its ending."""
    endings = [ending for ending in ENDINGS if name.lower().endswith(ending)]
    return name[: -max(map(len, endings))] if endings else Path(name).stem


def unpack(
    archive: Path,
    target: Path,
    limits: Limits = SUBMISSION_LIMITS,
    notes: list[str] | None = None,
) -> None:
    """Unpack an archive into the new folder ``target``.

    Raises ``Refused`` if the archive is broken, or if anything in it is too large or leaves the
    folder. Then there is no ``target``. With ``notes``, a single entry that is refused is left out,
    and a line about it is added there.
    """
    with _new_folder(target) as folder:
        _unpack_into(archive, Writer(Tree(folder, limits), archive.name, notes=notes))


def gather(parts: Sequence[Part], target: Path, limits: Limits = SUBMISSION_LIMITS) -> None:
    """Make the new folder ``target`` of a submission from its parts.

    If an archive is all that there is, its content is the submission. Otherwise, folders and files
    are copied, and an archive among them is also unpacked into a folder with its name without the
    ending. The same happens to archives in an unpacked archive; deeper ones stay files. Raises
    ``Refused``. Then there is no ``target``.
    """
    with _new_folder(target) as folder:
        made = Tree(folder, limits)
        archive = _only_archive(parts)
        if archive:
            _unpack_into(archive, Writer(made, parts[0].name or archive.name))
            unpacked = made.files()
        else:
            for part in parts:
                _copy(made, part)
            unpacked = _unpack_beside(made, [path for path in made.files() if len(path) == 1])
        _unpack_beside(made, unpacked)


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


def _unpack_into(archive: Path, writer: Writer) -> None:
    """Write the content of an archive."""
    writer.packed = archive.stat().st_size
    is_zip = zipfile.is_zipfile(archive)
    if not is_zip and not _is_tar(archive):
        raise Refused(f"{writer.name} is no zip or tar archive, or it is damaged: pack it as zip")
    try:
        writer.fill((_zip_entries if is_zip else _tar_entries)(archive, writer))
    except Refused:
        raise
    except Exception as error:  # modules for archives raise many kinds if an archive is damaged
        reason = (isinstance(error, OSError) and error.strerror) or "it is damaged"
        raise Refused(f"{writer.name} cannot be unpacked: {reason}") from error


def _decompressed(archive: Path) -> BinaryIO:
    """Open a file, and decompress what is read of it if it is compressed."""
    with archive.open("rb") as file:
        start = file.read(2)
    open_file = {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open}.get(start, open)
    return cast(Callable[[Path, str], BinaryIO], open_file)(archive, "rb")


def _is_tar(path: Path) -> bool:
    """Return whether a file is a tar archive, perhaps compressed. Its first header is read."""
    try:
        with _decompressed(path) as file:
            tarfile.TarInfo.frombuf(file.read(tarfile.BLOCKSIZE), "utf-8", "replace")
    except Exception:  # see _unpack_into
        return False
    return True


def _zip_entries(archive: Path, writer: Writer) -> Iterator[Entry]:
    """Generate the entries of a zip archive. Raises ``Refused`` if they cannot be read."""
    limit = writer.tree.limits.entries
    with archive.open("rb") as file:
        chunks = iter(lambda: file.read(tree.CHUNK_BYTES), b"")
        count = sum(chunk.count(DIRECTORY_SIGNATURE) for chunk in chunks)
    if count > MAX_DIRECTORY_SHARE * limit:
        raise Refused(f"{writer.name} holds more than {limit} files and folders")
    with zipfile.ZipFile(archive) as packed:
        for info in packed.infolist():
            if info.flag_bits & ENCRYPTED_FLAG:
                raise Refused(f"{writer.name} needs a password: pack it without one")
            if info.compress_type not in COMMON_METHODS:
                raise Refused(f"{writer.name} has a rare compression: pack it as a common zip")
            yield _zip_entry(packed, info)


def _zip_entry(packed: zipfile.ZipFile, info: zipfile.ZipInfo) -> Entry:
    path, mode = info.orig_filename, info.external_attr >> 16
    if not info.flag_bits & UTF8_FLAG:
        path = decoded(path.encode("cp437"))  # Python assumes this code page
    kind = "folder" if path.endswith(("/", "\\")) else kind_of(mode)
    target = ""
    if kind == "link":
        with packed.open(info) as file:
            target = join(dirname(path), decoded(file.read(MAX_LINK_BYTES)))
    return Entry(path, kind, lambda: packed.open(info), target, bool(mode & 0o100))


def _tar_entries(archive: Path, writer: Writer) -> Iterator[Entry]:
    """Generate the entries of a tar archive. Raises ``Refused`` if they cannot be read."""
    if not hasattr(tarfile, "data_filter"):
        raise Refused(f"{writer.name} is a tar archive, which needs Python 3.11.4: pack it as zip")
    with _decompressed(archive) as file:
        stream = cast(BinaryIO, _CountedStream(file, writer))
        with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8") as packed:
            while member := packed.next():
                yield _tar_entry(packed, member)
                cast(Any, packed).members.clear()  # otherwise, it keeps all of them


def _tar_entry(packed: tarfile.TarFile, member: tarfile.TarInfo) -> Entry:
    is_link = member.issym() or member.islnk()
    kind: tree.Kind = "link" if is_link else "folder" if member.isdir() else "file"
    return Entry(
        member.name,
        kind if is_link or member.isdir() or member.isreg() else "special",
        lambda: packed.extractfile(tarfile.data_filter(member, ".")),
        join(dirname(member.name) if member.issym() else "", member.linkname),
        executable=bool(member.mode & 0o100),
    )


class _CountedStream:
    """A decompressed archive of which only so much can be read as the limits allow."""

    def __init__(self, stream: BinaryIO, writer: Writer) -> None:
        self._stream, self._writer, self._size = stream, writer, 0

    def read(self, size: int) -> bytes:
        """Return the next bytes. Raises ``Refused`` if there were too many."""
        data = self._stream.read(size)
        self._size += len(data)
        limits, size = self._writer.tree.limits, self._size // SKIPPED_SHARE
        limits.check(self._writer.name, size, self._writer.packed)
        return data


def _only_archive(parts: Sequence[Part]) -> Path | None:
    """Return the archive that is all of a submission, perhaps in a folder, or ``None``."""
    files = [part.source for part in parts]
    if len(files) == 1 and files[0].is_dir() and not files[0].is_symlink():
        files = [path for path in files[0].iterdir() if path.name not in tree.LEFT_OUT]
    return files[0] if len(files) == 1 and is_archive(files[0]) else None


def _copy(made: Tree, part: Part) -> None:
    """Copy a file or a folder into a tree. Links in a folder must not leave it."""
    source, name = part.source, part.name or part.source.name
    base = tuple(part.name.split("/")) if part.name and source.is_dir() else ()
    try:
        if source.is_dir() and not source.is_symlink():
            Writer(made, name, base).fill(_entries_in(source))
        else:
            Writer(made, name).fill([entry_on_disk(source, name)])
    except OSError as error:
        raise Refused(f"{name} cannot be read: {error.strerror}") from error


def _entries_in(folder: Path, prefix: str = "") -> Iterator[Entry]:
    """Generate the entries of a folder on the disk, and of the folders in it."""
    for path in sorted(folder.iterdir()):
        if path.name not in tree.LEFT_OUT:
            entry = entry_on_disk(path, f"{prefix}{path.name}")
            yield entry
            if entry.kind == "folder":
                yield from _entries_in(path, f"{entry.path}/")


def _unpack_beside(made: Tree, files: Sequence[Parts]) -> list[Parts]:
    """Unpack the archives among files, each into a folder beside it. Return the new files.

    An archive stays a file if there is already something with the name of this folder.
    """
    known = set(made.files())
    for path in files:
        archive, stem = made.root.joinpath(*path), stem_of(path[-1])
        place = (*path[:-1], stem)
        if place not in made.kinds and is_archive(archive):
            _unpack_into(archive, Writer(made, path[-1], place, stem))
    return [path for path in made.files() if path not in known]
