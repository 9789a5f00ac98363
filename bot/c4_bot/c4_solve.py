"""The command ``c4-solve``, also as ``python -m c4_bot.c4_solve``, or by the path of this file.

It changes the search path for modules as ``c4_bot.__main__`` does. Importing this module takes
hardly any time, so that Ctrl-C is handled from the beginning.
"""

import os
import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]
    if not __package__:
        sys.path.insert(0, __file__.rsplit(os.sep, 2)[0])
        import c4_bot  # noqa: F401

        sys.path.append(sys.path.pop(0))


def main(argv: list[str] | None = None) -> int:
    """Run ``c4-solve``; return its exit code. Ctrl-C ends it immediately, even during a search."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from c4_protocol.program.streams import collect_garbage_rarely, prepare_streams

    collect_garbage_rarely()
    prepare_streams()
    from c4_bot.commands.solve import run

    return run(sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
