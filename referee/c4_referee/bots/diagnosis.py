"""Finds out why the system ended a bot: from its exit code, its standard error and its memory.

Also finds out why a bot in the sandbox was never started, which only bubblewrap knows.
"""

import errno
import os
import signal

from c4_referee.bots.faults import Fault

NO_ROOM_MESSAGES = (*map(os.strerror, (errno.EAGAIN, errno.ENOMEM, errno.ENFILE)), "(ENOSPC)")
"""Messages of bubblewrap when the machine has no room for a process or for its namespaces."""

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
"""Texts in standard error (upper or lower case), each with its fault. The first match counts.

``TOO_MANY_PROCESSES`` is not in the list, because it bars a bot and must be certain. fork fails
with EAGAIN then, but other calls do so for other reasons. Only counting the processes is certain.
"""

NEARLY_ALL = 0.9
"""Minimum share of its memory limit that a crashed bot has used to count as out of memory."""


def diagnose(code: int | None, last_words: str, memory_used: float) -> Fault | None:
    """Return the fault of a bot that a limit ended; ``None`` if it ended for another reason.

    ``code`` is its exit code: negative for a signal, ``None`` while it runs. ``last_words`` is its
    standard error. ``memory_used`` is the share of its memory limit that it used at its peak.
    """
    if code == 0:
        return None
    if code == -signal.SIGXFSZ:
        return Fault.WROTE_OUTSIDE
    words = last_words.lower()
    for symptom, fault in SYMPTOMS:
        if symptom.lower() in words:
            return fault
    return Fault.OUT_OF_MEMORY if code is not None and memory_used >= NEARLY_ALL else None


def diagnose_start(last_words: str) -> Fault:
    """Return the fault if bubblewrap did not start a bot; ``last_words`` is the standard error."""
    is_full = any(message in last_words for message in NO_ROOM_MESSAGES)
    return Fault.NO_ROOM if is_full else Fault.FAILED_TO_START
