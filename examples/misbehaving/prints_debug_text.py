"""A bot that prints debug text to standard output. It loses its games by "bad line".

The referee reads the line `free columns: [0, 1, ...]` as the answer. To repair it, write
`print(..., file=sys.stderr)`.
"""

import json
import random
import sys

for line in sys.stdin:
    grid = json.loads(line)["grid"]
    free = [x for x in range(len(grid)) if grid[x][0] == 0]
    print("free columns:", free)
    print(json.dumps({"move": random.choice(free)}), flush=True)
