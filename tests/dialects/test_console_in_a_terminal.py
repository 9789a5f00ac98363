"""4-in-a-Line at the console: in a terminal, and in a pipe."""

import re
import sys
from pathlib import Path

import pexpect
import pytest
from effort import sampled

BOT = str(Path(sys.executable).parent / "c4-bot")
CONSOLE = ("--dialect", "console", "--time-ms", "40", "--seed", "5")
CELLS = [f"{row}{column}" for row in "hgfedcba" for column in range(1, 9)]


@pytest.mark.parametrize(
    ("player", "side"),
    sampled([(name, side) for name in ("strong", "random") for side in "op"], [("random", "o")]),
)
def test_game_is_played_in_a_terminal(player, side):
    """Each question is seen before it is answered, and the program ends after the result."""
    child = pexpect.spawn(BOT, [*CONSOLE, "--plays", player], encoding="utf-8", timeout=300)
    for question, answer in ((r"\(1 to 30\): ", "1"), (r"\(p/o\): ", side)):
        child.expect(question)
        child.sendline(answer)
    cells = iter(CELLS)
    while child.expect([r"next move: ", r"(Player|Opponent) wins\.|A draw\."]) == 0:
        child.sendline(next(cells))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_pipe_is_as_good_as_a_terminal(c4_bot):
    """All entries can come through a pipe. Entries after the end of the game are ignored."""
    entries = ["31", "1", "x", "o", "d5", "e5", "c5", *CELLS, *CELLS]
    done = c4_bot(*CONSOLE, "--plays", "strong", stdin="\n".join(entries).encode())
    assert (done.stderr, done.returncode) == (b"", 0)
    text = done.stdout.decode()
    assert re.search(r" wins\n[^.]*\n.* wins\.\n$", text)
    log, *_ = text.split(" vs. ")[-1].split("Player's move")
    moves = re.findall(r" ([a-h][1-8])", log)
    assert len({*moves}) == len(moves) > 4
    shown = re.findall(r"^Player's move is: (..)$", text, re.MULTILINE)
    assert shown == moves[1::2][: len(shown)]


def test_player_of_another_game_is_refused_before_any_question(c4_bot):
    """A player of another game is refused in one line, before the first question."""
    done = c4_bot("--dialect", "console", "--plays", "needed", stdin=b"5\no\nd4\n")
    assert (done.returncode, done.stdout) == (2, b"")
    reason = b"player 'needed' plays only games with gravity, in which stones fall"
    assert done.stderr == b"c4-bot: %b\n" % reason
