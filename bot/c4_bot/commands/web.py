"""``c4-bot --web``: opens the board in the browser, or copies it into a folder.

A report of ``c4-referee`` waits for a copy, so modules that no copy needs are imported late.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import STANDARD

from c4_bot.web import HEIGHTS, INDEX, MIN_CONNECT, WIDTHS, copy_page, page_index

LEVEL = 3
"""Level of the opponent on the page, if its address does not say another one."""


def run(options: argparse.Namespace) -> int:
    """Print the address of the board, and open it if the user wants that; return the exit code."""
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

    if not webbrowser.open(address):
        print("c4-bot: found no browser: open this address in one", file=sys.stderr)


def _settings(options: argparse.Namespace) -> Iterator[str]:
    """Yield the settings of the page that differ from its defaults, as its address has them."""
    if options.level not in {None, LEVEL}:
        yield f"level={options.level}"
    if options.player == 2:
        yield "side=2"
    size = options.width, options.height, options.connect
    if size != (None, None, None):
        yield from _board_setting(*size)


def _board_setting(width: str | None, height: str | None, connect: int | None) -> Iterator[str]:
    """Yield the setting of a board other than the standard one."""
    from c4_bot.play import board

    variant = board(width, height, connect)
    if (
        variant.width not in WIDTHS
        or variant.height not in HEIGHTS
        or variant.connect < MIN_CONNECT
    ):
        raise UsageError(
            f"--web: a board has {WIDTHS[0]} to {WIDTHS[-1]} columns, {HEIGHTS[0]} to "
            f"{HEIGHTS[-1]} rows and lines of at least {MIN_CONNECT}: play on other boards with "
            "--play"
        )
    if variant != STANDARD:
        yield f"board={variant.size}x{variant.connect}"
