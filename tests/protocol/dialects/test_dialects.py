"""Defaults of all dialects, and the choice of a dialect by the first line."""

import pytest
from c4_protocol.dialects import bot_end_for, c4engine, jsonl


@pytest.mark.parametrize(
    ("line", "module"),
    [
        (b'{"grid":[[0]]}', jsonl),
        (b'{"grid":[[0,', jsonl),
        (b":exit", jsonl),
        (b"hello", jsonl),
        (b"[1,2,3]", jsonl),
        (b"3", jsonl),
        (b"gopher", jsonl),
        (b"names", jsonl),
        (b"player", jsonl),
        (b"NAME", jsonl),
        (b"name", c4engine),
        (b"name AI 0", c4engine),
        (b"isready AI 0", c4engine),
        (b"position startpos", c4engine),
        (b"go\tftime 3", c4engine),
        (b"perft 3", c4engine),
        (b"quit", c4engine),
    ],
)
def test_first_line_decides_the_dialect(line, module):
    """The first line chooses the dialect. A line that fits none chooses the default dialect."""
    assert type(bot_end_for(line)) is module.BotEnd


def test_defaults_are_those_of_a_simple_dialect():
    """By default, ``perft`` is answered in one line, and unasked output is a fault."""
    assert jsonl.BotEnd().write_perft(3, 343) == b"perft 3 343\n"
    assert not jsonl.RefereeEnd().may_say(b"hello\n")
    assert not jsonl.RefereeEnd().may_say(b"")
