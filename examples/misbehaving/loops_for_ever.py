"""Hangs as soon as the middle column is full. Loses its games by "late".

It then wants to play on the other side of the board, which is the middle column again. The cure:
choose among the columns that are free, as `examples/minimal.py` does.
"""

import json
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    column = len(grid) // 2
    while grid[column][0] != 0:
        column = len(grid) - 1 - column
    print(json.dumps({"move": column}), flush=True)
