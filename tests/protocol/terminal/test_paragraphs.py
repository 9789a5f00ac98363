"""Paragraphs fit into terminals, stay whole in files, and do not control either."""

import io

import pytest
from c4_protocol.terminal.console import SafeConsole
from c4_protocol.terminal.paragraphs import Paragraph, fitted_lines, paragraph, print_paragraphs
from rich.cells import cell_len
from rich.text import Text

HOSTILE = "\x1b[2J\u202e</script> [bold]x[/bold] \u4e2d\u4e2d " + "long" * 50


def console(encoding: str = "utf-8") -> SafeConsole:
    """Return a console with an encoding."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    return SafeConsole(file=stream, highlight=False, width=30)


def printed(encoding: str, width: int | None, *paragraphs: Paragraph) -> list[str]:
    """Return the lines that are printed for some paragraphs."""
    made = console(encoding)
    print_paragraphs(made, paragraphs, width)
    made.file.flush()
    return made.file.buffer.getvalue().decode(encoding).splitlines()


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_lines_fit_after_escaping(encoding):
    """No line is wider than the terminal, although escapes are longer than what they replace."""
    lines = printed(encoding, 30, paragraph(HOSTILE, 4))
    assert all(cell_len(line) <= 30 and line.isprintable() for line in lines)
    assert all(line.startswith("    ") for line in lines)
    text = "".join(line.strip() for line in lines)
    assert "\\x1b[2J\\u202e</script>" in text
    assert "[bold]x[/bold]" in text
    assert ("\\u4e2d" in text) == (encoding == "ascii")


def test_file_gets_whole_lines():
    """Without a width, each paragraph is one line."""
    lines = printed("utf-8", None, paragraph(HOSTILE, 2), paragraph(""), paragraph("end"))
    assert len(lines) == 3
    assert lines[0].endswith("long" * 50)
    assert lines[1:] == ["", "end"]


def test_styles_stay_with_their_words():
    """Escapes before a styled word do not move its style."""
    (line,) = fitted_lines(console(), [Paragraph(Text("\x1b ").append("red", "red"))], None)
    styled = [line.plain[span.start : span.end] for span in line.spans if span.style]
    assert (line.plain, styled[-1]) == ("\\x1b red", "red")


def test_terminal_without_width_gets_lines_all_the_same():
    """A terminal that is narrower than the indentation gets short lines."""
    assert printed("utf-8", 1, paragraph("some words here", 4))
