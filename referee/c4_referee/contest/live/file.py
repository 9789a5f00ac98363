"""The file ``live.jsonl`` of a folder of ``--out``, with the moves of the games in progress.

It holds messages of a contest (``c4_protocol.records.events``), one a line: ``contest_started`` and
those of games in progress. Games that are too quick to follow are left out. When a game ends, its
line has no times and no texts of the bots, because the database has the record. When the file has
``MAX_BYTES``, it is replaced by one with the games in progress only.

No run needs the file, and it is removed at the end. If it cannot be written, the contest goes on
without it. The referee locks it, so that a reader knows whether a contest is in progress: the
kernel releases the lock when the process ends for any reason. A reader only looks at the lock.
"""

import fcntl
import os
import struct
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO, Any, Self

import orjson
from c4_protocol.program.errors import ArenaError, UsageError

from c4_referee.records.storage.eventlog import write_whole
from c4_referee.system.safe_files import open_regular, replace_file

LIVE_FILE = "live.jsonl"
MAX_BYTES = 1 << 18
"""Size of the file, in bytes, at which games that have ended are left out. It can become larger by
the messages of the games in progress."""
MAX_FOLLOWED_BYTES = 1 << 28
"""Maximum size of a file that is followed, in bytes. No referee writes so much of games in
progress."""
LEFT_OUT: dict[str, Any] = {"ms": [], "cpu_ms": [], "stderr": {}, "remarks": [], "notes": []}
"""Fields of ``GameEnded`` that are emptied."""
LOCK = ("hhqqi", 0) if sys.platform == "linux" else ("qqihh", 3)
"""Layout of ``struct flock`` for ``struct``, and the index of ``l_type`` in it."""


class LiveFile:
    """Context manager and event handler that writes ``live.jsonl`` in a folder.

    Events of quick games do not arrive here, except ``GameEnded``, and need no line.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LIVE_FILE
        self._start = b""
        self._games: dict[int, list[bytes]] = {}
        """Lines of the games in progress."""
        self._file: Any = None
        self._earlier: Any = None
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
            self._file.close()
        if self._earlier is not None:
            self._earlier.close()

    def __call__(self, line: bytes) -> None:
        """Write an event, if a reader of the file needs it."""
        try:
            self._take(orjson.loads(line), line + b"\n")
        except (OSError, ArenaError):
            self._size = MAX_BYTES  # it may end in a part of this line, so it is replaced

    def _take(self, event: dict[str, Any], line: bytes) -> None:
        number = event.get("game", 0)
        match event["event"]:
            case "contest_started":
                self._start = line
                self._replace()
            case "game_started":
                self._games[number] = [line]
                self._write(line)
            case "move" | "remark" if number in self._games:
                self._games[number].append(line)
                self._write(line)
            case "game_rolled_back" | "game_ended" if number in self._games:
                del self._games[number]
                short = event | {key: LEFT_OUT[key] for key in LEFT_OUT if key in event}
                self._write(orjson.dumps(short, option=orjson.OPT_APPEND_NEWLINE))

    def _write(self, line: bytes) -> None:
        if self._size + len(line) > MAX_BYTES:
            self._replace()
        elif self._file is not None:
            write_whole(self._file, line)
            self._size += len(line)

    def _replace(self) -> None:
        """Replace the file by one with the games in progress only.

        The new file is locked before it gets its name, and the earlier one stays locked for a
        while, so that a reader finds a lock at any time.
        """
        lines = [self._start, *(line for game in self._games.values() for line in game)]
        replace_file(new := self._path.with_name(f".{LIVE_FILE}.new"), lines)
        descriptor = open_regular(new, os.O_RDWR | os.O_APPEND)
        with ExitStack() as stack:
            file = stack.enter_context(os.fdopen(descriptor, "ab", buffering=0))
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            new.replace(self._path)
            stack.pop_all()
        self._earlier, earlier = self._file, self._earlier
        self._file, self._size = file, sum(map(len, lines))
        if earlier is not None:
            earlier.close()


def open_live(path: Path) -> IO[bytes]:
    """Open the file to follow it. Raises ``OSError``, or ``UsageError`` if no referee wrote it."""
    file = os.fdopen(open_regular(path, os.O_RDONLY), "rb")
    if os.fstat(file.fileno()).st_size > MAX_FOLLOWED_BYTES:
        file.close()
        raise UsageError(f"cannot read {path}: it is too large")
    return file


def is_locked(descriptor: int) -> bool:
    """Return whether another process has locked an open file. This takes no lock."""
    layout, index = LOCK
    values = [0] * len(layout)
    values[index] = fcntl.F_WRLCK
    answer = fcntl.fcntl(descriptor, fcntl.F_GETLK, struct.pack(layout, *values))
    return bool(struct.unpack(layout, answer)[index] != fcntl.F_UNLCK)
