"""A bot's folder: told from others by its fingerprint, packed to travel, unpacked elsewhere.

It holds files, folders, and links to what is in it. What Python and git leave there is no part of
it: a bot that has played once would be another one. Times and owners do not count, and of the
permissions only whether a file may be run.
"""

import gzip
import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path

from c4_protocol.errors import ArenaError, UsageError

IGNORED = frozenset({"__pycache__", ".git"})
MOST_MB = 100
"""Megabytes that a folder may hold if it is to travel: it is sent to every worker."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A packed folder: a gzipped tar archive of what has that fingerprint."""

    fingerprint: str
    archive: bytes


def fingerprint(folder: Path) -> str:
    """SHA-256 of what a folder holds, in hexadecimal, wherever it lies.

    Raises ``UsageError`` for what is neither file, folder nor link, ``OSError`` for what cannot be
    read.
    """
    digest = sha256()
    for member in _members(folder):
        digest.update(repr((member.name, member.type, member.mode, member.linkname)).encode())
        if member.isreg():
            with (folder / member.name).open("rb") as content:
                digest.update(file_digest(content, "sha256").digest())
    return digest.hexdigest()


def pack(folder: Path) -> Parcel:
    """A folder to send; of the same content always the same bytes.

    Raises what ``fingerprint`` does, and ``UsageError`` for a folder that holds too much, or links
    to what stays behind.
    """
    members = list(_members(folder))
    _check_size(folder, members)
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as compressed,
        tarfile.open(fileobj=compressed, mode="w") as archive,
    ):
        for member in members:
            _check_link(folder, member)
            _add(archive, member, folder / member.name)
    return Parcel(fingerprint(folder), packed.getvalue())


def unpack(parcel: Parcel, shelf: Path) -> Path:
    """The folder anew, in a folder ``shelf``, where it is called by its fingerprint.

    Raises ``ArenaError`` if it is not what was packed, ``OSError`` if there is no room for it.
    """
    folder = shelf / parcel.fingerprint
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(parcel.archive)) as archive:
        # No member may leave the folder; the filter came with a security release of Python 3.11.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    if fingerprint(folder) != parcel.fingerprint:
        raise ArenaError(f"a bot's folder did not arrive whole in {shelf}: is the disk full?")
    return folder


def _members(folder: Path) -> Iterator[tarfile.TarInfo]:
    """What a folder holds, by its path there, in an order that depends on names alone."""
    for entry in _entries(folder):
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


def _entries(folder: str | Path) -> Iterator["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if entry.name not in IGNORED:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path)


def _check_size(folder: Path, members: list[tarfile.TarInfo]) -> None:
    megabytes = sum(member.size for member in members) / 1e6
    if megabytes > MOST_MB:
        raise UsageError(
            f"{folder} holds {megabytes:.0f} MB: at most {MOST_MB} travel to a cluster; "
            "put the rest on the workers' machines"
        )


def _check_link(folder: Path, member: tarfile.TarInfo) -> None:
    """A link has to lead to the same place on another machine."""
    if not member.issym():
        return
    home, target = folder.resolve(), (folder / member.name).resolve()
    if Path(member.linkname).is_absolute() or not target.is_relative_to(home):
        raise UsageError(
            f"{folder / member.name} is a link that leaves the folder ({member.linkname}): "
            "only what is in the folder travels to a cluster"
        )


def _add(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    if member.isreg():
        with path.open("rb") as content:
            archive.addfile(member, content)
    else:
        archive.addfile(member)
