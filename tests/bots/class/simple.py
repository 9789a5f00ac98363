"""Plays any free column. Most of the bots that do not work are this one with a mistake."""

import json
import random
import sys

for line in sys.stdin:
    if line.strip() == ":exit":
        break
    if "{" in line:
        grid = json.loads(line[line.index("{") :])["grid"]
        move = random.choice([x for x, column in enumerate(grid) if column[0] == 0])
        print(json.dumps({"move": move}), flush=True)
