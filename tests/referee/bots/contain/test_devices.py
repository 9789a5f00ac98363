"""A bot in the sandbox can use device files, but cannot change them, also if it runs as root."""

import errno
import json
import os
import pty
import subprocess
from pathlib import Path
from typing import Any

import pytest
from c4_referee.bots.contain import sandbox
from c4_referee.bots.contain.devices import DEVICE_PATHS
from c4_referee.bots.contain.sandbox import why_no_sandbox
from users import python_of_ordinary_user, python_of_present_user
from views import needs_sandbox

REFEREE = """
import os, sys
from pathlib import Path
from c4_referee.bots.contain.process import BotProcess
from c4_referee.bots.contain.mounts import Sandbox
before = Path("/proc/self/mountinfo").read_text()
command = [sys.executable, "-S", "-E", "-c", sys.argv[1]]
with BotProcess(command, sandbox=Sandbox(os.environ["PATH"])) as process:
    os.set_blocking(process.stdout, True)
    sys.stdout.buffer.write(os.read(process.stdout, 1 << 16))
assert Path("/proc/self/mountinfo").read_text() == before
"""
"""A program that prints what a bot prints, and leaves all mounts of this process as they were."""
CHANGES = """
import json, os, stat
paths = (f"/dev/{name}" for name in os.listdir("/dev"))
said = {path: [] for path in paths if stat.S_ISCHR(os.lstat(path).st_mode)}
for path, errors in said.items():
    old = os.stat(path)
    for change, *value in (
        (os.chmod, stat.S_IMODE(old.st_mode)),
        (os.utime, (old.st_atime, old.st_mtime)),
        (os.chown, old.st_uid, old.st_gid),
    ):
        try:
            change(path, *value)
            errors.append(0)
        except OSError as error:
            errors.append(error.errno)
print(json.dumps(said))
"""
"""A bot that gives each device file the mode, the times and the owner that it has already."""
USES = """
import json
for name in ("null", "zero", "random", "urandom"):
    with open(f"/dev/{name}", "r+b", buffering=0) as device:
        assert device.write(b"x") == 1
        assert len(device.read(1)) == (name != "null")
print(json.dumps("done"))
"""


for_both = pytest.mark.parametrize("user", [python_of_present_user, python_of_ordinary_user])


def printed_in_the_sandbox(program: str, python: str, settings: dict[str, Any]) -> object:
    """Return what a bot prints as JSON. Its referee has a terminal and these settings."""
    master, terminal = pty.openpty()
    words = ["setsid", "--ctty", python, "-c", REFEREE, program]
    done = subprocess.run(words, stdin=terminal, capture_output=True, check=False, **settings)
    for end in (master, terminal):
        os.close(end)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_sandbox
@for_both
def test_device_files_cannot_be_changed(user):
    """Nobody can change the mode, the times or the owner of the machine's device files."""
    changed = printed_in_the_sandbox(CHANGES, *user())
    is_root = user is python_of_present_user and os.geteuid() == 0
    errors = [errno.EROFS if is_root else errno.EPERM] * 3
    assert changed == {path: errors for path in DEVICE_PATHS if Path(path).exists()}


@needs_sandbox
@for_both
def test_devices_can_be_used(user):
    """Programs can write to and read from devices."""
    assert printed_in_the_sandbox(USES, *user()) == "done"


@needs_sandbox
def test_devices_that_cannot_be_sealed_are_a_reason_for_no_sandbox(monkeypatch):
    """If device files cannot be made read-only, there is no sandbox."""

    def fail() -> None:
        raise OSError

    monkeypatch.setattr(sandbox, "seal_devices", fail)
    expected = "the device files in /dev cannot be mounted read-only"
    assert why_no_sandbox.__wrapped__() == expected
