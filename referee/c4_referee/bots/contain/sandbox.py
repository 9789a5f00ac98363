"""A sandbox for bots, made by bubblewrap.

A bot in the sandbox has no network, no processes but its own, and no environment variables but
those of its table and a few that programs need. It sees only the files and folders of its ``View``
(``mounts.py``). It can write to its own folder, if its table names one, and to folders in memory of
limited size, which are empty at the start: /tmp, /dev/shm and its home folder. A filter forbids
system calls that lead around the other limits (``system_calls.py``). Device files are read-only
(``devices.py``).
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from stat import S_IROTH

from c4_referee.bots.contain.devices import seal_devices
from c4_referee.bots.contain.ignored import unlisted_mounts
from c4_referee.bots.contain.limits import MEGABYTE, ResourceLimits
from c4_referee.bots.contain.mounts import Sandbox, View
from c4_referee.bots.contain.places import SYSTEM_FOLDERS, SYSTEM_LINKS, user_home
from c4_referee.bots.contain.system_calls import filter_program
from c4_referee.system.tools import tool_path

NAMESPACE_OPTIONS = ("--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts")
BUBBLEWRAP_OPTIONS = (
    *NAMESPACE_OPTIONS,
    "--unshare-cgroup-try",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
)
"""Options of bubblewrap for namespaces and permissions.

--new-session is not among them, because the bot has a session already, and the referee sends
signals to its process group.
"""
TEMPORARY_FOLDER = Path("/tmp")
SHARED_MEMORY_FOLDER = Path("/dev/shm")
FIRST_PROCESS_FOLDER = "/proc/1"
"""Folder of the first process of the sandbox. This process is bubblewrap. An empty folder hides it,
because the bot belongs to the same user, and could read its memory and its environment."""
HIDDEN_IN_PROC = frozenset({"keys"})
"""Files in /proc that everyone may read, and that a bot must not: the keys of other programs."""
READ_ONLY_FOLDERS = ("/dev", FIRST_PROCESS_FOLDER, "/proc", "/")
"""Folders that are made read-only after everything is mounted. /proc is among them, because root
may change settings of the kernel in /proc/sys without any capability. A bot could also write to the
memory of other processes there."""
DEFAULT_SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Search path of the sandbox if the search path of the referee has no folder that is visible."""


