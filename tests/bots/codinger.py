"""A bot of CodinGame: ``python codinger.py KIND [LOG]``.

It imports nothing of the project, and writes the lines that it reads to the file LOG. The kinds are
the functions below, which return the answer to a turn with these legal actions.
"""

import os
import sys
from pathlib import Path


def steals(actions):
    """Steal if possible, otherwise play the first column."""
    return "STEAL" if -2 in actions else f"{actions[0]}"


def number(actions):
    """Steal by number if possible, otherwise play the last column."""
    return f"{min(actions) if -2 in actions else actions[-1]}"


def talks(actions):
    """Write a message after the column nearest to the middle."""
    column = min((action for action in actions if action >= 0), key=lambda one: abs(one - 4))
    return f"{column} there are {len(actions)} actions"


def thief(actions):
    """Always steal, although it is possible only once."""
    return "STEAL"


def words(actions):
    """Answer with a word."""
    return "middle"


def main(kind, log=os.devnull):
    """Answer each turn until the input ends."""
    with Path(log).open("a", encoding="utf-8") as heard:

        def line():
            text = sys.stdin.readline()
            if not text:
                sys.exit()
            heard.write(text)
            heard.flush()
            return text.strip()

        line()
        while True:
            line()
            rows = [line() for _ in range(7)]
            assert all(len(row) == 9 for row in rows)
            actions = [int(line()) for _ in range(int(line()))]
            line()
            print(globals()[kind](actions), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
