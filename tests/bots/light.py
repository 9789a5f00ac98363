"""A bot that plays any legal move, on any board, and starts ten times as fast as ``c4-bot``."""

import json
import os
import sys

for line in sys.stdin:
    precept = json.loads(line)
    columns = list(enumerate(precept["grid"]))
    if precept.get("gravity", True):
        moves = [x for x, column in columns if column[0] == 0]
    else:
        moves = [(x, y) for x, column in columns for y, cell in enumerate(column) if cell == 0]
    print(json.dumps({"move": moves[os.urandom(1)[0] % len(moves)]}), flush=True)
