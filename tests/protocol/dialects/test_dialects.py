"""What dialects have in common, and which one a first line belongs to."""

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
    """A line with which no other dialect begins belongs to the default dialect."""
    assert type(bot_end_for(line)) is module.BotEnd


def test_defaults_are_those_of_a_simple_dialect():
    """A count of positions is one line; between questions, a bot says nothing."""
    assert jsonl.BotEnd().write_perft(3, 343) == b"perft 3 343\n"
    assert not jsonl.RefereeEnd().may_say(b"hello\n")
    assert not jsonl.RefereeEnd().may_say(b"")
