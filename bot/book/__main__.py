"""``python -m bot.book``: makes the opening book, from where the last run stopped."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bot.book.make import Progress, finish, solve_all

BOOK = Path(__file__).parent / "7x6.book"


def main(argv: Sequence[str] | None = None) -> int:
    """Solves what is missing, ply by ply, and writes the book after each."""
    options = _parser().parse_args(argv)
    progress = Progress(options.progress)
    for plies in range(options.first, options.plies + 1):
        started = time.monotonic()
        for known, total in solve_all(plies, progress, options.jobs):
            seconds = time.monotonic() - started
            sys.stderr.write(f"\r{plies} plies: {known} of {total} in {seconds:.0f} s")
        size = finish(plies, progress, options.out)
        sys.stderr.write(f"\n{options.out}: {size} positions\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.book", description=__doc__)
    parser.add_argument("--plies", type=int, default=9, metavar="N", help="up to N stones")
    parser.add_argument("--first", type=int, default=8, metavar="N", help="solve from N stones on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes")
    parser.add_argument("--out", type=Path, default=BOOK, metavar="FILE", help="the book")
    parser.add_argument(
        "--progress",
        type=Path,
        default=Path("7x6.progress"),
        metavar="FILE",
        help="what has been solved so far",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
