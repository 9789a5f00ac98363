"""Opening, reading and replacing of stored files.

Bots are programs of other people. A program that may write to a folder can put a link, a pipe or a
device where a command stores its games. A link would lead the command to a file of its user, and a
pipe would let it wait for ever. Therefore a file is used only if it is a regular file with one
name. Folders on the way to the file may be links, because the user names them.

Files of bots and of classes are only read, and may be links (``open_file``). They are regular
files, too. Nothing else is opened, because to open a device can change its state. A file is read up
to the size that it has when it is opened. So nothing is read of files without a size, such as those
of the kernel, which can be endless or let their reader wait.

A file with a second name (a hard link) is refused, too. It may be a file of the user. A copy that
was made with ``cp -l`` is no reason to allow it: these files grow in place, so both names would
show the new games, and SQLite can damage a database that is opened under two names.
"""

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import IO, BinaryIO

from c4_protocol.program.errors import UsageError

MAX_READ_BYTES = 1 << 30
"""Maximum size of a file that is read into memory as a whole, in bytes."""
MAX_WRITTEN_BYTES = 16 << 20
"""Maximum size of a file that people write, such as a table or a notebook, in bytes."""
MAX_STORED_BYTES = 1 << 36
"""Maximum size of a stored file that is read, in bytes (64 GiB). Programs can make larger files
that take no room on the disk, but time to read. The games of a contest take 1 to 10 kB each."""


def open_regular(path: Path, flags: int) -> int:
    """Open a regular file with one name, and return its descriptor. This never waits.

    ``flags`` are those of ``os.open``. Raises ``UsageError`` if there is something that is not such
    a file, and ``OSError`` if the file cannot be opened.
    """
    check_regular(path)
    descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, 0o666)
    try:
        _check_is_regular(path, os.fstat(descriptor))  # another file may be there by now
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def open_file(path: str | Path, *, may_be_stream: bool = False) -> BinaryIO:
    """Open a regular file, or one to which links lead, for reading. This never waits.

    With ``may_be_stream``, a pipe and a device are read as they are, because the user names them.
    Raises ``OSError`` if the file cannot be opened or is not a regular file.
    """
    if may_be_stream and is_stream(Path(path)):
        return Path(path).open("rb")
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY
    # With O_PATH, a descriptor only stands for a file. macOS lacks it, and has no /proc.
    descriptor = os.open(path, getattr(os, "O_PATH", flags))
    try:
        mode = os.fstat(descriptor).st_mode
        if not S_ISREG(mode):
            code = errno.EISDIR if S_ISDIR(mode) else errno.EINVAL
            reason = "Is a directory" if S_ISDIR(mode) else "it is not a regular file"
            raise OSError(code, reason, str(path))
        try:
            opened = os.open(f"/proc/self/fd/{descriptor}", flags)
        except FileNotFoundError:
            opened = os.open(path, flags)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        os.close(descriptor)
    return os.fdopen(opened, "rb")


def read_start(path: str | Path, max_bytes: int) -> bytes:
    """Return the first ``max_bytes`` of a file that ``open_file`` opens."""
    with open_file(path) as file:
        return file.read(min(os.fstat(file.fileno()).st_size, max_bytes))


def read_file(
    path: str | Path, max_bytes: int = MAX_READ_BYTES, *, may_be_stream: bool = False
) -> bytes:
    """Return the content of a file that ``open_file`` opens.

    Raises ``OSError`` if it cannot be read or is larger than ``max_bytes``.
    """
    with open_file(path, may_be_stream=may_be_stream) as file:
        status = os.fstat(file.fileno())
        size = status.st_size if S_ISREG(status.st_mode) else max_bytes + 1
        content = file.read(min(size, max_bytes + 1))
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {max_bytes >> 10} KiB", str(path))
    return content


def read_regular(path: Path) -> bytes:
    """Return the content of a regular file with one name. This never waits.

    Raises ``UsageError`` if there is something that is not such a file, or if it is larger than
    ``MAX_READ_BYTES``, and ``OSError`` if the file cannot be read.
    """
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as file:
        content = file.read(MAX_READ_BYTES + 1)
    if len(content) > MAX_READ_BYTES:
        raise UsageError(f"cannot read {path}: it is larger than {MAX_READ_BYTES >> 20} MiB")
    return content


def replace_file(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Replace the contents of a file with ``data``, completely or not at all.

    ``data`` may be given in parts. If this fails or the program is killed, the earlier file stays
    as it was. If ``path`` is a link, it is replaced. Raises ``OSError``, which names ``path``.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        # Mode "x" does not follow a link that somebody puts there at this moment.
        with unfinished.open("xb") as file:
            file.writelines([data] if isinstance(data, bytes) else data)
        unfinished.replace(path)
    except BaseException as error:
        with suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError):  # it names no file if the disk is full
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def is_stream(path: Path) -> bool:
    """Return whether this path is a pipe, or in /dev, such as /dev/stderr or /dev/fd/63."""
    return path.is_fifo() or Path("/dev") in path.absolute().parents


def open_stream(path: Path) -> IO[bytes]:
    """Open a pipe or a device for writing. This never waits.

    Raises ``UsageError`` if it cannot be opened, for example because no program reads the pipe.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_APPEND)
    except OSError as error:
        is_unread = error.errno == errno.ENXIO
        reason = "no program reads this pipe" if is_unread else error.strerror
        raise UsageError(f"cannot write {path}: {reason}") from None
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "wb", buffering=0)


def check_regular(path: Path) -> None:
    """Raise ``UsageError`` if this path exists and is not a regular file with one name."""
    with suppress(FileNotFoundError):
        _check_is_regular(path, path.lstat())


def check_readable(path: Path) -> None:
    """Raise ``UsageError`` as ``check_regular``, or if the file is above ``MAX_STORED_BYTES``."""
    check_regular(path)
    with suppress(FileNotFoundError):
        if path.lstat().st_size > MAX_STORED_BYTES:
            limit = MAX_STORED_BYTES >> 30
            raise UsageError(f"cannot use {path}: it is larger than {limit} GiB: put back a copy")


def _check_is_regular(path: Path, status: os.stat_result) -> None:
    if S_ISLNK(status.st_mode):
        raise UsageError(f"cannot use {path}: it is a link: move it away")
    if not S_ISREG(status.st_mode):
        raise UsageError(f"cannot use {path}: it is not a regular file: move it away")
    if status.st_nlink > 1:
        raise UsageError(
            f"cannot use {path}: this file has another name, too (a hard link): "
            "put a copy in its place"
        )
