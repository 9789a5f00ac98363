"""An engine of the COMP2230 dialect: ``python engine.py KIND [LOG]``.

It imports nothing of the project, and writes the lines that it reads into LOG. Its kinds are the
functions below, which answer ``go``.
"""

import os
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
    """Writes other lines before its answer, and after it."""
    say("info depth 1")
    say(f"info string I have seen {len(moves)} moves\n\n  info score -3")
    say(f"bestmove {centre(moves)} -3")
    say("info string that was easy")


def terse(moves):
    """Writes only the move, without the score."""
    say(f"bestmove {centre(moves)}")


def illegal(moves):
    """Plays outside the board."""
    say("bestmove 7 0")


def full(moves):
    """Always plays in the middle."""
    say("bestmove 3 0")


def words(moves):
    """Answers with a word."""
    say("bestmove middle 0")


def nothing(moves):
    """Answers with no column."""
    say("bestmove")


def twice(moves):
    """Answers twice, in one write, so that both lines arrive together."""
    answer = f"bestmove {centre(moves)} 0"
    say(f"{answer}\n{answer}")


def silent(moves):
    """Never finds a move."""
    say("info depth 1")


def chatters(moves):
    """Never finds a move, and writes other lines as fast as it can."""
    while True:
        os.write(1, b"info\n" * 10_000)


def unready(moves):
    """Is never ready: see ``main``."""


def main(kind, log=os.devnull):
    """Read commands until ``quit``; the end of its input does not end it."""
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
                moves = [int(digit) for digit in "".join(rest[1:])]
            elif command == "go":
                globals()[kind](moves)
            elif command == "quit":
                say("quitting")
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
