"""Hand-ins that have not been taken in yet. Each is a folder, ``inbox/TIME-ALIAS``.

The server writes here, and nothing else of a class. A hand-in is written under a hidden name, with
``fsync``, and then gets its name. Only then is it acknowledged. So what is here is complete, and a
kill or a full disk loses nothing that was acknowledged.
"""

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import BaseModel, ValidationError

from c4_referee.classroom.open.state import State
from c4_referee.classroom.submissions.tree import is_fault_of_this_machine
from c4_referee.system.safe_files import read_regular

INBOX = "inbox"
HAND_IN_FILE = "hand-in.json"


class HandIn(BaseModel):
    """A hand-in for one bot.

    ``names`` are those of the files, as the student calls them. The files themselves are ``0``,
    ``1`` and so on. Without files, version ``again`` is to play again. ``state`` is what the
    instructor has decided.
    """

    alias: str
    time: str
    names: tuple[str, ...] = ()
    again: int = 0
    state: State | None = None


def stamp() -> str:
    """Return the time in nanoseconds, with which names in the inbox begin."""
    return f"{time.time_ns():020d}"


def put(folder: Path, hand_in: HandIn, files: Sequence[bytes] = ()) -> None:
    """Store what was handed in to the class in a folder. It is on the disk when this returns.

    Raises ``OSError`` if this is not possible. Then nothing is stored.
    """
    inbox = folder / INBOX
    name = f"{stamp()}-{hand_in.alias}"
    unfinished = inbox / f".{name}"
    try:
        unfinished.mkdir()
        for number, data in enumerate([*files, hand_in.model_dump_json().encode()]):
            path = unfinished / (str(number) if number < len(files) else HAND_IN_FILE)
            with path.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        _sync(unfinished)
        unfinished.rename(inbox / name)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    _sync(inbox)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def prepare(folder: Path) -> None:
    """Make the inbox, and remove what was not acknowledged, before a server runs."""
    inbox = folder / INBOX
    inbox.mkdir(exist_ok=True)
    for path in inbox.glob(".[0-9]*"):
        shutil.rmtree(path, ignore_errors=True)


def waiting(folder: Path) -> list[tuple[Path, str]]:
    """Return what waits, with the aliases of the bots, in the order in which it came."""
    with suppress(FileNotFoundError):
        names = sorted(os.listdir(folder / INBOX))  # noqa: PTH208 - this runs twice per second
        return [
            (folder / INBOX / name, name.partition("-")[2])
            for name in names
            if not name.startswith(".")
        ]
    return []


def read_hand_in(path: Path) -> HandIn:
    """Return what was handed in. Raises ``OSError`` or ``ValidationError`` if it cannot be read."""
    return HandIn.model_validate_json(read_regular(path / HAND_IN_FILE))


def read(paths: Sequence[Path]) -> Iterator[tuple[Path, HandIn]]:
    """Generate what was handed in. What cannot be read gets a hidden name, for the instructor."""
    for path in paths:
        try:
            hand_in = read_hand_in(path)
        except (OSError, ValidationError) as error:
            if is_fault_of_this_machine(error):
                raise
            path.rename(path.with_name(f".unread-{path.name}"))
            continue
        yield path, hand_in
