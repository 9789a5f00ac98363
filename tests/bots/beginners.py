"""Bots with beginners' mistakes in Python: ``beginners.py MISTAKE``.

``beginners.js`` and ``beginners.sh`` make the same mistakes.
"""

import json
import random
import sys


def answer(column):
    """Return a correct answer."""
    print(json.dumps({"move": column}), flush=True)


def grids():
    """Yield the grid of each line."""
    for line in sys.stdin:
        yield json.loads(line)["grid"]


def free(grid):
    """Return the columns that have room."""
    return [x for x, column in enumerate(grid) if column[0] == 0]


def counts_from_1():
    """Counts columns from 1."""
    for grid in grids():
        answer(random.choice(free(grid)) + 1)


def answers_the_row():
    """Answers with the row in which the stone lands."""
    for grid in grids():
        column = grid[free(grid)[0]]
        answer(max(y for y, cell in enumerate(column) if cell == 0))


def upside_down():
    """Mistakes the last cell of a column for its top cell."""
    for grid in grids():
        answer(random.choice([x for x, column in enumerate(grid) if column[-1] == 0]))


def reads_rows():
    """Mistakes the grid for a list of rows."""
    for grid in grids():
        answer(random.choice([x for x in range(7) if grid[0][x] == 0]))


def ignores_full_columns():
    """Plays any column, including a full one."""
    for _ in grids():
        answer(random.randrange(7))


def does_not_flush():
    """Leaves its answers in a buffer."""
    for grid in grids():
        print(json.dumps({"move": free(grid)[0]}))


def reads_to_the_end():
    """Waits for the end of its input before it answers."""
    for line in sys.stdin.read().splitlines():
        answer(free(json.loads(line)["grid"])[0])


def prints_debug_text():
    """Writes text for people to standard output."""
    for grid in grids():
        print("thinking about", free(grid))
        answer(free(grid)[0])


def prints_a_number():
    """Writes the column without JSON."""
    for grid in grids():
        print(free(grid)[0], flush=True)


def answers_once():
    """Ends after its first answer."""
    answer(free(json.loads(input())["grid"])[0])


def needs_arguments():
    """Reads its player from the command line, and fails without it."""
    int(sys.argv[3])
    for grid in grids():
        answer(free(grid)[0])


def prints_a_dictionary():
    """Prints a dictionary or an object in the form of its language."""
    for grid in grids():
        print({"move": free(grid)[0]}, flush=True)


def prints_over_lines():
    """Prints its answer as JSON on several lines."""
    for grid in grids():
        print(json.dumps({"move": free(grid)[0]}, indent=2), flush=True)


globals()[sys.argv[1]]()
