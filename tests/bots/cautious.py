"""A bot that wins, blocks and gives no line away. It needs ``c4_protocol``.

It completes a line if it can, and otherwise stops one. All other moves are random ones after which
the opponent cannot complete a line, if there are any. docs/players.md compares the levels with it.
"""

import json
import random
import sys

from c4_protocol.board import Board
from c4_protocol.rules.notation import wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import cells_of


def choose(position: Position) -> int:
    """Return the cell of a move."""
    urgent = position.winning_cells or position.opponent_winning_cells
    if urgent:
        return next(cells_of(urgent))
    safe = [cell for cell in position.moves if not position.play(cell).winning_cells]
    return random.choice(safe or position.moves)


for line in sys.stdin:
    position = Board.from_precept(line).position
    print(json.dumps({"move": wire_move(position.variant, choose(position))}), flush=True)
