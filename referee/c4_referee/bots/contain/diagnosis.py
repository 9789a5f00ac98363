"""Diagnosis of why a bot ended, from its exit code, its standard error and its memory.

If bubblewrap did not start a bot in the sandbox, its standard error says why.
"""

import errno
import os
import signal

from c4_referee.bots.contain.faults import Fault
from c4_referee.bots.contain.last_words import last_line

NO_ROOM_MESSAGES = (*map(os.strerror, (errno.EAGAIN, errno.ENOMEM, errno.ENFILE)), "(ENOSPC)")
"""Messages that bubblewrap writes if the machine has no room for a process or its namespaces."""

SYMPTOMS = (
    ("MemoryError", Fault.OUT_OF_MEMORY),  # Python
    ("bad_alloc", Fault.OUT_OF_MEMORY),  # C++
    ("OutOfMemoryError", Fault.OUT_OF_MEMORY),  # Java
    ("out of memory", Fault.OUT_OF_MEMORY),  # Node, Go
    ("memory allocation of", Fault.OUT_OF_MEMORY),  # Rust
    ("Cannot allocate memory", Fault.OUT_OF_MEMORY),  # ENOMEM
    ("Read-only file system", Fault.WROTE_OUTSIDE),  # EROFS: the sandbox
    ("File too large", Fault.WROTE_OUTSIDE),  # EFBIG: more than a bot may write anywhere
)
"""Texts in a bot's last error (in upper or lower case) with the faults that they show.

If several texts of the list are found, the first one counts. The last error is the last line of
standard error that names a cause, because only this error can have ended the bot. A bot may write
such a text earlier and go on.

``TOO_MANY_PROCESSES`` is not in the list. This fault bars a bot, so it must be certain. The text of
EAGAIN is no proof, because fork is not the only call that fails with EAGAIN. Therefore the referee
counts the processes.
"""

ABORTS = {-signal.SIGABRT, -signal.SIGILL, -signal.SIGTRAP}
"""Exit codes of a program that ends itself after an error. Other signals have other causes."""

NEARLY_ALL = 0.9
"""Fraction of its memory limit, 0 to 1. A crashed bot that used at least this counts as out of
memory."""


def diagnose(code: int | None, stderr: str, memory_used: float) -> Fault | None:
    """Return the fault of a bot that ended because of a limit, otherwise ``None``.

    ``code`` is the exit code: negative for a signal, and ``None`` while the bot runs.
    ``stderr`` is the text of standard error. ``memory_used`` is the most memory that the bot used,
    as a fraction of its limit.
    """
    if code == 0:
        return None
    if code == -signal.SIGXFSZ:
        return Fault.WROTE_OUTSIDE
    if code is None or code > 0 or code in ABORTS:
        error = last_line(stderr).lower()
        for symptom, fault in SYMPTOMS:
            if symptom.lower() in error:
                return fault
    return Fault.OUT_OF_MEMORY if code is not None and memory_used >= NEARLY_ALL else None


def diagnose_start(last_words: str) -> Fault:
    """Return the fault of a bot that bubblewrap did not start, as its standard error shows."""
    is_full = any(message in last_words for message in NO_ROOM_MESSAGES)
    return Fault.NO_ROOM if is_full else Fault.FAILED_TO_START
