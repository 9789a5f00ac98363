"""The tree of exceptions."""

import re

from c4_protocol.program import errors


def drawn_tree() -> dict[str, str]:
    """Return the parent of each exception, as the docstring of ``errors.py`` draws it."""
    found: dict[str, str] = {}
    path: list[tuple[int, str]] = []
    for line in (errors.__doc__ or "").splitlines():
        if match := re.match(r"[\s│├└─]+([A-Z]\w+)  ", line):
            column = match.start(1)
            path = [(indent, name) for indent, name in path if indent < column]
            if path:
                found[match[1]] = path[-1][1]
            path.append((column, match[1]))
    return found


def real_tree(parent: type[Exception]) -> dict[str, str]:
    """Return the parent of each exception class that ``errors.py`` defines."""
    found = {}
    for child in parent.__subclasses__():
        if child.__module__ == errors.__name__:
            found |= {child.__name__: parent.__name__} | real_tree(child)
    return found


def test_drawn_tree_is_the_real_one() -> None:
    """The drawn tree has every exception below its base class, and nothing else."""
    assert drawn_tree() == real_tree(errors.ArenaError)


def test_every_exception_says_what_it_means() -> None:
    """Each exception has its own docstring."""
    for name in ("ArenaError", *drawn_tree()):
        assert vars(errors)[name].__doc__


def test_line_that_is_too_long_is_shown_from_its_start() -> None:
    """The message of a long line names only the limit. The line's start is an attribute."""
    error = errors.LineTooLong(5, b"0123")
    assert str(error) == "the line is longer than 5 bytes"
    assert error.start == b"0123"


def test_message_is_one_line() -> None:
    """Texts of other people in a message are made harmless."""
    assert str(errors.UsageError("no file 'a\nb\x1b'")) == r"no file 'a\nb\x1b'"
