"""The console of reports shows hostile texts without obeying them."""

import io

import pytest
from c4_protocol.terminal.console import SafeConsole
from c4_referee.report.terminal.bot_tables import NumberColumn, bots_table
from rich.text import Text

HOSTILE = "\x1b[2J\x1b]0;title\x07 \x9b31m \u202eabc\u2028\x0b[bold]x[/bold]:smile:"


@pytest.fixture
def console():
    """Return a console that writes to a text as to a terminal."""
    return SafeConsole(file=io.StringIO(), force_terminal=True, highlight=False, width=200)


def test_text_does_not_control_the_terminal(console):
    """Control and formatting characters are shown as escapes, and markup as it is."""
    console.print(Text(HOSTILE))
    shown = "\\x1b[2J\\x1b]0;title \\x9b31m \\u202eabc\\u2028[bold]x[/bold]:smile:\n"
    assert console.file.getvalue() == shown


def test_name_in_a_table_does_not_control_the_terminal(console):
    """A table has no control and formatting characters but those of the console itself."""
    console.print(bots_table([HOSTILE], [NumberColumn("n", ["1"])], 200))
    written = console.file.getvalue()
    assert "\\x1b[2J\\x1b]0;title" in written
    own = written.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\n", "")
    assert own.isprintable()


def test_colours_and_line_ends_are_kept(console):
    """The console's own control codes pass, and so do line ends."""
    console.print(Text("one\ntwo", "red"))
    assert console.file.getvalue() == "\x1b[31mone\x1b[0m\n\x1b[31mtwo\x1b[0m\n"
