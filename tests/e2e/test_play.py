"""``c4-bot --play``: a person at a terminal, and entries from a pipe."""

import os
import re
import sys
import time
from pathlib import Path

import pexpect
import pytest

BOT = str(Path(sys.executable).parent / "c4-bot")
EASY = ("--plays", "random", "--seed", "3")
PROMPT = r"Your move, [XO] \(column 1 to \d+\): "
AGAIN = r"Play again\? \(yes, no or undo\): "


def terminal(*arguments: str, **environment: str) -> pexpect.spawn:
    """Start ``c4-bot --play`` in its own terminal."""
    variables = {**os.environ, "TERM": "xterm", **environment}
    return pexpect.spawn(
        BOT, ["--play", *arguments], encoding="utf-8", timeout=30, env=variables, echo=False
    )


def ended(child: pexpect.spawn) -> tuple[int | None, str]:
    """Wait for the end of a program. Return its exit code and its last output."""
    child.expect(pexpect.EOF)
    said = child.before
    child.close()
    return child.exitstatus, said


def play_to_the_end(child: pexpect.spawn, entries: list[str]) -> str:
    """Type the entries at the prompts until the game ends. Return the last board and the result."""
    waiting = iter(entries)
    while child.expect([PROMPT, AGAIN]) == 0:
        child.sendline(next(waiting))
    return child.before.replace("\r\n", "\n")


def test_person_wins_in_a_terminal():
    """A person can win in a terminal. The line is marked, and the exit code is 0."""
    child = terminal(*EASY, NO_COLOR="1")
    last = play_to_the_end(child, list("1111222233334444555566667777") * 2)
    assert last.count("[X]") >= 4
    assert "You win!\n" in last
    child.sendline("no")
    assert ended(child)[0] == 0


@pytest.mark.parametrize("person", ["1", "2"])
def test_person_takes_the_side_that_is_asked_for(person):
    """The person moves first as side 1, and second as side 2."""
    child = terminal(*EASY, "--player", person, NO_COLOR="1")
    child.expect(PROMPT)
    assert child.before.count(" X ") == int(person) - 1
    assert f"You play {'XO'[int(person) - 1]}, c4-bot (random) plays" in child.before
    child.sendline("quit")
    assert ended(child)[0] == 0


def test_arrow_keys_edit_the_line():
    """Arrow keys move the cursor: they are not printed, and do not become a part of the entry."""
    child = terminal(*EASY, NO_COLOR="1")
    child.expect(PROMPT)
    child.sendline("4\x1b[D\x1b[C\x1b[A")
    child.expect("c4-bot plays column")
    assert "^[[" not in child.before
    child.sendline("quit")
    assert ended(child)[0] == 0


@pytest.mark.parametrize("key", ["sendeof", "sendintr"])
def test_control_keys_end_it_at_the_prompt(key):
    """Ctrl-D and Ctrl-C at the prompt end the game with exit code 0 and without a traceback."""
    child = terminal(*EASY)
    child.expect(PROMPT)
    getattr(child, key)()
    code, said = ended(child)
    assert code == 0
    assert "Traceback" not in said
    assert said.endswith("\n")


def test_interrupt_ends_it_while_the_player_thinks():
    """Ctrl-C ends the game while the player searches."""
    child = terminal("--plays", "strong", "--time-ms", "3600000", "--depth", "60")
    child.expect(PROMPT)
    child.sendline("4")
    time.sleep(0.5)
    child.sendintr()
    code, said = ended(child)
    assert (code, "Traceback" in said) == (0, False)


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)],
)
def test_colours_are_for_terminals_that_want_them(environment, coloured):
    """Colours are off with NO_COLOR, and in a terminal that cannot show them."""
    child = terminal(*EASY, "--player", "2", **environment)
    child.expect(PROMPT)
    assert ("\x1b[1;31m" in child.before) == coloured
    assert ("\x1b" in child.before) == coloured
    child.sendline("quit")
    ended(child)


def test_pipe_is_as_good_as_a_terminal(c4_bot):
    """A game from a pipe has no colours, and ends with exit code 0 at the end of the input."""
    done = c4_bot("--play", *EASY, stdin=b"4\r\nx\n\xff\xfe\n4\n")
    said = done.stdout.decode()
    assert len(re.findall(r"^c4-bot plays column [1-7]\.$", said, re.MULTILINE)) == 2
    assert said.count("Type a column from 1 to 7") == 2
    assert "\x1b" not in said
    assert (done.stderr, done.returncode) == (b"", 0)


def test_verbose_tells_what_the_player_saw(c4_bot):
    """--verbose writes the player's score to standard error."""
    done = c4_bot("--play", "--level", "3", "--verbose", stdin=b"4\n")
    assert done.stderr.startswith(b"c4-bot: player 2 at ply 1: score ")


def test_nobody_reads_what_is_shown():
    """A reader that closes the pipe causes no traceback."""
    child = pexpect.spawn(
        "/bin/sh", ["-c", f"yes 4 | {BOT} --play --plays random | head -n 1"], encoding="utf-8"
    )
    said = ended(child)[1]
    assert "Traceback" not in said
    assert "Exception ignored" not in said
