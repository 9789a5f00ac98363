"""An engine of the COMP2230 kind, on its own feet: ``python engine.py KIND [LOG]``.

It writes down what it hears in LOG. Its kinds are the functions below: what they do instead of
answering ``go`` with a move.
"""

import os
import sys
import time
from pathlib import Path

HEIGHT = 6


def say(text):
    """Writes a line, at once."""
    os.write(1, f"{text}\n".encode())


def centre(moves):
    """The column nearest to the middle that is not full."""
    return next(column for column in (3, 2, 4, 1, 5, 0, 6) if moves.count(column) < HEIGHT)


def good(moves):
    """Thinks aloud before it answers, and after."""
    say("info depth 1")
    say(f"info string I have seen {len(moves)} moves\n\n  info score -3")
    say(f"bestmove {centre(moves)} -3")
    say("info string that was easy")


def terse(moves):
    """Says no more than it has to, and not even the score."""
    say(f"bestmove {centre(moves)}")


def illegal(moves):
    """Plays beside the board."""
    say("bestmove 7 0")


def full(moves):
    """Plays in the middle, for ever."""
    say("bestmove 3 0")


def words(moves):
    """Answers with a word."""
    say("bestmove middle 0")


def nothing(moves):
    """Answers with no column."""
    say("bestmove")


def twice(moves):
    """Answers two times, the second one too late to be the same answer."""
    say(f"bestmove {centre(moves)} 0")
    say(f"bestmove {centre(moves)} 0")


def silent(moves):
    """Never finds a move."""
    say("info depth 1")


def chatters(moves):
    """Never finds a move, and tells so faster than anybody can read."""
    while True:
        os.write(1, b"info\n" * 10_000)


def unready(moves):
    """Is never ready: see ``main``."""


def main(kind, log=os.devnull):
    """Reads commands until it is told to quit: the end of its input means nothing to it."""
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
