"""Texts of other people, made harmless before they are shown or stored.

A control character can erase or rewrite what a terminal shows. A formatting character can reverse
the order of letters, or make two different names look equal.
"""

from collections.abc import Iterable, Iterator
from itertools import count

MAX_NAME_LENGTH = 200
"""Maximum length of a bot's name, in characters."""
UNKNOWN_NAME = "?"
"""Name of a bot that a file does not name. PGN has the same text for this."""
MAX_SHOWN_LENGTH = 60
"""Maximum number of characters of a wrong text that an error message shows."""
NO_CORE = "so searches run slowly, in Python"
"""Part of what ``c4-bot`` writes to standard error if it lacks its native core."""


def visible(text: str, keep: str = "") -> str:
    r"""Return the text with an escape, such as ``\x1b``, for each character that is not printable.

    The rule is that of ``str.isprintable``: control and formatting characters, separators other
    than the blank, lone surrogates, and private or unassigned code points are escaped. Characters
    in ``keep`` stay.
    """
    if text.isprintable():
        return text
    return "".join(
        sign if sign.isprintable() or sign in keep else repr(sign)[1:-1] for sign in text
    )


def is_visible(text: str, keep: str = "") -> bool:
    """Return whether ``visible`` made this text, perhaps on a machine with a newer Unicode.

    Code points that are unassigned here may be letters there, so they are accepted.
    """
    if text.isprintable():
        return True
    from unicodedata import category

    return all(sign.isprintable() or sign in keep or category(sign) == "Cn" for sign in text)


def shortened(text: str) -> str:
    """Return the text in quotes, with escapes, for an error message. A long text is cut."""
    more = "..." if len(text) > MAX_SHOWN_LENGTH else ""
    return f"{text[:MAX_SHOWN_LENGTH]!r}{more}"


def shown(value: object) -> str:
    """Return any value that a caller passed as one short line, for an error message."""
    try:
        text = repr(value)
    except Exception:  # for example, of a number with too many digits
        text = f"a value of the type {type(value).__name__}"
    line = " ".join(text.split())
    return line if len(line) <= MAX_SHOWN_LENGTH else line[:MAX_SHOWN_LENGTH] + "..."


def quoted(word: bytes) -> str:
    """Return the start of a word from a line in quotes, with escapes, for an error message."""
    return repr(word[:20].decode(errors="backslashreplace"))


def checked_name(text: str) -> str:
    """Return the name of a bot: the text without blanks around it, as ``visible`` shows it.

    All files with results of games can hold such a name, and it is read as it was written. Raises
    ``ValueError`` if the name is empty or too long.
    """
    name = visible(text.strip())
    if not name:
        raise ValueError(f"{shortened(text)} cannot be a name: a name is not empty")
    if len(name) > MAX_NAME_LENGTH:
        raise ValueError(
            f"{shortened(text)} cannot be a name: it has {len(name)} characters, and a name has "
            f"at most {MAX_NAME_LENGTH}"
        )
    return name


def shown_name(text: str) -> str:
    """Return any text as the name of a bot. A long name is cut."""
    return visible(text.strip())[:MAX_NAME_LENGTH].strip() or UNKNOWN_NAME


def numbered_names(name: str) -> Iterator[str]:
    """Generate ``name``, ``name (2)``, ``name (3)`` and so on. A long name is cut."""
    yield name
    for number in count(2):
        ending = f" ({number})"
        yield name[: MAX_NAME_LENGTH - len(ending)] + ending


def distinct_names(texts: Iterable[str]) -> dict[str, str]:
    """Return a name for each text, as ``shown_name`` does. Different texts get different names.

    If several texts would have one name, the text that is this name keeps it, and the others are
    numbered in their order.
    """
    names: dict[str, str] = {}
    taken = set[str]()
    for text in sorted(dict.fromkeys(texts), key=lambda text: text != shown_name(text)):
        names[text] = next(name for name in numbered_names(shown_name(text)) if name not in taken)
        taken.add(names[text])
    return names
