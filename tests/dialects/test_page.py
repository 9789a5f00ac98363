"""Statements of docs/dialects.md are checked. ``test_documents.py`` runs its commands."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from c4_protocol import dialects
from c4_protocol.dialects import RefereeEnd
from c4_protocol.records.messages import Reply
from c4_protocol.rules.notation import cell_of_wire
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import CODINGAME, LINE8, STANDARD, Variant
from c4_referee.bots.find import bots_from_tables

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "dialects.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
BOT = Path(sys.executable).parent / "c4-bot"
GAMES = {
    "all": (STANDARD, CODINGAME, LINE8, Variant(8, 7), Variant(9, 7, 5)),
    "standard": (STANDARD,),
    "four in a row, any board": (STANDARD, Variant(8, 7)),
    "codingame": (CODINGAME,),
    "all with gravity and without steal": (STANDARD, Variant(8, 7), Variant(9, 7, 5)),
}
"""Games for each entry of the column "Games" on the page, among those of ``all``."""


def conversation(name: str) -> list[tuple[str, str]]:
    """Return the lines of a conversation, each with its writer."""
    block = re.search(r"^```text\n(.*?)^```$", SECTIONS[name], re.DOTALL | re.MULTILINE)[1]
    return [(line[:9].strip(), line[9:]) for line in block.splitlines()]


def rows() -> dict[str, list[str]]:
    """Return the cells of the page's table after the name, by dialect."""
    found = re.findall(r"^\| \[`(\w+)`\]\(#\1\) \| (.*) \|$", PAGE, re.MULTILINE)
    return {name: rest.split(" | ") for name, rest in found}


def positions(variant: Variant) -> Iterator[Position]:
    """Yield the positions of the page's questions, after a move in the middle by each player."""
    middle = variant.width // 2
    position = Position(variant)
    if variant == CODINGAME:
        yield position.play(position.check(middle))
        return
    yield position
    position = position.play(position.check(middle))
    yield position.play(position.check(middle))


def test_page_has_every_dialect():
    """The page has a section and a row of its table for each dialect."""
    assert set(SECTIONS) == set(rows()) == set(dialects.names())


@pytest.mark.parametrize("name", dialects.referee_names())
def test_row_of_the_table_is_true(name):
    """The table has the games, openings and runs that the referee's end allows."""
    _, games, openings, runs, answer = rows()[name]
    end = dialects.referee_end(name)
    assert {v for v in GAMES["all"] if describes(end, v)} == set(GAMES[games])
    assert openings == ("no" if end.starts_empty else "yes")
    assert runs == ("one" if end.plays_one_game else "many")
    written = [line for who, line in conversation(name) if who == "bot"]
    assert answer.strip("`") in written or name == "codingame"


def describes(end: RefereeEnd, variant: Variant) -> bool:
    """Return whether a referee's end can describe games of a variant."""
    try:
        end.check_variant(variant)
    except dialects.VariantError:
        return False
    return True


@pytest.mark.parametrize("name", dialects.referee_names())
def test_referee_writes_the_lines_of_the_page(name):
    """The referee's end writes the referee's lines, and understands those of the bot."""
    end = dialects.referee_end(name)
    written = iter(conversation(name))
    for position in positions(end.variant or STANDARD):
        words, cell = end.write_precept(position), None
        while cell is None:
            for line in words.decode().splitlines():
                assert next(written) == ("referee", line.rstrip())
            words = b""
            while not words and cell is None:
                who, line = next(written)
                assert who == "bot"
                found = end.read_move(line.encode())
                if isinstance(found, Reply):
                    words = found.text
                else:
                    cell = cell_of_wire(position, found)
    rest = [line for who, line in written if who == "referee"]
    assert rest == end.farewell.decode().splitlines()


@pytest.mark.parametrize("name", dialects.referee_names())
def test_bot_writes_the_lines_of_the_page(name):
    """``c4-bot`` finds the dialect by itself, and writes the bot's lines."""
    lines = conversation(name)
    sent = "".join(f"{line}\n" for who, line in lines if who == "referee")
    player = ["--depth", "6"] if name == "codingame" else ["--plays", "needed", "--depth", "4"]
    done = subprocess.run([BOT, *player], input=sent, capture_output=True, check=True, text=True)
    assert done.stdout.splitlines() == [line for who, line in lines if who == "bot"]
    assert done.stderr == ""


@pytest.mark.parametrize("name", dialects.referee_names())
def test_table_of_a_bot_names_its_dialect(name):
    """The table of a bot in a section can be read, and names the section's dialect."""
    block = re.search(r"^```toml\n(.*?)^```$", SECTIONS[name], re.DOTALL | re.MULTILINE)[1]
    (bot,) = bots_from_tables(tomllib.loads(block)["bots"], "the page").values()
    assert bot.dialect == name
