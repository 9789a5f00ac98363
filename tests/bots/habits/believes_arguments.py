"""A bot that plays the side that its command line names, and ignores the precept's player."""

import json
import sys

mine = int(sys.argv[sys.argv.index("--player") + 1])
for line in sys.stdin:
    grid = json.loads(line)["grid"]
    stones = [sum(column.count(player) for column in grid) for player in (1, 2)]
    if mine != 1 + (stones[0] > stones[1]):
        sys.exit(f"I am player {mine}, and it is not my turn")
    print(
        json.dumps({"move": next(x for x, column in enumerate(grid) if not column[0])}), flush=True
    )
