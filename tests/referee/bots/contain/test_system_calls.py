"""A bot in the sandbox leaves no program that others can run as the referee's user or group."""

import errno
import json
import os
import platform
import stat
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from users import NOBODY, python_of_ordinary_user, python_of_present_user
from views import needs_sandbox

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
    "old file": (2, 0, 'b"own", os.O_RDWR, mode'),
    "old file, at": (257, 56, 'here, b"own", os.O_RDWR, mode'),
    "openat2": (437, 437, 'here, b"new", struct.pack("QQQ", os.O_CREAT, mode, 0), 24'),
    "x32": ((1 << 30) + 90, 0, 'b"own", mode'),
}
"""System calls with their numbers on x86-64 and on aarch64, and with their arguments."""
UNUSUAL = {"old file": 0, "old file, at": 0, "openat2": errno.ENOSYS, "x32": errno.ENOSYS}
"""Errors of the calls that do not fail with EPERM, if their mode has one of the two bits."""
BOT = """
import ctypes, json, os, shutil, struct, subprocess, sys
libc, here, errors = ctypes.CDLL(None, use_errno=True), -100, {}
own = os.open("own", os.O_CREAT | os.O_RDWR, 0o755)
for name, (number, arguments) in json.loads(sys.argv[1]).items():
    for mode in (0o1755, 0o4755, 0o2755, 0o6755):
        failed = libc.syscall(number, *eval(arguments)) == -1
        errors.setdefault(name, []).append(ctypes.get_errno() if failed else 0)
        if os.path.exists("new"):
            os.remove("new")
shutil.copy(sys.executable, "python")
for command in (
    "chmod 6755 python",
    "install -m 6755 /usr/bin/env installed",
    "cp /usr/bin/env copied; tar --mode=6755 -cf a.tar copied; rm copied; tar -xpf a.tar",
    "mkdir -m 6777 made; chmod g+s .",
):
    subprocess.run(["sh", "-c", command])
print(json.dumps(errors))
"""
"""A bot that makes calls with modes, of which the first has neither of the two bits. It also copies
programs into its folder, and lets everyone run them as the referee's user."""


@needs_sandbox
@pytest.mark.parametrize("user", [python_of_present_user, python_of_ordinary_user])
def test_no_program_of_another_user_is_left(user):
    """No system call and no program gives a file the set-user or the set-group bit."""
    is_arm, (python, settings) = platform.machine() == "aarch64", user()
    known = {name: (call[is_arm], call[2]) for name, call in CALLS.items() if call[is_arm]}
    with TemporaryDirectory() as folder:
        if "user" in settings:
            os.chown(folder, NOBODY["user"], NOBODY["group"])
        words = [python, "-c", REFEREE, folder, BOT, json.dumps(known)]
        printed = subprocess.run(words, stdout=subprocess.PIPE, check=True, **settings).stdout
        modes = {
            path.name: path.lstat().st_mode for path in (Path(folder), *Path(folder).rglob("*"))
        }
    assert {"own", "python", "copied", "made"} <= {*modes}
    assert not {name for name, mode in modes.items() if mode & (stat.S_ISUID | stat.S_ISGID)}
    errors = json.loads(printed)
    expected = {name: [UNUSUAL.get(name, errno.EPERM)] * 3 for name in known}
    assert {name: refused for name, (_, *refused) in errors.items()} == expected
    assert {allowed for allowed, *_ in errors.values()} == {0, errno.ENOSYS}
