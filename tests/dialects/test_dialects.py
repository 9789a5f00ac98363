"""Defaults of all dialects, and the choice of a dialect by the first line."""

import pytest
from c4_protocol.dialects import bot_end_for, c4engine, codingame, jsonl, moves, uci


@pytest.mark.parametrize(
    ("line", "module"),
    [
        (b'{"grid":[[0]]}', jsonl),
        (b'{"grid":[[0,', jsonl),
        (b":exit", jsonl),
        (b"hello", jsonl),
        (b"[1,2,3]", jsonl),
        (b"300", jsonl),
        (b"03", jsonl),
        (b"-1", jsonl),
        (b"3.5", jsonl),
        (b"99", jsonl),
        (b"go!!", jsonl),
        (b"0 0", jsonl),
        (b"1 0 1", jsonl),
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
        (b"go", c4engine),
        (b"go stime 3 ftime 3", c4engine),
        (b"position startpos 0123", c4engine),
        (b"isready", c4engine),
        (b"uci", uci),
        (b"ucinewgame", uci),
        (b"setoption name UCI_Variant value cfour", uci),
        (b"position startpos moves P@d1", uci),
        (b"position fen 7/7/7/7/7/7[] w - - 0 1", uci),
        (b"go wtime 5 btime 5", uci),
        (b"go movetime 5", uci),
        (b"go infinite", uci),
        (b"0 1", codingame),
        (b"1 0", codingame),
        (b"1\t0", codingame),
        (b"go!", moves),
        (b"3", moves),
        (b"10", moves),
        (b"51", moves),
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
