"""The smallest bot: any legal move. Copy it and make it better.

    c4-referee match "python3 examples/minimal.py" "c4-bot --plays random" --games 10

Each line of input is one precept: the state of the game, as JSON. Its "grid" lists the columns from
left to right, each column from the top; 0 is an empty cell. The answer is one line with a column,
counting from 0. It must be flushed: a bot whose answer waits in a buffer loses on time. Text for
people goes to standard error.
"""

import json
import random
import sys

for line in sys.stdin:
    if line.strip() == ":exit":
        break
    if "{" in line:  # not a blank line; a byte order mark (BOM) before it is ignored
        precept = json.loads(line[line.index("{") :])
        free = [x for x, column in enumerate(precept["grid"]) if column[0] == 0]
        print(json.dumps({"move": random.choice(free)}), flush=True)
