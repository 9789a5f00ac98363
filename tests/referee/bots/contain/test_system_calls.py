"""A bot in the sandbox leaves no program that others can run as the referee's user or group."""

import errno
import json
import os
import platform
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from users import NOBODY, python_of_ordinary_user, python_of_present_user
from views import needs_sandbox

SET_ID_BITS = stat.S_ISUID | stat.S_ISGID
REFEREE = """
import os, sys
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.mounts import Sandbox
folder, *words = sys.argv[1:]
command = [sys.executable, "-S", "-E", "-c", *words]
with BotProcess(command, cwd=folder, sandbox=Sandbox(os.environ["PATH"])) as process:
    os.set_blocking(process.stdout, True)
    sys.stdout.buffer.write(os.read(process.stdout, 1 << 16))
"""
"""A referee that starts a bot in a folder of its own, and passes on what it prints."""
CALLS = {
    "chmod": (90, 0, 'b"own", mode'),
    "chmod of a descriptor": (90, 0, 'b"/proc/self/fd/%d" % own, mode'),
    "chmod with high bits": (90, 0, 'b"own", ctypes.c_long(1 << 40 | 1 << 20 | mode)'),
    "fchmod": (91, 52, "own, mode"),
    "fchmodat": (268, 53, 'here, b"own", mode'),
    "fchmodat2": (452, 452, 'here, b"own", mode, 0'),
    "fchmodat2 of a descriptor": (452, 452, 'own, b"", mode, 0x1000'),
    "creat": (85, 0, 'b"new", mode'),
    "open": (2, 0, 'b"new", os.O_CREAT, mode'),
    "openat": (257, 56, 'here, b"new", os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode'),
    "openat without a name": (257, 56, 'here, b".", os.O_TMPFILE | os.O_RDWR, mode'),
    "mknod": (133, 0, 'b"new", 0o100000 | mode, 0'),
    "mknodat": (259, 33, 'here, b"new", 0o100000 | mode, 0'),
    "open without a new file": (2, 0, 'b"own", os.O_RDWR, mode'),
    "openat without a new file": (257, 56, 'here, b"own", os.O_RDWR, mode'),
    "openat2": (437, 437, 'here, b"new", struct.pack("QQQ", os.O_CREAT, mode, 0), 24'),
    "chmod of x32": ((1 << 30) + 90, 0, 'b"own", mode'),
}
"""System calls with their numbers on x86-64 and on aarch64, and with their arguments."""
UNUSUAL = {
    "open without a new file": 0,
    "openat without a new file": 0,
    "openat2": errno.ENOSYS,
    "chmod of x32": errno.ENOSYS,
}
"""Errors of the calls that do not fail with EPERM, if their mode has one of the two bits."""
CALLER = """
import ctypes, json, os, struct, sys
libc, here, errors = ctypes.CDLL(None, use_errno=True), -100, {}
own = os.open("own", os.O_CREAT | os.O_RDWR, 0o755)
for name, (number, arguments) in json.loads(sys.argv[1]).items():
    for mode in (0o1755, 0o4755, 0o2755, 0o6755):
        failed = libc.syscall(number, *eval(arguments)) == -1
        errors.setdefault(name, []).append(ctypes.get_errno() if failed else 0)
        if os.path.exists("new"):
            os.remove("new")
print(json.dumps(errors))
"""
"""A bot that makes calls with modes. The first mode has neither of the two bits."""
PROGRAMS = """
import io, os, shutil, subprocess, sys, tarfile
shutil.copy(sys.executable, "python")
with tarfile.open("a.tar", "w") as archive:
    member = tarfile.TarInfo("unpacked")
    member.mode = 0o6755
    archive.addfile(member, io.BytesIO())
for command in (
    "cp /usr/bin/env copied && chmod 6755 copied",
    "install -m 6755 /usr/bin/env installed",
    "tar -xpf a.tar",
    "mkdir -m 6777 made; chmod g+s .",
):
    subprocess.run(["sh", "-c", f"umask 0; {command}"], check=False)
try:
    os.chmod("python", 0o6755)
except OSError as error:
    print(error.errno)
"""
"""A bot that copies programs into its folder, and lets everyone run them as the referee's user."""


for_both = pytest.mark.parametrize("user", [python_of_present_user, python_of_ordinary_user])


@contextmanager
def folder_after(user, *words: str) -> Iterator[tuple[Path, str]]:
    """Yield the folder of a bot that has run, and what it printed."""
    python, settings = user()
    with TemporaryDirectory() as folder:
        if "user" in settings:
            os.chown(folder, NOBODY["user"], NOBODY["group"])
        command = [python, "-c", REFEREE, folder, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
        assert done.returncode == 0, done.stderr
        yield Path(folder), done.stdout


@needs_sandbox
@for_both
def test_set_user_bits_are_refused(user):
    """No system call gives a file the set-user or the set-group bit. Other modes are allowed."""
    is_arm = platform.machine() == "aarch64"
    known = {name: (call[is_arm], call[2]) for name, call in CALLS.items() if call[is_arm]}
    with folder_after(user, CALLER, json.dumps(known)) as (folder, printed):
        errors = json.loads(printed)
        assert not folder.joinpath("own").stat().st_mode & SET_ID_BITS
    expected = {name: [UNUSUAL.get(name, errno.EPERM)] * 3 for name in known}
    assert {name: refused for name, (_, *refused) in errors.items()} == expected
    assert {allowed for allowed, *_ in errors.values()} == {0, errno.ENOSYS}


@needs_sandbox
@for_both
def test_no_program_of_another_user_is_left(user):
    """A bot copies programs, and none of them can be run as another user afterwards."""
    with folder_after(user, PROGRAMS) as (folder, printed):
        assert int(printed) == errno.EPERM
        found = {path.name: path.lstat().st_mode & SET_ID_BITS for path in folder.rglob("*")}
        assert {"python", "copied", "made", "a.tar"} <= {*found}
        assert not any(found.values()), found
        assert not folder.stat().st_mode & SET_ID_BITS
