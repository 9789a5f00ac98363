"""Your own evaluator: an open line counts the square of the number of its stones.

    c4-referee match "c4-bot --evaluator examples/my_evaluator.py:MyEvaluator" "c4-bot --level 1"

A line is open for a player if the opponent has no stone in it. `position.variant.lines` are all
lines of the board, and `position.stones` are the stones of both players: numbers with a bit for
each cell. The bot only asks about games that are not over.
"""

from c4_protocol.rules.position import Position


class MyEvaluator:
    """A class whose constructor has no arguments, with `unit` (one point) and `evaluate`."""

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """Return the value of the position for a player, 1 or 2, who need not be to move."""
        own, other = position.stones[player - 1], position.stones[2 - player]
        mine = [line & own for line in position.variant.lines if not line & other]
        theirs = [line & other for line in position.variant.lines if not line & own]
        return sum(x.bit_count() ** 2 for x in mine) - sum(x.bit_count() ** 2 for x in theirs)
