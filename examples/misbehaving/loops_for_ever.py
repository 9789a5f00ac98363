"""A bot that loops for ever when the middle column is full. It loses its games by "late".

It tries the column at the same distance on the other side, which is the middle column again.
To repair it, choose among the free columns, as `examples/minimal.py` does.
"""

import json
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    column = len(grid) // 2
    while grid[column][0] != 0:
        column = len(grid) - 1 - column
    print(json.dumps({"move": column}), flush=True)
