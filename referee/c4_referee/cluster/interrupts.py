"""Handling of Ctrl-C that loses no interrupt.

Python can run a signal handler at any point of the main thread. In a destructor, such as the one of
Dask's tasks, a ``KeyboardInterrupt`` is only printed, and the program continues. In a test, this
happened in one of sixty matches. Therefore the first interrupt calls a function instead of raising
``KeyboardInterrupt``. This function can put a note into a queue for which the program waits anyway.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def on_interrupt(note: Callable[[], object]) -> Iterator[None]:
    """Call ``note`` at the first signal that would otherwise raise ``KeyboardInterrupt``.

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
