"""Handles Ctrl-C so that no interrupt is lost.

Python runs a signal handler wherever the main thread happens to be. If that is in a destructor,
such as the one of Dask's tasks, the ``KeyboardInterrupt`` is only printed: one of sixty matches
continued after Ctrl-C. Therefore the first interrupt calls a function instead, which can put a note
into a queue that the program waits for anyway.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def on_interrupt(note: Callable[[], object]) -> Iterator[None]:
    """Call ``note`` at the first signal that would raise ``KeyboardInterrupt``, instead of raising.

    ``note`` must be safe to call at any moment, as ``SimpleQueue.put`` is. A second signal raises
    ``KeyboardInterrupt``.
    """
    raising = [each for each in SIGNALS if signal.getsignal(each) is signal.default_int_handler]

    def handler(*_: object) -> None:
        _set_handlers(raising, signal.default_int_handler)
        note()

    _set_handlers(raising, handler)
    try:
        yield
    finally:
        _set_handlers(raising, signal.default_int_handler)


def _set_handlers(
    numbers: list[signal.Signals], handler: Callable[[int, FrameType | None], object]
) -> None:
    for number in numbers:
        signal.signal(number, handler)
