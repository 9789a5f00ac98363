"""Makes or stops a line of four if it can. Otherwise it plays the column of the lowest rank."""

import json
import re
import sys


def rank(x, w, empty):
    """Return a number that is low for a good column."""
    return (2 * x + 1 - w) * (2 * x + 1 - w) * 9 - empty


def wins(grid, x, player):
    """Return whether the player makes a line of four in a column."""
    y, h = grid[x].count(0) - 1, len(grid[x])
    columns = ["".join(map(str, column)) for column in grid]
    columns[x] = columns[x][:y] + str(player) + columns[x][y + 1 :]
    lines = (rf"{player}(.{{{gap}}}{player}){{3}}" for gap in (0, h - 1, h, h + 1))
    return any(re.search(line, "]".join(columns)) for line in lines)


for line in sys.stdin:
    if line.strip() == ":exit":
        break
    if "{" in line:
        precept = json.loads(line[line.index("{") :])
        grid, me = precept["grid"], precept.get("player", 1)
        free = [x for x, column in enumerate(grid) if column[0] == 0]
        free.sort(key=lambda x: rank(x, len(grid), grid[x].count(0)))
        free.sort(key=lambda x: wins(grid, x, me) * 2 + wins(grid, x, 3 - me), reverse=True)
        print(json.dumps({"move": free[0]}), flush=True)
