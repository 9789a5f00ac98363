"""A bot that looks for stones beyond the last column. It loses its games by "exited".

It works until the opponent has a stone in the last column: then grid[x + 1] does not exist. To
repair it, end the loop two columns earlier: `range(len(grid) - 2)`.
"""

import json
import random
import sys

for line in sys.stdin:
    precept = json.loads(line)
    grid, other = precept["grid"], 3 - precept["player"]
    free = [x for x in range(len(grid)) if grid[x][0] == 0]
    move = random.choice(free)
    for x in range(len(grid)):
        for y in range(len(grid[x])):
            if other == grid[x][y] == grid[x + 1][y] == grid[x + 2][y] and x - 1 in free:
                move = x - 1  # stop a row of three
    print(json.dumps({"move": move}), flush=True)
