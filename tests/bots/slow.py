"""A bot that waits before each move: ``slow.py SECONDS``. It plays the first column with room."""

import json
import sys
import time

for line in sys.stdin:
    time.sleep(float(sys.argv[1]))
    grid = json.loads(line)["grid"]
    print(json.dumps({"move": [0 in column for column in grid].index(True)}), flush=True)
