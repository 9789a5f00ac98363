"""An engine of the dialects c4engine and ccfi: ``python engine.py KIND [LOG]``.

It imports nothing of the project, and writes the lines that it reads to the file LOG. The kinds are
the functions below, which answer ``go``.
"""

import os
import re
import sys
import time
from pathlib import Path

HEIGHT = 6


def say(text):
    """Write a line at once."""
    os.write(1, f"{text}\n".encode())


def centre(moves):
    """Return the column nearest to the middle that is not full."""
    return next(column for column in (3, 2, 4, 1, 5, 0, 6) if moves.count(column) < HEIGHT)


def good(moves):
    """Write other lines before and after the answer."""
    say("info depth 1")
    say(f"info string I have seen {len(moves)} moves\n\n  info score -3")
    say(f"bestmove {centre(moves)} -3")
    say("info string that was easy")


def terse(moves):
    """Write only the move, without the score."""
    say(f"bestmove {centre(moves)}")


def illegal(moves):
    """Play outside the board."""
    say("bestmove 7 0")


def full(moves):
    """Play in the middle, even if this column is full."""
    say("bestmove 3 0")


def words(moves):
    """Answer with a word."""
    say("bestmove middle 0")


def nothing(moves):
    """Answer without a column."""
    say("bestmove")


def twice(moves):
    """Answer twice, in one write, so that both lines arrive together."""
    answer = f"bestmove {centre(moves)} 0"
    say(f"{answer}\n{answer}")


def silent(moves):
    """Write an info line, but no move."""
    say("info depth 1")


def chatters(moves):
    """Write info lines as fast as possible, but no move."""
    while True:
        os.write(1, b"info\n" * 10_000)


def unready(moves):
    """Do nothing: in ``main``, an engine of this kind does not answer ``isready``."""


def moves_of(words):
    """Return the columns of all stones: in ccfi, the rows of the board show them."""
    if words[0] == "startpos":
        return [int(digit) for digit in "".join(words[1:])]
    board = re.sub("[1-7]", lambda free: "." * int(free[0]), words[0])
    return [x for row in board.split("/") for x in range(7) if row[x] != "."]


def main(kind, log=os.devnull):
    """Read commands until ``quit``. At the end of its input, sleep instead of ending."""
    print("Engine 1.0, all rights reserved", flush=True)
    moves = []
    with Path(log).open("a", encoding="utf-8") as heard:
        while True:
            line = sys.stdin.readline()
            if not line:
                time.sleep(3600)
            heard.write(line)
            heard.flush()
            command, *rest = line.split()
            if command == "name":
                say("enginename-c1234567")
            elif command == "isready" and kind != "unready":
                say("readyok")
            elif command == "position":
                moves = moves_of(rest)
            elif command == "go":
                globals()[kind](moves)
            elif command == "quit":
                say("quitting")
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
