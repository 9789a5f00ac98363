"""A UCI engine that plays cfour: ``python cfour.py KIND [LOG]``.

It imports nothing of the project, and writes the lines that it reads to the file LOG. The kinds are
the functions below, which answer ``go``.
"""

import os
import sys
from pathlib import Path

HEIGHT = 6


def say(text):
    """Write a line at once."""
    os.write(1, f"{text}\n".encode())


def centre(moves):
    """Return the move nearest to the middle whose file is not full."""
    files = [move[2] for move in moves]
    file = next(name for name in "dcebfag" if files.count(name) < HEIGHT)
    return f"P@{file}{files.count(file) + 1}"


def good(moves):
    """Write information before the answer, and a move to ponder."""
    say(
        f"info string I have seen {len(moves)} moves\n\ninfo depth 1 score cp -3 pv {centre(moves)}"
    )
    say(f"bestmove {centre(moves)} ponder {centre([*moves, centre(moves)])}")


def plain(moves):
    """Write only the move; in ``main``, an engine of this kind offers no variant."""
    say(f"bestmove {centre(moves)}")


def illegal(moves):
    """Name a cell above the one on which the stone lands."""
    say("bestmove P@d6")


def null(moves):
    """Answer with the null move."""
    say("bestmove 0000")


def chess(moves):
    """Answer with a move of chess."""
    say("bestmove e2e4")


def silent(moves):
    """Write information, but no move."""
    say("info depth 1")


def unready(moves):
    """Do nothing: in ``main``, an engine of this kind does not answer ``isready``."""


def moves_of(words):
    """Return the moves of a position, which begins on the empty board."""
    assert words[0] == "startpos", words
    return words[2:]


def main(kind, log=os.devnull):
    """Read commands until ``quit``."""
    say("Engine 1.0 by nobody")
    moves = []
    with Path(log).open("a", encoding="utf-8") as heard:
        for line in sys.stdin:
            heard.write(line)
            heard.flush()
            command, *rest = line.split()
            if command == "uci":
                say("id name Engine\nid author nobody\noption name Hash type spin default 1")
                if kind != "plain":
                    say("option name UCI_Variant type combo default chess var chess var cfour")
                say("uciok")
            elif command == "isready" and kind != "unready":
                say("readyok")
            elif command == "position":
                moves = moves_of(rest)
            elif command == "go":
                globals()[kind](moves)
            elif command == "quit":
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
