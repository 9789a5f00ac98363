"""Options with which ``c4-bot`` runs no code of other people, and the kinds of their values.

The referee starts a bot without a sandbox if all words of its command are in this list. So an
option is in the list only if no value of its kind makes ``c4-bot`` import, read, write or start
something that the value names. The parser of ``c4-bot`` accepts only options that are in this
table. ``NOT_TRUSTED`` stands for options that are not harmless, or that no bot needs.
"""

import re
from collections.abc import Iterable, Sequence

FLAG = ""
NUMBER = r"-?\d{1,20}(\.\d{1,20})?"
NUMBERS = r"-?\d{1,20}(,-?\d{1,20}){0,99}"
NAME = r"[a-z0-9]{1,40}(-[a-z0-9]{1,40}){0,9}"
SETTING = rf"[a-z_]{{1,40}}=(true|false|{NUMBER}|{NUMBERS}|\[{NUMBERS}\])"
NOT_TRUSTED = None
"""Kinds of values, as patterns for the whole value. A flag has no value."""
POSITIONAL = "ignored"
"""Name in the table of words that belong to no option, such as those that drivers append."""
OPTIONS = {
    "--plays": NAME,
    "--level": NUMBER,
    "--depth": NUMBER,
    "--time-ms": NUMBER,
    "--nodes": NUMBER,
    "--threads": NUMBER,
    "--seed": NUMBER,
    "--weights": NUMBERS,
    "--set": SETTING,
    "--evaluator": NOT_TRUSTED,
    "--dialect": NAME,
    "--info": FLAG,
    "--verbose": FLAG,
    "--serve": FLAG,
    "--play": NOT_TRUSTED,
    "--web": NOT_TRUSTED,
    "--no-open": NOT_TRUSTED,
    "--out": NOT_TRUSTED,
    "--puzzle": NOT_TRUSTED,
    "--connect": NUMBER,
    "--player": NUMBER,
    "--width": NUMBER,
    "--height": NUMBER,
    "--one-variant": FLAG,
    POSITIONAL: NUMBER,
    "--list": NOT_TRUSTED,
    "--json": NOT_TRUSTED,
}
"""All options of ``c4-bot``, except those of all commands, which print something and stop."""


def check_decided(options: Iterable[str]) -> None:
    """Raise ``LookupError`` for an option that is not in the table, or is there as another kind.

    The name of its value follows the name of an option, with a blank between them.
    """
    for name, blank, _ in (option.partition(" ") for option in options):
        kind = OPTIONS[name]
        if kind is not NOT_TRUSTED and bool(blank) != bool(kind):
            raise LookupError(f"{name} is not of the kind {kind!r}")


def are_trusted(words: Sequence[str]) -> bool:
    """Return whether ``c4-bot`` with these words runs no code of other people.

    Each word is a whole option of the table, or a value without blanks that is no option. So no
    word is read in another way: as an abbreviation, or as several words.
    """
    rest = iter(words)
    for word in rest:
        name, sign, value = word.partition("=") if word[:1] == "-" else (POSITIONAL, "=", word)
        kind = OPTIONS.get(name)
        if kind and not sign:
            value = next(rest, "")
        if kind is None or not re.fullmatch(kind, value, re.ASCII):
            return False
    return True
