"""Digest of a bot's folder, and functions that pack the folder and unpack it elsewhere.

A folder holds files, folders, and links to its own content. Python's cache is ignored, because it
appears when a bot plays, and the bot is still the same. The files of git are ignored, and so are
times and owners. The only permission that counts is whether a file may be executed.
"""

import gzip
import io
import os
import tarfile
from collections import deque
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path

from c4_protocol.program.errors import ArenaError, UsageError

from c4_referee.bots.bot_files import CHUNK_BYTES, entries_in
from c4_referee.system.safe_files import open_file

MAX_FOLDER_MB = 100
"""Maximum size of a folder that is packed, in megabytes. A larger folder is refused, because the
packed folder is sent to every worker of a cluster."""
MAX_HASHED_BYTES = 1 << 32
"""Maximum number of bytes of a folder or a file that a digest covers (4 GiB). Programs can make
larger files that take no room on the disk, but time to read."""


@dataclass(frozen=True, slots=True)
class PackedFolder:
    """Packed folder: a gzipped tar archive, and the digest of its content."""

    digest: str
    archive: bytes


def folder_digest(folder: Path, *, with_times: bool = False) -> str:
    """Return the SHA-256 of a folder's content, in hexadecimal.

    The folder's own path does not change the digest. With ``with_times``, everything that a program
    does to a file or a folder changes it, also to the folder itself and to what is ignored
    otherwise: the kernel notes the time (ctime), and no program can set it. Raises
    ``UsageError`` if the folder holds something other than files, folders and links, or more than
    ``MAX_HASHED_BYTES``, and ``OSError`` if something cannot be read.
    """
    digest, members = sha256(), list(_folder_members(folder))
    if sum(member.size for member in members) > MAX_HASHED_BYTES:
        limit = MAX_HASHED_BYTES >> 30
        raise UsageError(f"{folder} holds more than {limit} GiB: put large files elsewhere")
    if with_times:
        found = os.walk(folder)
        entries = [f"{path}/{name}" for path, *both in found for name in chain(*both)]
        states = [os.lstat(path) for path in (str(folder), *sorted(entries))]
        digest.update(repr([(each.st_mode, each.st_ctime_ns) for each in states]).encode())
    for member in members:
        digest.update(repr((member.name, member.type, member.mode, member.linkname)).encode())
        if member.isreg():
            digest.update(file_sha256(folder / member.name))
    return digest.hexdigest()


def file_sha256(path: Path) -> bytes:
    """Return the SHA-256 of a file's content, of at most ``MAX_HASHED_BYTES``. This never waits.

    Raises ``OSError`` if there is no regular file, or if it cannot be read.
    """
    digest = sha256()
    with open_file(path) as file:
        room = min(os.fstat(file.fileno()).st_size, MAX_HASHED_BYTES)
        while room > 0 and (chunk := file.read(min(room, CHUNK_BYTES))):
            digest.update(chunk)
            room -= len(chunk)
    return digest.digest()


def check_members(folder: Path) -> None:
    """Raise the errors of ``folder_digest`` that do not depend on the content of files."""
    deque(_folder_members(folder), maxlen=0)


def pack_folder(folder: Path) -> PackedFolder:
    """Return a folder as bytes that can be sent. Equal folders give equal bytes.

    Raises the errors of ``folder_digest``, and ``UsageError`` if the folder is larger than
    ``MAX_FOLDER_MB`` or has a link to something outside of the folder.
    """
    home, members = folder.resolve(), list(_folder_members(folder))
    megabytes = sum(member.size for member in members) / 1e6
    if megabytes > MAX_FOLDER_MB:
        raise UsageError(
            f"{folder} holds {megabytes:.0f} MB: at most {MAX_FOLDER_MB} travel to a cluster; "
            "put the rest on the workers' machines"
        )
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for member in members:
            target = (folder / member.name).resolve()
            is_inner = target.is_relative_to(home) and not Path(member.linkname).is_absolute()
            if member.issym() and not is_inner:
                raise UsageError(
                    f"{folder / member.name} is a link that leaves the folder ({member.linkname}): "
                    "only what is in the folder travels to a cluster"
                )
            opened = open_file(folder / member.name) if member.isreg() else nullcontext()
            with opened as content:
                archive.addfile(member, content)
    return PackedFolder(folder_digest(folder), packed.getvalue())


def unpack_folder(parcel: PackedFolder, shelf: Path) -> Path:
    """Unpack a folder into ``shelf`` with its digest as its name, and return its path.

    Raises ``ArenaError`` if the content differs from what was packed, and ``OSError`` if a file
    cannot be written.
    """
    folder = shelf / parcel.digest
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(parcel.archive)) as archive:
        # The filter prevents members outside of the folder. Older releases of Python 3.11 lack it.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    if folder_digest(folder) != parcel.digest:
        raise ArenaError(f"a bot's folder did not arrive whole in {shelf}: is the disk full?")
    return folder


def _folder_members(folder: Path) -> Iterator[tarfile.TarInfo]:
    """Yield the members of a folder with their relative paths, sorted by name on each level."""
    for entry in entries_in(folder):
        member = tarfile.TarInfo(os.path.relpath(entry.path, folder))
        if entry.is_symlink():
            member.type, member.mode = tarfile.SYMTYPE, 0o777
            member.linkname = str(Path(entry.path).readlink())
        elif entry.is_dir():
            member.type, member.mode = tarfile.DIRTYPE, 0o755
        elif entry.is_file():
            status = entry.stat()
            member.size, member.mode = status.st_size, 0o755 if status.st_mode & 0o100 else 0o644
        else:
            raise UsageError(f"{entry.path} is neither a file nor a folder nor a link: take it out")
        yield member
