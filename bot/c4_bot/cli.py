"""The start of ``c4-bot``.

Importing this module takes hardly any time, so that Ctrl-C is handled from the beginning.
"""

import signal
import sys


def main(argv: list[str] | None = None) -> int:
    """Run ``c4-bot``; return its exit code. Ctrl-C ends it immediately, even during a search."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from c4_protocol.program.streams import collect_garbage_rarely, prepare_streams

    collect_garbage_rarely()
    prepare_streams()
    from c4_bot.commands.bot import run

    return run(sys.argv[1:] if argv is None else argv)
