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
        BOT, ["--puzzle", *arguments], encoding="utf-8", timeout=300, env=variables, echo=False
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
