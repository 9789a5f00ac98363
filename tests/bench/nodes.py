"""Nodes a second of each player in Python and in its native twin, and the plies it reaches.

    python tests/bench/nodes.py [seconds]

From the empty board of the player's own game (8x8 without gravity where it plays only such), on one
thread. The rates are those of searches to a depth, which visit the same nodes on both sides: two
plies less than are reached in that time, and four in Python.
"""

import sys
import time

from c4_bot import registry
from c4_bot.contract import Limits, Result, Search
from c4_bot.native import Twin
from c4_protocol.position import Position
from c4_protocol.variant import LINE8, STANDARD
from rich.console import Console
from rich.table import Table

PYTHON_PLIES = 4


def rate(search: Search, position: Position, limits: Limits) -> tuple[float, Result]:
    """Nodes a second of processor time, and what was found."""
    began = time.process_time()
    found = search.search(position, limits)
    return found.nodes / (time.process_time() - began), found


def main(seconds: float) -> None:
    """Prints a row a player that has a twin."""
    table = Table("player", "Python /s", "native /s", "ratio", f"plies in {seconds:g} s")
    for name, spec in registry.specs().items():
        search = registry.build(name).search
        if not isinstance(search, Twin):
            continue
        position = Position(LINE8 if spec.variants == "free" else STANDARD)
        slow, _ = rate(search.python, position, Limits(PYTHON_PLIES))
        plies = search.search(position, Limits(deadline=time.monotonic() + seconds)).depth
        fast, _ = rate(search, position, Limits(plies - 2))
        table.add_row(name, f"{slow:,.0f}", f"{fast:,.0f}", f"{fast / slow:.0f}", str(plies))
    Console().print(table)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:] or ("5",)))
