"""A sandbox for bots (bubblewrap), without network and with few folders to write to.

A bot in the sandbox can read most of the file system. It can write only to its own /tmp and
/dev/shm, and to its folder if its table names one. /run is empty, because the sockets of the
system's services are there. If a bot needs files from the real /tmp, they must be in its folder or
its command must name them. Their paths in the command are absolute or relative to this folder.
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
"""Folders whose content the bot does not see, except paths that are mounted there again."""
OPTIONS = (
    ("--unshare-net", "--unshare-pid", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent"),
    ("--ro-bind", "/", "/", "--dev", "/dev", "--tmpfs", "/dev/shm", "--proc", "/proc"),
    ("--tmpfs", "/tmp", "--tmpfs", "/run"),
    ("--setenv", "TMPDIR", "/tmp"),
)
"""Options of bubblewrap for permissions, the file system, and temporary files.

--new-session is not among them, because the bot has a session already, and the referee sends
signals to its process group.
"""
SEALED = ("--remount-ro", "/dev", "--remount-ro", "/run", "--remount-ro", "/proc")
"""Options that make folders read-only after everything is mounted. /proc is among them, because
root may change settings of the kernel in /proc/sys without any capability."""


class Status:
    """Bubblewrap's report on a bot, in a file without a name. The bot cannot access the file."""

    def __init__(self) -> None:
        self.file = os.memfd_create("status")

    def read(self) -> dict[str, int]:
        """Return the numbers of the report by name.

        ``child-pid`` is the parent process of the bot. There is an ``exit-code`` only if the bot
        ran.
        """
        found = re.findall(rb'"([a-z-]+)": *([0-9]+)', os.pread(self.file, 4096, 0))
        return {name.decode(): int(number) for name, number in found}

    def close(self) -> None:
        """Close the file."""
        os.close(self.file)


def sandboxed(command: Sequence[str], cwd: str | None, status: Status | None = None) -> list[str]:
    """Return the command line that runs a bot in the sandbox.

    The bot may write to the folder ``cwd``. Raises ``OSError`` if bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise FileNotFoundError("bwrap is not installed")
    folder = Path(cwd or ".").resolve()
    own = ["--bind", str(folder), str(folder)] if cwd else []
    reported = ["--json-status-fd", str(status.file)] if status else []
    mounted = [*chain.from_iterable(OPTIONS), *_mounts(command, folder), *own, *SEALED]
    return [bwrap, *reported, *mounted, "--chdir", str(folder), "--", *command]


@cache
def why_no_sandbox() -> str | None:
    """Try the sandbox. Return why it fails on this machine, or ``None`` if it works."""
    try:
        probe = subprocess.run(sandboxed(["true"], None), capture_output=True, check=False)
    except OSError as error:
        return str(error)
    if probe.returncode == 0:
        return None
    return f"bwrap is not permitted to make one: {probe.stderr.decode(errors='replace').strip()}"


def inner_exit_code(code: int | None) -> int | None:
    """Return the bot's exit code, negative for a signal, from the exit code of bubblewrap.

    Bubblewrap ends with 128 plus the number of the signal.
    """
    return 128 - code if code is not None and 128 < code < 128 + 65 else code


def _mounts(command: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield options that mount the bot's files and this project again, if they were hidden."""
    installed = (Path(sys.prefix), Path(sys.base_prefix), *_own_packages())
    bound: list[Path] = []
    for path in (*installed, folder, *_named_files(command, folder)):
        if _is_below(path, HIDDEN) and not _is_below(path, bound):
            bound.append(path)
            yield from ("--ro-bind-try", str(path), str(path))


@cache
def _own_packages() -> list[Path]:
    """Return the folders of this project's packages, because c4-bot runs in the sandbox, too.

    In an editable install, the packages are in different folders of a checkout.
    """
    specs = map(find_spec, ("c4_bot", "c4_protocol", "c4_referee"))
    return [Path(spec.origin).parent for spec in specs if spec and spec.origin]


def _named_files(command: Sequence[str], folder: Path) -> Iterator[Path]:
    """Yield the files and folders that words of a command name. Paths start at the bot's folder.

    Relative paths to folders around the bot's folder, such as ``..``, are left out, because files
    of other bots may be there.
    """
    for word in command:
        path = Path(os.path.normpath(folder / word))
        around = not Path(word).is_absolute() and path in folder.parents
        if not around and os.path.exists(path):  # noqa: PTH110 - Path's raises for long words
            yield path


def _is_below(path: Path, folders: Sequence[Path]) -> bool:
    return any(folder in path.parents for folder in folders)
