"""The opening book of 7x6: exact scores of all positions with few stones, and how to make it.

``python -m c4_bot.book`` makes the book. It continues where the last run stopped.
"""

import sys
from functools import cache
from pathlib import Path

from c4_protocol.program.errors import BookError
from c4_protocol.rules.variant import STANDARD, Variant

from c4_bot.book.book_file import Book

BOOK_PATH = Path(__file__).parent / "7x6.book"


@cache
def default_book() -> Book | None:
    """Return the installed book; ``None`` if no book is installed or the book is damaged.

    The first call opens the book, not the import of this module, so that programs start faster. A
    damaged book is reported on standard error once.
    """
    if not BOOK_PATH.exists():
        return None
    try:
        return Book(BOOK_PATH)
    except BookError as error:
        sys.stderr.write(f"c4: {error}; continuing without it\n")
        return None


def book_of(variant: Variant) -> Book | None:
    """Return the installed book if it is for this variant, or for this variant with the steal."""
    return default_book() if variant.without_steal == STANDARD else None
