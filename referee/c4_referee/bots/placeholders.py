"""Functions that split a bot's command line into words and fill in its placeholders.

The drivers of the course CSCI 4202 append arguments to a bot's command. Most bots written for the
course do not start without these arguments. Therefore a command may contain placeholders. For
example, ``{player}`` is replaced by the seat that the bot has in the game.
"""

import re
import shlex
from collections.abc import Sequence
from typing import Literal, NamedTuple

from c4_protocol.rules.variant import Variant

SHELL_WORDS = {"|", "||", "&", "&&", ";", "<", ">", ">>", "2>"}
PLACEHOLDER_PATTERN = re.compile(r"\{(player|width|height|connect|time_ms)\}")

Arguments = Literal["none", "course", "positional"]
"""Names of the lists of arguments that can be appended to a bot's command (``APPENDED_WORDS``)."""

APPENDED_WORDS: dict[Arguments, tuple[str, ...]] = {
    "none": (),
    "course": ("--player", "{player}", "--width", "{width}", "--height", "{height}"),
    "positional": ("{player}", "{player}", "{width}", "{width}", "{height}", "{height}"),
}
"""Words that are appended to a bot's command, as the drivers of the course do."""


class CommandValues(NamedTuple):
    """Values of a command's placeholders in one game.

    ``player`` is the seat of the bot, 1 or 2. ``time_ms`` is its time for a move in milliseconds.
    """

    player: int
    variant: Variant
    time_ms: float


def split_command(text: str) -> tuple[str, ...]:
    """Split a command line into words, as a shell does, or raise ``ValueError``."""
    try:
        text.encode()
        words = tuple(shlex.split(text))
    except UnicodeEncodeError:
        raise ValueError("its command line is not UTF-8") from None
    if not words:
        raise ValueError("there is no command; write one, or a name from the --bots file") from None
    if special := SHELL_WORDS.intersection(words):
        raise ValueError(f"no shell reads {special.pop()!r} here: say sh -c '...'") from None
    return words


def placeholders_in(words: Sequence[str]) -> set[str]:
    """Return the names of the placeholders in these words."""
    return {name for word in words for name in PLACEHOLDER_PATTERN.findall(word)}


def filled_in(words: Sequence[str], values: CommandValues) -> tuple[str, ...]:
    """Return the words with every placeholder replaced. Other braces stay as they are."""
    texts = {
        "player": values.player,
        "width": values.variant.width,
        "height": values.variant.height,
        "connect": values.variant.connect,
        "time_ms": max(int(values.time_ms), 1),
    }
    return tuple(
        PLACEHOLDER_PATTERN.sub(lambda found: str(texts[found[1]]), word) for word in words
    )
