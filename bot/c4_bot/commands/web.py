"""``c4-bot --web``: opens the board in the browser, or copies it into a folder.

Reports of ``c4-referee`` start this command, so modules that a copy does not need are imported
late.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import STANDARD

from c4_bot.commands._arguments import board
from c4_bot.web import CONNECTS, HEIGHTS, INDEX, WIDTHS, copy_page, page_index

if TYPE_CHECKING:
    from c4_protocol.rules.variant import Variant

LEVEL = 3
"""Level of the opponent if the address does not contain a level."""
PERFECT, MOST_CELLS = 10, 42
"""The highest level, and the maximum number of cells for it on the page, as in ``game.js``."""
REDIRECT = """\
<!DOCTYPE html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={0}">
<a href="{0}">Connect Four</a>
"""


def run(options: argparse.Namespace) -> int:
    """Print the address of the board, and open it unless an option forbids it; return 0."""
    if options.out == "":
        raise UsageError("--out: the name is empty: name a folder")
    fragment = "".join(f"&{part}" for part in _settings(options))
    if options.out is None:
        index = page_index()
    else:
        copy_page(Path(options.out))
        index = Path(options.out, INDEX)
    address = index.absolute().as_uri() + (fragment and f"#{fragment}")
    print(address, flush=True)
    if options.out is None and not options.no_open:
        _open(address)
    return 0


def _open(address: str) -> None:
    import webbrowser

    try:
        is_open = webbrowser.open(_redirected(address) if "#" in address else address)
    except OSError:
        is_open = False
    if not is_open:
        print("c4-bot: could not open a browser: open the address above yourself", file=sys.stderr)


def _redirected(address: str) -> str:
    """Return the address of a new file that leads to an address.

    Programs such as ``xdg-open`` drop the part after ``#`` from the address of a file.
    """
    from html import escape
    from tempfile import NamedTemporaryFile

    with NamedTemporaryFile("w", prefix="c4-bot-", suffix=".html", delete=False) as file:
        file.write(REDIRECT.format(escape(address)))
    return Path(file.name).as_uri()


def _settings(options: argparse.Namespace) -> Iterator[str]:
    """Yield the settings that differ from the defaults, in the form and order of the address."""
    size = options.width, options.height, options.connect
    if size != (None, None, None):
        variant = _board(*size)
        if options.level == PERFECT and variant.cells > MOST_CELLS:
            raise UsageError(
                f"--web: level {PERFECT} plays on boards of up to {MOST_CELLS} cells: say --level "
                f"{PERFECT - 1} or choose a smaller board"
            )
        if variant != STANDARD:
            yield f"board={variant.size}x{variant.connect}"
    if options.level not in {None, LEVEL}:
        yield f"level={options.level}"
    if options.player == 2:
        yield "side=2"


def _board(width: str | None, height: str | None, connect: int | None) -> "Variant":
    """Return the board with these sides; raise ``UsageError`` if the page does not have it."""
    variant = board(width, height, connect)
    if (
        variant.width not in WIDTHS
        or variant.height not in HEIGHTS
        or variant.connect not in CONNECTS
    ):
        raise UsageError(
            f"--web: a board has {WIDTHS[0]} to {WIDTHS[-1]} columns, {HEIGHTS[0]} to "
            f"{HEIGHTS[-1]} rows and lines of {CONNECTS[0]} to {CONNECTS[-1]}: play on other "
            "boards with --play"
        )
    return variant
