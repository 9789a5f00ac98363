"""Speaks the protocol of theaigames: settings, then fields and actions.

    c4-referee match theaigames random --bots examples/dialects/standard.toml --games 4

It wins or stops a win if it can, and otherwise plays near the middle. An action gives the
milliseconds in the time bank; this bot needs only a few of them.
"""

import sys

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def stones(rows: list[list[str]], x: int, y: int, dx: int, dy: int, player: str) -> int:
    """Count the player's stones in a row, starting beside a cell."""
    x, y = x + dx, y + dy
    if not (0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x] == player):
        return 0
    return 1 + stones(rows, x, y, dx, dy, player)


def wins(rows: list[list[str]], x: int, player: str) -> bool:
    """Return whether the player completes a line with a move in a column that is not full."""
    y = max(y for y, row in enumerate(rows) if row[x] == "0")  # the lowest empty cell
    return any(
        stones(rows, x, y, dx, dy, player) + 1 + stones(rows, x, y, -dx, -dy, player) >= 4
        for dx, dy in DIRECTIONS
    )


def choose(rows: list[list[str]], me: str) -> int:
    """Return the column to play, counting from 0."""
    width = len(rows[0])
    free = [x for x in range(width) if rows[0][x] == "0"]
    free.sort(key=lambda x: abs(2 * x + 1 - width))
    for player in (me, "2" if me == "1" else "1"):
        for x in free:
            if wins(rows, x, player):
                return x
    return free[0]


rows, me = [], "1"
for line in sys.stdin:
    match line.split():
        case ["settings", "your_botid", number]:
            me = number
        case ["update", "game", "field", field]:
            rows = [row.split(",") for row in field.split(";")]  # from the top; "0" is empty
        case ["action", "move", _]:
            print("place_disc", choose(rows, me), flush=True)  # without a flush, nothing is sent
