"""Paragraphs of text, broken into lines for a terminal or left whole for a file.

Texts of other people become harmless here, before their width is measured: an escape is longer than
the character that it replaces.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from rich.console import Console
from rich.text import Text

from c4_protocol.program.text import visible

LEAST_WIDTH = 10
"""Minimum width of an indented paragraph, in characters."""
LINES_AT_ONCE = 100
"""Maximum number of lines that are printed with one call, which takes a fourth of the time of one
call for each line."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text without line breaks, and the number of blanks before each of its lines.

    ``Text`` drops some control characters. ``paragraph`` shows them as escapes.
    """

    text: Text
    indent: int = 0


def paragraph(text: str, indent: int = 0, style: str = "") -> Paragraph:
    """Return a paragraph of one style."""
    return Paragraph(Text(visible(text.expandtabs()), style), indent)


def width_of_output(console: Console) -> int | None:
    """Return the width of a terminal, or ``None`` for a file or a pipe, whose lines stay whole."""
    return console.width if console.file.isatty() else None


def print_paragraphs(console: Console, paragraphs: Iterable[Paragraph], width: int | None) -> None:
    """Print paragraphs. Lines have at most ``width`` characters, or any number for ``None``."""
    lines = fitted_lines(console, paragraphs, width)
    while batch := [*islice(lines, LINES_AT_ONCE)]:
        console.print(Text("\n").join(batch), soft_wrap=True)


def fitted_lines(
    console: Console, paragraphs: Iterable[Paragraph], width: int | None
) -> Iterator[Text]:
    """Yield the lines of paragraphs, with escapes for what the console cannot show."""
    for one in paragraphs:
        text = _harmless(console, one.text)
        if width is None:
            yield Text(" " * one.indent).append_text(text)
            continue
        for line in text.wrap(console, max(width - one.indent, LEAST_WIDTH), overflow="fold"):
            line.rstrip()
            yield Text(" " * one.indent).append_text(line)


def _harmless(console: Console, text: Text) -> Text:
    """Return the text with escapes for what is not printable or not in the console's encoding."""
    encoding, harmless = console.encoding, Text()
    for part in text.render(console, end=""):
        escaped = visible(part.text).encode(encoding, "backslashreplace").decode(encoding)
        harmless.append(escaped, part.style or "")
    return harmless
