"""Why the system ended a bot: told from its exit code, its last words and what it has used.

And why it never was started, where only bubblewrap knows.
"""

import errno
import os
import signal

OUT_OF_MEMORY = "out of memory"
WROTE_OUTSIDE = "wrote outside its folder"
TOO_MANY_PROCESSES = "too many processes"
"""Told only by counting them: it bars a bot, and EAGAIN of fork is also that of other calls."""

FAILED_TO_START = "failed to start"
NO_ROOM = "no room to start"
FULL = (*map(os.strerror, (errno.EAGAIN, errno.ENOMEM, errno.ENFILE)), "(ENOSPC)")
"""What bubblewrap says when the machine has no room for a process, or for its namespaces."""

SYMPTOMS = (
    ("MemoryError", OUT_OF_MEMORY),  # Python
    ("bad_alloc", OUT_OF_MEMORY),  # C++
    ("OutOfMemoryError", OUT_OF_MEMORY),  # Java
    ("out of memory", OUT_OF_MEMORY),  # Node, Go
    ("memory allocation of", OUT_OF_MEMORY),  # Rust
    ("Cannot allocate memory", OUT_OF_MEMORY),  # ENOMEM
    ("Read-only file system", WROTE_OUTSIDE),  # EROFS: the sandbox
    ("File too large", WROTE_OUTSIDE),  # EFBIG: more than a bot may write anywhere
)
"""Last words, in any case of letters, and what they mean; the first that fits counts."""

NEARLY = 0.9
"""A bot that has used this share of its memory when it fell had most likely asked for more."""


def diagnose(code: int | None, last_words: str, memory_used: float) -> str | None:
    """The first or second cause above, or ``None`` if the bot fell by itself, or did not fall.

    ``code`` is the exit code, negative for a signal, ``None`` while the bot runs; ``memory_used``
    the share of its memory that it had used at its peak.
    """
    if code == 0:
        return None
    if code == -signal.SIGXFSZ:
        return WROTE_OUTSIDE
    words = last_words.lower()
    for symptom, cause in SYMPTOMS:
        if symptom.lower() in words:
            return cause
    return OUT_OF_MEMORY if code is not None and memory_used >= NEARLY else None


def why_not_started(last_words: str) -> str:
    """Whether the machine was to blame for a bot that never ran, by bubblewrap's words."""
    return NO_ROOM if any(reason in last_words for reason in FULL) else FAILED_TO_START
