"""``python -m c4_bot.book``: makes the opening book; each run continues the last one.

A run that is stopped by Ctrl-C writes all known scores to the book. Exit code: 0 if the book is
complete, or if --write-only wrote it; 1 if that failed; 2 for a bad command line; 130 if stopped by
Ctrl-C.
"""

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from c4_protocol.program.errors import ArenaError, BookError, VariantError
from c4_protocol.program.parser import whole_number
from c4_protocol.program.processors import usable_processors
from c4_protocol.rules.variant import Variant

from c4_bot.book import BOOK_PATH
from c4_bot.book.book_file import Book, write_book
from c4_bot.book.make import Progress, derive_scores, read_progress, solve_missing

EXIT_AFTER_CTRL_C = 130
SECONDS_BETWEEN_REPORTS = 60
"""Seconds between two lines of progress."""


def main(argv: Sequence[str] | None = None) -> int:
    """Solve the missing positions and write the book; return the exit code."""
    options = _argument_parser().parse_args(argv)
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell may have made us ignore them
        signal.signal(number, signal.default_int_handler)
    try:
        if options.write_only:
            return _write_book(options, read_progress(options.progress, options.variant)[0])
        return _make_book(options)
    except (ArenaError, OSError) as error:
        sys.stderr.write(f"c4_bot.book: {error}\n")
        return 1
    except KeyboardInterrupt:
        return EXIT_AFTER_CTRL_C


def _make_book(options: argparse.Namespace) -> int:
    with Progress(options.progress, options.variant) as progress:
        if options.out.exists():  # a deeper book can use its scores
            book = Book(options.out)
            if book.variant != options.variant:
                raise BookError(f"{options.out} is a book for {book.variant.size}")
            progress.scores = dict(book) | progress.scores
        try:
            _solve_missing_positions(options, progress)
        except KeyboardInterrupt:
            sys.stderr.write("stopped; the same command continues from here\n")
            _write_book(options, progress.scores)
            return EXIT_AFTER_CTRL_C
        return _write_book(options, progress.scores)


def _solve_missing_positions(options: argparse.Namespace, progress: Progress) -> None:
    began, first, reported = time.monotonic(), None, 0.0
    for left in solve_missing(options.variant, options.plies, progress, options.jobs):
        now = time.monotonic()
        first = left if first is None else first
        if now - reported > SECONDS_BETWEEN_REPORTS or not left:
            reported, rate = now, (first - left) / (now - began + 1e-9)
            hours = f", {left / rate / 3600:.1f} h left" if rate else ""
            counts = f"{left} positions to solve, {rate:.0f} a second{hours}"
            sys.stderr.write(f"{options.plies} plies: {counts}\n")


def _write_book(options: argparse.Namespace, known_scores: dict[int, int]) -> int:
    scores = derive_scores(options.variant, options.plies, known_scores)
    write_book(options.out, options.variant, options.plies, sorted(scores.items()))
    size = options.out.stat().st_size / 1e6
    sys.stderr.write(f"{options.out}: {len(scores)} positions, {size:.1f} MB\n")
    return 0


def _argument_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m c4_bot.book",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add, number, processors = parser.add_argument, whole_number(1, 1000), len(usable_processors())
    add("--plies", type=number, default=11, metavar="N", help="positions of up to N stones (11)")
    add("--jobs", type=number, default=processors, metavar="N", help="threads (all cores)")
    book = "the book (the one in c4_bot/book)"
    add("--out", type=Path, default=BOOK_PATH, metavar="FILE", help=book)
    progress = "file of the solved positions (7x6.progress)"
    add("--progress", type=Path, default=Path("7x6.progress"), metavar="FILE", help=progress)
    add("--write-only", action="store_true", help="write known scores to the book, solve nothing")
    add("--variant", type=_variant, default=Variant(), metavar="WxH", help="another board (7x6)")
    return parser


def _variant(text: str) -> Variant:
    try:
        variant = Variant.parse(text)
    except VariantError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if variant != Variant(variant.width, variant.height) or variant.bits > 58:
        raise argparse.ArgumentTypeError(f"books are for boards of 58 bits and lines of 4: {text}")
    return variant


if __name__ == "__main__":
    sys.exit(main())
