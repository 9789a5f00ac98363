"""Shared code of the bots in this folder."""

import json
import random
import sys


def play(player=None, width=None, height=None):
    """Answer each line with a random free column.

    Values of ``player``, ``width`` and ``height`` come from the command line. They must equal those
    of the precept. Otherwise a bot that trusts its arguments would play for the other side.
    """
    believed = {"player": player, "width": width, "height": height}
    for line in sys.stdin:
        precept = json.loads(line)
        for name, value in believed.items():
            if value is not None and value != precept[name]:
                sys.exit(f"my command line says {name} {value}, the precept says {precept[name]}")
        free = [column for column, cells in enumerate(precept["grid"]) if cells[0] == 0]
        print(json.dumps({"move": random.choice(free)}), flush=True)
