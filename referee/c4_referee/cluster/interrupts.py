"""Ctrl-C that cannot be lost.

Python runs a signal's handler wherever the main thread happens to be. In a destructor, as Dask's
tasks have one, the ``KeyboardInterrupt`` that it raises is printed and forgotten: of sixty matches
that were stopped, one went on. So the first one is put into a queue that is waited for anyway.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def noted(note: Callable[[], object]) -> Iterator[None]:
    """Calls ``note`` at the first signal that would raise ``KeyboardInterrupt``, instead of that.

    It has to be safe at any moment, as ``SimpleQueue.put`` is. A second signal raises.
    """
    raising = [each for each in NUMBERS if signal.getsignal(each) is signal.default_int_handler]

    def handler(*_: object) -> None:
        _handle(raising, signal.default_int_handler)
        note()

    _handle(raising, handler)
    try:
        yield
    finally:
        _handle(raising, signal.default_int_handler)


def _handle(
    numbers: list[signal.Signals], handler: Callable[[int, FrameType | None], object]
) -> None:
    for number in numbers:
        signal.signal(number, handler)
