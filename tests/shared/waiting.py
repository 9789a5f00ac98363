"""Waits for what other processes do."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")


def wait_for(condition: Callable[[], Value], seconds: float = 300) -> Value:
    """Wait until a condition becomes true, at most for some seconds, and return its value."""
    until = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < until:
        time.sleep(0.01)
    return value


def is_running(pid: int) -> bool:
    """Return whether a process has not ended yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False
