"""Speaks the protocol of Connect 4 on CodinGame: 9 columns, 7 rows, and the steal.

    c4-referee match codingame random --bots examples/dialects/codingame.toml --variant codingame

As second player it steals a first stone that is near the middle. It wins or stops a win if it can,
and otherwise plays near the middle. The platform waits 100 ms for a move.
"""

import sys

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
STEAL = -2


def stones(rows: list[str], x: int, y: int, dx: int, dy: int, player: str) -> int:
    """Count the player's stones in a row, starting beside a cell."""
    x, y = x + dx, y + dy
    if not (0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x] == player):
        return 0
    return 1 + stones(rows, x, y, dx, dy, player)


def wins(rows: list[str], x: int, player: str) -> bool:
    """Return whether the player completes a line with a move in a column that is not full."""
    y = max(y for y, row in enumerate(rows) if row[x] == ".")  # the lowest empty cell
    return any(
        stones(rows, x, y, dx, dy, player) + 1 + stones(rows, x, y, -dx, -dy, player) >= 4
        for dx, dy in DIRECTIONS
    )


def choose(rows: list[str], actions: list[int], me: str, other: str) -> int:
    """Return one of the legal actions: a column, counting from 0, or the steal."""
    if STEAL in actions and other in rows[-1][3:6]:
        return STEAL
    free = sorted(set(actions) - {STEAL}, key=lambda x: abs(x - 4))
    for player in (me, other):
        for x in free:
            if wins(rows, x, player):
                return x
    return free[0]


words = (word for line in sys.stdin for word in line.split())
me, other = next(words), next(words)
for _turn in words:
    rows = [next(words) for _ in range(7)]  # from the top; "." is an empty cell
    actions = [int(next(words)) for _ in range(int(next(words)))]
    _opponents_last_action = next(words)
    action = choose(rows, actions, me, other)
    print("STEAL" if action == STEAL else action, flush=True)  # a text for people may follow
