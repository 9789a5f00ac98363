"""Texts of other people, made harmless before they are shown or stored.

A control character can erase or rewrite what a terminal shows. A formatting character can reverse
the order of letters, or make two different names look equal.
"""


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
    from unicodedata import category  # noqa: PLC0415 - bots do not need it

    return all(sign.isprintable() or sign in keep or category(sign) == "Cn" for sign in text)


def check_name(text: str) -> str:
    """Return the text if it can be the name of a bot, otherwise raise ``ValueError``.

    All files with results of games can hold such a name, and it is read as it was written.
    """
    if not text or text != text.strip() or not text.isprintable():
        raise ValueError(
            f"{text!r} cannot be a name: a name is not empty, has no blanks around it, and has "
            "only printable characters"
        )
    return text
