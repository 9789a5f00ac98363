"""Plays random games, and tries moves that have won before more often than others (UCT).

    c4-referee match "python3 examples/playouts.py" "c4-bot --level 4" --games 10 --time-ms 300

See L. Kocsis and C. Szepesvari, "Bandit based Monte-Carlo planning" (2006). A position is three
numbers: stones of the player to move, of the other one, and free cells. Each column has 16 of their
bits, counted from the bottom, so there can be up to 15 rows.
"""

import json
import math
import random
import sys
import time
from collections import Counter


def moves(own: int, other: int, free: int) -> list[tuple[int, ...]]:
    """Return the positions after all moves: a stone falls to the lowest free cell of a column."""
    lowest = free & ~(free << 1)
    cells = [lowest & 0xFFFF << column for column in range(0, lowest.bit_length(), 16)]
    return [(other, own | cell, free ^ cell) for cell in cells if cell]


def visit(position: tuple[int, ...], visits: Counter, points: Counter) -> int:
    """Play a game; return 1 if the player who has just moved wins, 0 for a draw, otherwise -1."""
    pairs = [(position[1] & position[1] >> step, 2 * step) for step in (1, 15, 16, 17)]
    result = int(any(pair & pair >> step for pair, step in pairs))
    if not result and (after := moves(*position)):
        log = math.log(visits[position] + 1)
        new = [(random.random(), child) for child in after if child not in visits]
        known = [(points[p] / visits[p] + math.sqrt(log / visits[p]), p) for p in after if not new]
        result = -visit(max(new or known)[1], visits, points)
    visits[position] += 1
    points[position] += result
    return result


def choose(grid: list[list[int]], player: int, seconds: float) -> int:
    """Return the column to play, counting from 0; the grid lists columns, each from the top."""
    bits = {16 * x + y: cell for x, cells in enumerate(grid) for y, cell in enumerate(cells[::-1])}
    root = tuple(sum((bits[b] == owner) << b for b in bits) for owner in (player, 3 - player, 0))
    visits, points = Counter(), Counter()  # by position; points of the player who has just moved
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline or visits[root] < 50:
        visit(root, visits, points)
    return (max(moves(*root), key=visits.get)[1] ^ root[0]).bit_length() // 16


named = int(sys.argv[sys.argv.index("--player") + 1]) if "--player" in sys.argv else None
for line in sys.stdin:
    if line.strip() == ":exit":
        break
    if "{" in line:  # not a blank line; a byte order mark (BOM) before it is ignored
        precept = json.loads(line[line.index("{") :])
        stones = str(precept["grid"])
        player = precept.get("player", named) or 1 + (stones.count("1") > stones.count("2"))
        seconds = precept.get("time_ms", 100) / 2000  # half of it; little with a clock for the game
        print(json.dumps({"move": choose(precept["grid"], player, seconds)}), flush=True)
