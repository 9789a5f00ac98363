"""Exit codes and one-line errors of all commands."""

import os
import sys

from c4_protocol.program.errors import ArenaError
from c4_protocol.program.streams import OutputError
from c4_protocol.program.text import visible

TYPE_CHECKING = False  # an import of typing would take longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable


def exit_code(
    program: str,
    run: "Callable[[], int]",
    *,
    interrupted: str = "",
    out_of_memory: tuple[str, int] = ("there is not enough memory", 1),
) -> int:
    """Run a program and return its exit code; if it fails, print one line on standard error.

    ``interrupted`` is the line for Ctrl-C, unless the ``KeyboardInterrupt`` has a text.
    ``out_of_memory`` is the line and the exit code for the case that memory runs out.
    """
    try:
        return _code_after_output(run)
    except ArenaError as error:
        return print_failure(program, error, 2)
    except MemoryError:
        return print_failure(program, *out_of_memory)
    except UnicodeEncodeError as error:
        return print_failure(program, unencodable_text(error), 2)
    except OSError as error:
        return print_failure(program, error, 1)
    except KeyboardInterrupt as stop:
        reason = str(stop) or interrupted
        return print_failure(program, reason, 1) if reason else 1


def _code_after_output(run: "Callable[[], int]") -> int:
    """Run a program, write all its output, and return its exit code.

    If its output cannot be written, this raises the error now, and not at the end of the process.
    """
    try:
        code = run()
    except SystemExit:  # argparse has printed help or a message
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return code


def print_failure(program: str, reason: object, code: int) -> int:
    """Print one line with the reason why a program ends; return ``code``.

    If nobody reads its output any more, as with ``| head``, print nothing. Output that is still in
    a buffer is dropped: an attempt to write it would print a traceback.
    """
    if not (isinstance(reason, OutputError) and reason.is_unread):
        sys.stderr.write(f"{program}: {visible(str(reason))}\n")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return code


def unencodable_text(error: UnicodeEncodeError) -> str:
    """Return a text that says why the system cannot take a name or path, and what to do."""
    return f"this system cannot encode {error.object!r} as {error.encoding}: set PYTHONUTF8=1"
