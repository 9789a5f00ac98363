"""BitBully, the solver of the PyPI package ``bitbully``, as a bot of our protocol: 7x6 only.

    python bitbully_bot.py [BOOK]

Plays without an opening book, or with one of its own (``default``, ``8-ply``, ``12-ply-dist``).
It needs nothing but the grid, and whose turn it is if player 2 has opened.
"""

import json
import sys

from bitbully import BitBully, Board


def board_of(precept: dict) -> Board:
    """Return the position as BitBully takes it: rows from the top, with player 1 as the opener."""
    grid = precept["grid"]
    counts = [sum(column.count(player) for column in grid) for player in (0, 1, 2)]
    mover = precept.get("player") or (1 if counts[1] <= counts[2] else 2)
    opener = mover if counts[1] == counts[2] else 3 - mover
    names = {0: 0, opener: 1, 3 - opener: 2}
    return Board([[names[column[row]] for column in grid] for row in range(6)])


def main() -> None:
    """Answer each precept at once, whatever its clock."""
    engine = BitBully(opening_book=sys.argv[1] if len(sys.argv) > 1 else None)
    for line in sys.stdin:
        print(json.dumps({"move": engine.best_move(board_of(json.loads(line)))}), flush=True)


if __name__ == "__main__":
    main()
