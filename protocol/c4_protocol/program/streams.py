r"""Standard streams of all commands.

Rules for the streams of all commands:

- Only answers are written to standard output. If they cannot be written, the exit code is 1. A
  command says why, except if the program that read them has ended, as ``head`` does.
- Messages for people are written to standard error. A message that cannot be written is dropped:
  this changes neither what the command does nor its exit code.
- No other file takes the descriptor of a standard stream that is closed. Otherwise, a database or
  a pipe of a bot could receive messages for people.
- Characters that a stream cannot encode are written as escapes, such as ``\u4e2d``.
- Each line ends in LF, also on Windows. Drivers there read LF and CRLF, and a CR in an answer would
  be a character of it for a driver that reads bytes. Only the console of Windows gets CRLF.
"""

import atexit
import errno
import gc
import io
import os
import sys

from c4_protocol.program.errors import UsageError

TYPE_CHECKING = False  # an import of typing would take longer than all of this
if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

END_KEY = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
"""Keys with which a person ends the input, at the start of a line."""
OBJECTS_BEFORE_COLLECTION = 100_000
"""Number of new objects, less those that were freed, after which Python looks for garbage."""
UNREAD_ERRORS = {errno.EPIPE} | ({errno.EINVAL} if sys.platform == "win32" else set())
"""Errors of a pipe whose reader has closed its end."""
REASONS_BY_ERROR = {errno.EBADF: "it is closed"}
"""Texts for errors of a stream, in place of texts of the system that are hard to understand."""


class OutputError(OSError):
    """Failure to write to standard output. ``str(error)`` is one line for people.

    ``is_unread`` is true if the program that read it has closed its end of the pipe.
    """

    def __init__(self, reason: OSError) -> None:
        self.is_unread = reason.errno in UNREAD_ERRORS
        super().__init__(f"cannot write to standard output: {plain_reason(reason)}")


class _AnswerStream(io.FileIO):
    """Standard output, which raises ``OutputError`` if it cannot be written."""

    def write(self, data: "ReadableBuffer") -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            raise OutputError(error) from None


class _MessageStream(io.FileIO):
    """Standard error, which drops what it cannot write."""

    def write(self, data: "ReadableBuffer") -> int:
        try:
            written = super().write(data)
        except OSError:
            written = None
        return memoryview(data).nbytes if written is None else written


def collect_garbage_rarely() -> None:
    """Let Python look for garbage in cycles less often: this takes 5 to 10 % of a short run.

    Hardly any object that a command makes at its start becomes garbage, and later there are few
    cycles. At its end, Python looks at all objects that are not frozen, which takes 10 ms or more.
    """
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)
    atexit.register(gc.freeze)


def prepare_streams() -> None:
    """Make the standard streams follow the rules of this module.

    A command calls this before it opens anything. Streams with which a program has replaced
    those of the interpreter are not changed. If standard input is closed, ``sys.stdin``
    stays ``None``.
    """
    # In these modes, reading standard input and writing to standard output still fail.
    for descriptor, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:  # it is closed, so the null device becomes this descriptor
            os.set_inheritable(os.open(os.devnull, mode), True)
    if sys.stdout is sys.__stdout__:
        sys.stdout = _text_stream(_AnswerStream(1, "wb", closefd=False), sys.__stdout__)
    if sys.stderr is sys.__stderr__:
        sys.stderr = _text_stream(
            _MessageStream(2, "wb", closefd=False), sys.__stderr__, is_eager=True
        )


def _text_stream(
    raw: io.FileIO, replaced: "io.TextIOWrapper | None", *, is_eager: bool = False
) -> io.TextIOWrapper:
    """Return a text stream with the encoding of the one that it replaces.

    If ``is_eager`` is true, or if the replaced stream is that of a terminal, each line is written
    immediately. The console of Windows takes characters, not bytes, so its stream stays.
    """
    if sys.platform == "win32" and replaced is not None and replaced.isatty():
        replaced.reconfigure(errors="backslashreplace")
        return replaced
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=replaced.encoding if replaced else "utf-8",
        errors="backslashreplace",
        newline="\n",
        line_buffering=is_eager or (replaced is not None and replaced.line_buffering),
    )


def plain_reason(error: OSError) -> str:
    """Return in a few words why a stream cannot be used."""
    return REASONS_BY_ERROR.get(error.errno or 0) or error.strerror or str(error)


def check_input_is_open() -> None:
    """Raise ``OSError`` if standard input is closed."""
    if sys.stdin is None:
        raise OSError("cannot read standard input: it is closed")


def check_current_folder_exists() -> None:
    """Raise ``UsageError`` if the current folder was deleted."""
    try:
        os.getcwd()  # noqa: PTH109 - a Path would take longer to import
    except FileNotFoundError:
        raise UsageError("the current folder was deleted: change to another folder") from None
