"""Settings of ``subprocess`` with which a child has the rights of an ordinary user."""

import ctypes
import os
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import Any

import c4_protocol
import c4_referee
import pytest

DROP_CAPABILITY = 24
"""PR_CAPBSET_DROP of prctl(2)."""
LAST_CAPABILITY = 40
NOBODY = {"user": 65534, "group": 65534, "extra_groups": []}


@cache
def ordinary_user() -> dict[str, Any]:
    """Return the settings of a process that is not root.

    If this process is root, it is ``nobody``, or root without any capability if ``nobody`` may not
    run this Python.
    """
    if os.geteuid():
        return {}
    command = [sys.executable, "-c", "import c4_bot, c4_referee"]
    try:
        subprocess.run(command, check=True, capture_output=True, cwd="/", **NOBODY)
    except (OSError, subprocess.CalledProcessError):
        return {"preexec_fn": drop_capabilities}
    return dict(NOBODY)


def python_of_present_user() -> tuple[str, dict[str, Any]]:
    """Return this Python, and settings of a process of this user."""
    return sys.executable, {"env": dict(os.environ)}


@cache
def python_of_ordinary_user() -> tuple[str, dict[str, Any]]:
    """Return a Python that can import the referee, and settings of a user who is not root.

    Root without capabilities cannot make a sandbox, so this is always another user. Skips the test
    if ``nobody`` can run neither this Python nor the system's.
    """
    if os.geteuid():
        return python_of_present_user()
    packages = [Path(str(package.__file__)).parents[1] for package in (c4_protocol, c4_referee)]
    folders = os.pathsep.join([*map(str, packages), sysconfig.get_path("purelib")])
    env = {"PATH": os.defpath, "HOME": "/nonexistent", "PYTHONPATH": folders}
    settings = {**NOBODY, "env": env, "cwd": "/"}
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            subprocess.run([python, "-c", "import c4_referee.cli, orjson"], check=True, **settings)
        except (OSError, subprocess.CalledProcessError):
            continue
        return python, settings
    pytest.skip("no Python that an ordinary user can run")


def drop_capabilities() -> None:
    """Let the program that starts now have no capabilities, so that root is an ordinary user."""
    libc = ctypes.CDLL(None)
    for number in range(LAST_CAPABILITY + 1):
        libc.prctl(DROP_CAPABILITY, number, 0, 0, 0)
