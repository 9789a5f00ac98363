"""Tables of options, and the board that options describe."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from c4_protocol.program.errors import UsageError, VariantError

if TYPE_CHECKING:
    from c4_protocol.rules.variant import Variant


def add_options(
    group: argparse._ActionsContainer, texts: Mapping[str, str], **settings: dict[str, Any]
) -> None:
    """Add an argument for each text: its key is the name, followed by that of the value, if any.

    ``settings`` are more settings of argparse, by the name of the attribute that gets the value.
    """
    for key, text in texts.items():
        name, _, value = key.partition(" ")
        usual = {"metavar": value} if value else {"action": "store_true"}
        more = settings.get(name.lstrip("-").replace("-", "_"), {})
        group.add_argument(name, help=text, **usual | more)


def board(width: str | None, height: str | None, connect: int | None) -> "Variant":
    """Return the variant with these sides. ``None`` stands for the default: 7x6, lines of 4.

    Raises ``UsageError`` if there is no such board, or if no line fits on it.
    """
    from c4_protocol.rules.variant import Variant

    try:
        variant = Variant(
            _parsed_side("--width", width, 7), _parsed_side("--height", height, 6), connect or 4
        )
    except VariantError as error:
        raise UsageError(f"--width, --height: {error}") from None
    longest = max(variant.width, variant.height)
    if variant.connect > longest:
        raise UsageError(
            f"{variant.connect} in a row do not fit on a board of {variant.size}: say --connect N, "
            f"at most {longest}, or choose a larger board"
        )
    return variant


def _parsed_side(flag: str, text: str | None, default: int) -> int:
    """Return the number of cells in the text after a flag; raise ``UsageError`` for other texts."""
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UsageError(f"{flag} {text}: say a whole number of cells")
    return int(text)
