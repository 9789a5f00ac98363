"""Settings of ``subprocess`` with which a child has the rights of an ordinary user."""

import ctypes
import os
import subprocess
import sys
from functools import cache
from typing import Any

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


def drop_capabilities() -> None:
    """Let the program that starts now have no capabilities, so that root is an ordinary user."""
    libc = ctypes.CDLL(None)
    for number in range(LAST_CAPABILITY + 1):
        libc.prctl(DROP_CAPABILITY, number, 0, 0, 0)
