"""A bot of the dialect ``moves``: ``python columns.py KIND WIDTH HEIGHT [LOG]``.

It imports nothing of the project, and writes the lines that it reads to the file LOG. The kinds are
the functions below, which return the answer to a list of the columns that were played.
"""

import os
import sys
from pathlib import Path


def left(played, width, height):
    """Play the first column that is not full."""
    return next(column for column in range(width) if played.count(column) < height)


def right(played, width, height):
    """Play the last column that is not full."""
    return next(column for column in range(width)[::-1] if played.count(column) < height)


def beside(played, width, height):
    """Play beside the board."""
    return width


def words(played, width, height):
    """Answer with a word."""
    return "middle"


def main(kind, width, height, log=os.devnull):
    """Answer each line until the input ends."""
    played = []
    with Path(log).open("a", encoding="utf-8") as heard:
        for line in sys.stdin:
            heard.write(line)
            heard.flush()
            if line.strip() != "go!":
                played.append(int(line))
            played.append(globals()[kind](played, int(width), int(height)))
            print(played[-1], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
