"""The opening book of 7x6: exact scores of all positions of few stones, and the tool that made it.

``python -m c4_bot.book`` makes it, from where the last run stopped.
"""

import sys
from functools import cache
from pathlib import Path

from c4_protocol.errors import BookError

from c4_bot.book.file import Book

PATH = Path(__file__).parent / "7x6.book"


@cache
def default_book() -> Book | None:
    """The book that is installed; ``None`` without one, or, said once on stderr, if it is damaged.

    It is opened by the first call, as programs start faster without.
    """
    if not PATH.exists():
        return None
    try:
        return Book(PATH)
    except BookError as error:
        sys.stderr.write(f"c4: {error}; going on without it\n")
        return None