class SandboxedCommand:
    """Context manager for the command line that starts a bot in the sandbox.

    ``words`` are the command line, and ``descriptors`` are the files that it needs: they must be
    passed on. ``status`` is the descriptor of a file for bubblewrap's report, which the bot cannot
    access. ``view`` is what the bot sees. The options of bubblewrap are in one of these files,
    because every user of the machine can read the words of a command line. ``env`` are the
    variables of the bot's table. The child must call ``seal_devices`` before its program starts.
    Raises ``OSError`` if bubblewrap is not installed, and as ``view_of`` does.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        command: Sequence[str],
        cwd: str | None,
        env: Mapping[str, str],
        limits: ResourceLimits,
        status: int | None = None,
    ) -> None:
        bwrap = tool_path("bwrap")
        self.view = view = sandbox.view(command, cwd)
        variables = _sandbox_variables(view, sandbox.search_path) | dict(env)
        options = [
            *BUBBLEWRAP_OPTIONS,
            *_mount_options(view, limits.memory_folder_mb),
            *chain.from_iterable(unlisted_mounts(view, sandbox)),
            *chain.from_iterable(("--remount-ro", path) for path in READ_ONLY_FOLDERS),
            "--clearenv",
        ]
        for name, value in variables.items():
            options += ["--setenv", name, value]
        self._stack = ExitStack()
        self.descriptors: list[int] = []
        if status is not None:
            self.descriptors.append(status)
            options += ["--json-status-fd", str(status)]
        if program := filter_program():
            options += ["--seccomp", str(self._memory_file(program))]
        options += ["--chdir", str(view.folder)]
        file = self._memory_file(b"".join(os.fsencode(option) + b"\0" for option in options))
        self.words = [bwrap, "--args", str(file), "--", *command]

    def __enter__(self) -> "SandboxedCommand":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _memory_file(self, content: bytes) -> int:
        """Return the descriptor of a file in memory with this content."""
        file = os.memfd_create("options")
        self._stack.callback(os.close, file)
        os.write(file, content)
        os.lseek(file, 0, os.SEEK_SET)
        self.descriptors.append(file)
        return file


def read_status(status: int) -> dict[str, int]:
    """Return the numbers in bubblewrap's report by name.

    ``child-pid`` is the parent process of the bot. There is an ``exit-code`` only if the bot ran.
    """
    numbers = re.findall(rb'"([a-z-]+)": *([0-9]+)', os.pread(status, 4096, 0))
    return {name.decode(): int(number) for name, number in numbers}


@cache
def why_no_sandbox() -> str | None:
    """Try the sandbox. Return why it fails on this machine, or ``None`` if it works."""
    if sys.platform != "linux":
        return "it needs Linux"
    try:
        with SandboxedCommand(Sandbox(), ["true"], "/usr", {}, ResourceLimits()) as made:
            probe = subprocess.run(
                made.words,
                capture_output=True,
                check=False,
                pass_fds=made.descriptors,
                preexec_fn=seal_devices,
            )
    except subprocess.SubprocessError:
        return "the device files in /dev cannot be mounted read-only"
    except OSError as error:
        return str(error)
    if probe.returncode == 0:
        return None
    return f"bwrap is not permitted to make one: {probe.stderr.decode(errors='replace').strip()}"


def home_folder() -> Path:
    """Return the home folder in the sandbox, which has the same path as outside."""
    home = user_home()
    return home if home.is_absolute() and len(home.parts) > 1 else TEMPORARY_FOLDER


def memory_folders() -> set[Path]:
    """Return the folders in memory that each bot in the sandbox has."""
    return {TEMPORARY_FOLDER, SHARED_MEMORY_FOLDER, home_folder()}


def inner_exit_code(code: int | None) -> int | None:
    """Return the bot's exit code, negative for a signal, from the exit code of bubblewrap.

    Bubblewrap ends with 128 plus the number of the signal.
    """
    return 128 - code if code is not None and 128 < code < 128 + 65 else code


@lru_cache(256)
def _mount_options(view: View, memory_folder_mb: int) -> list[str]:
    """Return the options for the file system. Outer folders are mounted before those in them."""
    system = chain.from_iterable(map(_system_mount, (*SYSTEM_FOLDERS, *SYSTEM_LINKS)))
    mounts: dict[Path, tuple[str, ...]] = {}
    sources = dict(view.sources)
    mounts |= {path: ("--ro-bind", str(sources.get(path, path)), str(path)) for path in view.seen}
    size = str(memory_folder_mb * MEGABYTE)
    for path in memory_folders():
        mounts[path] = ("--size", size, "--tmpfs", str(path))
    if view.is_writable:
        mounts[view.folder] = ("--bind", str(view.folder), str(view.folder))
    mounts |= {path: _mask_options(path) for path in view.masked}
    mounts.setdefault(view.folder, ("--dir", str(view.folder)))
    ordered = (mounts[path] for path in sorted(mounts, key=lambda path: len(path.parts)))
    empty = ("--dev", "/dev", "--proc", "/proc", "--tmpfs", FIRST_PROCESS_FOLDER, "--dir", "/run")
    hidden = map(_mask_options, _hidden_files_in_proc())
    return [*system, *empty, *chain.from_iterable((*hidden, *ordered))]


@cache
def _hidden_files_in_proc() -> list[Path]:
    """Return the files about the whole machine that this process may read, but not everyone.

    They say what the kernel does with its memory, for example. Files in folders are not among them.
    """
    with os.scandir("/proc") as found:
        files = [Path(entry) for entry in found if entry.is_file(follow_symlinks=False)]
    return [
        path
        for path in files
        if path.name in HIDDEN_IN_PROC or not path.stat().st_mode & S_IROTH
        if os.access(path, os.R_OK)
    ]


def _system_mount(path: Path) -> tuple[str, ...]:
    """Return the options for a folder of the system, or for a link such as /bin."""
    if path.is_symlink():
        return ("--symlink", str(path.readlink()), str(path))
    return ("--ro-bind-try", str(path), str(path))


def _mask_options(path: Path) -> tuple[str, ...]:
    """Return the options that put an empty file or folder in place of one of another bot."""
    if path.is_dir():
        return ("--size", "4096", "--tmpfs", str(path), "--remount-ro", str(path))
    return ("--ro-bind", os.devnull, str(path))


def _sandbox_variables(view: View, search_path: str) -> dict[str, str]:
    """Return the environment variables that programs need, with values for the sandbox."""
    folders = search_path.split(os.pathsep)
    shown = [folder for folder in folders if folder and view.shows(Path(folder))]
    return {
        "PATH": os.pathsep.join(shown) or DEFAULT_SEARCH_PATH,
        "HOME": str(home_folder()),
        "TMPDIR": str(TEMPORARY_FOLDER),
        "LANG": "C.UTF-8",
    }
