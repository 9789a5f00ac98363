"""Texts of the commands fit into a terminal of 80 columns, and their helps on one screen."""

from argparse import SUPPRESS

import c4_bot.commands.bot
import manual
import pytest
from c4_bot.player import registry
from c4_protocol.program.parser import Parser

COLUMNS = 80
SCREEN_LINES = 45
WIDEST = COLUMNS - 1
"""Maximum width. In some terminals, a line of 80 characters moves the cursor to the next line."""


def _helps():
    """Return the parsers of all commands and their subcommands by name."""
    parsers = [make() for make, _ in manual.COMMANDS.values()]
    parsers += [own for parser in parsers for own in manual.subcommands(parser).values()]
    return {parser.prog: parser for parser in parsers}


HELPS = _helps()


def _too_wide(text):
    return [line for line in text.splitlines() if len(line) > WIDEST]


@pytest.mark.parametrize("name", HELPS)
def test_help_fits_in_80_columns(name, monkeypatch):
    """No line of a help is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    parser: Parser = HELPS[name]
    assert _too_wide(parser.format_help()) == []
    assert _too_wide(parser.format_full_help()) == []


@pytest.mark.parametrize("name", HELPS)
def test_help_in_a_narrow_terminal_breaks_between_words(name, monkeypatch):
    """In 60 columns, only a line of one long word is wider."""
    monkeypatch.setenv("COLUMNS", "60")
    lines = HELPS[name].format_full_help().splitlines()
    assert [line for line in lines if len(line) > 60 and len(line.split()) > 1] == []


@pytest.mark.parametrize("name", HELPS)
def test_help_fits_on_one_screen(name, monkeypatch):
    """``--help`` takes at most 45 lines, and ``--help-all`` shows all other options."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    parser: Parser = HELPS[name]
    assert len(parser.format_help().splitlines()) <= SCREEN_LINES
    full = parser.format_full_help()
    named = [action for action in parser._actions if action.help != SUPPRESS]
    options = [option for action in named for option in action.option_strings]
    assert [option for option in options if option not in full] == []


@pytest.mark.parametrize(
    "name",
    sorted(
        set(HELPS)
        - {"c4-tune train"}
        - {f"c4-referee {command}" for command in ("doctor", "example", "list", "watch")}
    ),
)
def test_help_leaves_options_to_help_all(name):
    """A short help has its own usage, and parsing the full help later shows all options."""
    parser: Parser = HELPS[name]
    assert f"usage: {name} [OPTIONS]" in parser.format_help()
    assert len(parser.format_full_help()) > len(parser.format_help())
    assert "[OPTIONS]" not in parser.format_usage()


def test_help_of_every_command_is_measured():
    """The help of all programs, and of their subcommands, is measured."""
    assert {"c4-bot", "c4-solve", "c4-referee match", "c4-tune judge"} < set(HELPS)


def test_list_of_players_fits_in_80_columns():
    """The list of players fits into 80 columns."""
    assert _too_wide(registry.list_of_players()) == []


def test_line_of_a_waiting_bot_fits_in_80_columns():
    """The line that c4-bot shows while it waits in a terminal fits into 80 columns."""
    assert _too_wide(c4_bot.commands.bot.WAITING) == []
