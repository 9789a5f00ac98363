"""Defaults of all dialects, and the choice of a dialect by the first line."""

import re

import pytest
from c4_protocol.dialects import bot_end_for, c4engine, ccfi, codingame, jsonl, moves, uci

FIRST_LINES = {
    jsonl: """{"grid":[[0]]}|{"grid":[[0,|:exit|hello|[1,2,3]|300|03|-1|3.5|99|go!!|0 0|1 0 1|gopher
|names|player|NAME""",
    c4engine: """name|name AI 0|isready AI 0|position startpos|go\tftime 3|perft 3|quit|go|isready
|go stime 3 ftime 3|position startpos 0123""",
    ccfi: "newgame|newgame\t|position 7/7/7/7/7/7 x|position  xo5/7/7/7/7/7 x",
    uci: """uci|ucinewgame|setoption name UCI_Variant value cfour|position startpos moves P@d1
|position fen 7/7/7/7/7/7[] w - - 0 1|go wtime 5 btime 5|go movetime 5|go infinite""",
    codingame: "0 1|1 0|1\t0",
    moves: "go!|3|10|51",
}
"""First lines of conversations in each dialect, with a bar between two lines."""


@pytest.mark.parametrize(
    ("line", "module"),
    [(line, module) for module, text in FIRST_LINES.items() for line in re.split(r"\n?\|", text)],
)
def test_first_line_decides_the_dialect(line, module):
    """The first line chooses the dialect. A line that fits none chooses the default dialect."""
    assert type(bot_end_for(line.encode())) is module.BotEnd


def test_defaults_are_those_of_a_simple_dialect():
    """By default, ``perft`` is answered in one line, and unasked output is a fault."""
    assert jsonl.BotEnd().write_perft(3, 343) == b"perft 3 343\n"
    assert not jsonl.RefereeEnd().may_say(b"hello\n")
    assert not jsonl.RefereeEnd().may_say(b"")


def test_wrong_board_is_refused_with_the_dialect_only(c4_bot):
    """A wrong flag is an error only with ``--dialect moves``: drivers may append anything."""
    done = c4_bot("--dialect", "moves", "--width", "wide", stdin=b"go!\n")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"c4-bot: --width wide: say a whole number of cells\n"
    done = c4_bot("--width", "wide", stdin=b'{"grid":[[0]]}\n')
    assert (done.returncode, done.stderr) == (0, b"")
