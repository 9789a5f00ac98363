"""Handling of Ctrl-C that loses no interrupt.

Python can run a signal handler at any point of the main thread. In a destructor, such as the one of
Dask's tasks, a ``KeyboardInterrupt`` is only printed, and the program continues. In a test, this
happened in one of sixty matches. Therefore the first interrupt calls a function instead of raising
``KeyboardInterrupt``. This function can put a note into a queue for which the program waits anyway.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

INTERRUPT_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def on_interrupt(note: Callable[[], object]) -> Iterator[None]:
    """Call ``note`` at the first signal that would otherwise raise ``KeyboardInterrupt``.

    ``note`` must be safe to call at any moment, as ``SimpleQueue.put`` is. A second signal raises
    ``KeyboardInterrupt``.
    """
    raising = [
        each for each in INTERRUPT_SIGNALS if signal.getsignal(each) is signal.default_int_handler
    ]

    def restore() -> None:
        for number in raising:
            signal.signal(number, signal.default_int_handler)

    def handler(*_: object) -> None:
        restore()
        note()

    for number in raising:
        signal.signal(number, handler)
    try:
        yield
    finally:
        restore()
