"""What the commands print for people in a terminal of 80 columns: no line is broken by it."""

from argparse import ArgumentParser

import c4_bot.cli
import manual
import pytest
from c4_bot import registry

COLUMNS = 80
WIDEST = COLUMNS - 1
"""A line of 80 characters moves the cursor of some terminals to the next line."""


def _helps():
    """Return the help of every command, and of every command that it has, by name."""
    parsers = [make() for make, _ in manual.COMMANDS.values()]
    parsers += [own for parser in parsers for own in manual.subcommands(parser).values()]
    return {parser.prog: parser for parser in parsers}


HELPS = _helps()


def _too_wide(text):
    return [line for line in text.splitlines() if len(line) > WIDEST]


@pytest.mark.parametrize("name", HELPS)
def test_help_fits_in_80_columns(name, monkeypatch):
    """Neither argparse's own lines nor the text after them are wider than the terminal."""
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    parser: ArgumentParser = HELPS[name]
    assert _too_wide(parser.format_help()) == []


def test_help_of_every_command_is_measured():
    """The four programs, and the commands of two of them."""
    assert {"c4-bot", "c4-solve", "c4-referee match", "c4-tune judge"} < set(HELPS)


def test_list_of_players_fits_in_80_columns():
    """One line for each player."""
    assert _too_wide(registry.listing()) == []


def test_line_of_a_waiting_bot_fits_in_80_columns():
    """It is the first thing that people see who start c4-bot in a terminal."""
    assert _too_wide(c4_bot.cli.WAITING) == []
