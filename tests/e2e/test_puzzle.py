"""``c4-bot --puzzle``: a person at a terminal, and entries from a pipe."""

import os
import sys
from pathlib import Path

import pexpect
from c4_bot.puzzles import load_puzzles

BOT = str(Path(sys.executable).parent / "c4-bot")
PUZZLES = load_puzzles()
PROMPT = r"Your move, [XO] \(column 1 to 7\): "


def terminal(*arguments: str) -> pexpect.spawn:
    """Start ``c4-bot --puzzle`` in its own terminal."""
    variables = {**os.environ, "TERM": "xterm"}
    return pexpect.spawn(
        BOT, ["--puzzle", *arguments], encoding="utf-8", timeout=30, env=variables, echo=False
    )


def test_person_solves_a_puzzle_in_a_terminal():
    """A person types the moves of puzzle 1, and leaves after the next task with Ctrl-D."""
    child = terminal("1")
    for column in PUZZLES[0].line[::2]:
        child.expect(PROMPT)
        child.sendline(column)
    child.expect("Type next or quit: ")
    assert "\x1b[1;3" in child.before
    assert "Solved." in child.before
    child.sendline("next")
    child.expect("Puzzle 2 of 300")
    child.expect(PROMPT)
    child.sendeof()
    child.expect(pexpect.EOF)
    assert child.before.endswith("\n")
    child.close()
    assert child.exitstatus == 0


def test_interrupt_ends_it_politely():
    """Ctrl-C at the prompt ends the program with exit code 0 and without a traceback."""
    child = terminal()
    child.expect(PROMPT)
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert ("Traceback" in child.before, child.exitstatus) == (False, 0)


def test_pipe_is_as_good_as_a_terminal(c4_bot):
    """Entries from a pipe are answered without colours. The end of the input is no mistake."""
    done = c4_bot("--puzzle", "1", stdin=f"hint\r\n\xff\n{PUZZLES[0].line[0]}\n".encode("latin-1"))
    said = done.stdout.decode()
    assert said.count("Type a column") == 2
    assert "Right. Column " in said
    assert "\x1b" not in said
    assert (done.stderr, done.returncode) == (b"", 0)


def test_seed_repeats_the_random_choice(c4_bot):
    """Without a number the puzzle is random; the same seed gives the same puzzle."""
    shown = {
        seed: c4_bot("--puzzle", "--seed", str(seed), stdin=b"quit\n").stdout for seed in (1, 2)
    }
    assert shown[1] != shown[2]
    assert c4_bot("--seed", "1", "--puzzle", stdin=b"quit\n").stdout == shown[1]
