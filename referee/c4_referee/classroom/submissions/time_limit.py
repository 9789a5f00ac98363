"""A limit on the processor time of a step that reads what a stranger has made.

Sizes are limited, too. But a small file can keep a program busy for hours, such as an archive of
many empty parts, and nobody knows all such files. Only processor time counts, so no submission is
refused because the machine is busy. Steps that read files do not wait for anybody.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

STEP_SECONDS = 10.0
"""Maximum processor time of a step of one submission, in seconds. Honest ones need less than 1."""
REPEAT_SECONDS = 0.5
"""Time from which on a step is stopped again, in seconds: a library may catch an exception."""


class Exceeded(Exception):
    """A limit on a submission is exceeded. The text has no subject, such as an archive's name."""


@contextmanager
def limited_time() -> Iterator[None]:
    """Raise ``Exceeded`` in the block when this process has used ``STEP_SECONDS`` in it.

    The calling thread is the main thread, because only it receives signals.
    """

    def stop(*_: object) -> None:
        raise Exceeded(f"takes more than {STEP_SECONDS:g} s to read")

    before = signal.signal(signal.SIGPROF, stop)
    try:
        signal.setitimer(signal.ITIMER_PROF, STEP_SECONDS, REPEAT_SECONDS)
        yield
    finally:
        try:
            signal.setitimer(signal.ITIMER_PROF, 0)
        finally:  # a last signal may have come
            signal.signal(signal.SIGPROF, before)
