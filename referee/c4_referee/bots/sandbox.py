"""A bot under bubblewrap: no network, a file system it can read, next to nothing it can write.

It sees the whole file system but cannot change it, except for a /tmp and a /dev/shm of its own and,
if its table names one, its folder. /run is empty, for the sockets of the system's services are
there. What a bot needs of the real /tmp has to be in its folder or named in its command, from the
root or from that folder.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

HIDDEN = (Path("/tmp"), Path("/run"), Path("/dev"))
"""What lies in these folders is not seen unless it is bound anew."""
OPTIONS = (
    ("--unshare-net", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent"),
    (
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--tmpfs",
        "/dev/shm",
        "--proc",
        "/proc",
        "--tmpfs",
        "/tmp",
        "--tmpfs",
        "/run",
    ),
    ("--setenv", "TMPDIR", "/tmp"),
)
"""What it may do, what it sees, and where it is told to put its temporary files.

No --new-session: a bot has one already, and its process group has to stay within our reach.
"""
SEALED = ("--remount-ro", "/dev", "--remount-ro", "/run", "--remount-ro", "/proc")
"""What cannot be written to once everything is in its place. In /proc/sys are settings of the
kernel that root may change even without any capability."""


class Status:
    """What bubblewrap tells of a bot, in a file without a name that the bot has no handle of."""

    def __init__(self) -> None:
        self.file = os.memfd_create("status")

    def read(self) -> dict[str, int]:
        """Numbers by name: ``child-pid``, the bot's guardian; ``exit-code``, if it ever ran."""
        told = re.findall(rb'"([a-z-]+)": *([0-9]+)', os.pread(self.file, 4096, 0))
        return {name.decode(): int(number) for name, number in told}

    def close(self) -> None:
        """Closes the file."""
        os.close(self.file)


def sandboxed(command: Sequence[str], cwd: str | None, status: Status | None = None) -> list[str]:
    """The command line that runs a bot in the sandbox, with ``cwd`` as the folder it may write to.

    Raises ``OSError`` where there is no bubblewrap.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise FileNotFoundError("bwrap is not installed")
    folder = Path(cwd or ".").resolve()
    own = ["--bind", str(folder), str(folder)] if cwd else []
    told = ["--json-status-fd", str(status.file)] if status else []
    bound = [*chain.from_iterable(OPTIONS), *_bound(command, folder), *own, *SEALED]
    return [bwrap, *told, *bound, "--chdir", str(folder), "--", *command]


@cache
def sandbox_available() -> str | None:
    """Why there is no sandbox on this machine, found by trying; ``None`` if there is one."""
    try:
        probe = subprocess.run(sandboxed(["true"], None), capture_output=True, check=False)
    except OSError as error:
        return str(error)
    if probe.returncode == 0:
        return None
    return f"bwrap is not permitted to make one: {probe.stderr.decode(errors='replace').strip()}"


def exit_code(code: int | None) -> int | None:
    """The bot's exit code from bubblewrap's, which tells a signal by 128 more, as shells do."""
    return 128 - code if code is not None and 128 < code < 128 + 65 else code


def _bound(command: Sequence[str], folder: Path) -> Iterator[str]:
    """Options that show what a bot needs of the hidden folders: its files and this installation."""
    installed = (Path(sys.prefix), Path(sys.base_prefix), *_own_packages())
    bound: list[Path] = []
    for path in (*installed, folder, *_named(command, folder)):
        if _is_below(path, HIDDEN) and not _is_below(path, bound):
            bound.append(path)
            yield from ("--ro-bind-try", str(path), str(path))


@cache
def _own_packages() -> list[Path]:
    """The folders of this project's packages: our own bot runs in the sandbox, too.

    An editable install has them in a checkout, each in another folder.
    """
    specs = map(find_spec, ("c4_bot", "c4_protocol", "c4_referee"))
    return [Path(spec.origin).parent for spec in specs if spec and spec.origin]


def _named(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """The files and folders that are words of a command run in a folder.

    But for ``..`` and the like: around the bot's folder may be those of others.
    """
    for word in command:
        path = Path(os.path.normpath(folder / word))
        around = not Path(word).is_absolute() and path in folder.parents
        if not around and os.path.exists(path):  # noqa: PTH110 - Path's raises for long words
            yield path


def _is_below(path: Path, folders: Sequence[Path]) -> bool:
    return any(folder in path.parents for folder in folders)
