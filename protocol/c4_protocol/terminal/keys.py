"""Keys that are pressed in a terminal, without waiting for the end of a line."""

import os
import re
import select
import termios
import tty
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

KEY = re.compile(rb"\x1b[\[O][0-9;]*[A-Za-z~]|\x1b|[^\x1b]")
"""An escape sequence, which a special key sends, or another byte."""
NAMES = {
    **dict.fromkeys((b"\x1b[A", b"\x1bOA"), "up"),
    **dict.fromkeys((b"\x1b[B", b"\x1bOB"), "down"),
    **dict.fromkeys((b"\x1b[D", b"\x1bOD"), "left"),
    **dict.fromkeys((b"\x1b[C", b"\x1bOC"), "right"),
    **dict.fromkeys((b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"\x1b[7~"), "home"),
    **dict.fromkeys((b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"\x1b[8~"), "end"),
}
"""Names of the special keys by what terminals send for them."""
SEQUENCE_SECONDS = 0.05
"""Maximum time between the bytes of an escape sequence."""
END_OF_INPUT = "\x04"
"""The key Ctrl-D. It also stands for a terminal that was closed."""


class Keyboard:
    r"""Context manager that reads keys from a terminal and does not show them.

    At its end, the terminal has its earlier settings again. Ctrl-C still interrupts the program.
    Ctrl-Z and Ctrl-\ have no effect, because the shell would get a terminal with these settings.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pending = b""

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._descriptor)
        try:
            tty.setcbreak(self._descriptor)
            settings = termios.tcgetattr(self._descriptor)
            for key in (termios.VSUSP, termios.VQUIT):
                settings[6][key] = os.fpathconf(self._descriptor, "PC_VDISABLE").to_bytes()
            settings[3] |= termios.NOFLSH  # Ctrl-C would delete output that was not sent yet
            termios.tcsetattr(self._descriptor, termios.TCSANOW, settings)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(termios.error):  # the terminal was closed
            termios.tcsetattr(self._descriptor, termios.TCSAFLUSH, self._before)

    def key(self, seconds: float, others: "Sequence[FileDescriptorLike]" = ()) -> str | None:
        """Return the next key, or ``None`` if no key is pressed within ``seconds``.

        It is also ``None`` as soon as one of ``others`` can be read. Keys are
        named as in ``NAMES``, or are single characters.
        """
        if not self._pending and not self._read(seconds, others):
            return None
        if self._pending == b"\x1b":
            self._read(SEQUENCE_SECONDS)
        found = KEY.match(self._pending)
        assert found is not None  # any byte is a key
        self._pending = self._pending[found.end() :]
        return NAMES.get(found[0], found[0].decode("latin-1"))

    def _read(self, seconds: float, others: "Sequence[FileDescriptorLike]" = ()) -> bool:
        """Read what is typed within ``seconds``. Return whether something was typed."""
        ready, _, _ = select.select([self._descriptor, *others], [], [], seconds)
        is_typed = self._descriptor in ready
        if is_typed:
            self._pending += os.read(self._descriptor, 1024) or END_OF_INPUT.encode()
        return is_typed
