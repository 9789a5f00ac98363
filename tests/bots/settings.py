"""A bot of theaigames and riddles.io: ``python settings.py KIND [LOG]``.

It imports nothing of the project, and writes the lines that it reads to the file LOG. The kinds are
the functions below, which answer an action.
"""

import os
import re
import sys
import time
from pathlib import Path


def say(text):
    """Write a line at once."""
    os.write(1, f"{text}\n".encode())


def columns_with_room(settings, field):
    """Return the columns that are not full, the middle ones first."""
    width = int(settings.get("field_columns") or settings["field_width"])
    empty = "." if "." in field else "0"
    top = re.split("[,;]", field)[:width]
    order = sorted(range(width), key=lambda column: abs(2 * column - width + 1))
    return [column for column in order if top[column] == empty]


def good(columns, number):
    """Play near the middle."""
    say(f"place_disc {columns[0]}")


def comments(columns, number):
    """Write a comment after the column."""
    say(f"place_disc {columns[0]} that was easy")


def clumsy(columns, number):
    """Make two mistakes before each move: a column outside the board, and no move."""
    say(["place_disc 99", "no_moves", f"place_disc {columns[0]}"][number % 3])


def dawdling(columns, number):
    """Be slow and write that there are no moves, except for the first move."""
    if number == 0:
        good(columns, number)
    else:
        time.sleep(0.4)
        say("no_moves")


def illegal(columns, number):
    """Play outside the board."""
    say("place_disc -2")


def passes(columns, number):
    """Write that there are no moves."""
    say("no_moves")


def words(columns, number):
    """Answer with a word."""
    say("place_disc middle")


def chatty(columns, number):
    """Write a line more than the engine reads, in one write, so that both arrive together."""
    say(f"place_disc {columns[0]}\nthat was easy")


def main(kind, log=os.devnull):
    """Answer actions until the input ends."""
    settings, field, number = {}, "", 0
    with Path(log).open("a", encoding="utf-8") as heard:
        for line in sys.stdin:
            heard.write(line)
            heard.flush()
            match line.split():
                case ["settings", name, value]:
                    settings[name] = value
                case ["update", "game", "field", field]:
                    pass
                case ["action", "move", _]:
                    globals()[kind](columns_with_room(settings, field), number)
                    number += 1


if __name__ == "__main__":
    main(*sys.argv[1:])
