"""An evaluator of your own: a line that is still open counts the square of your stones in it.

    c4-bot --evaluator examples/my_evaluator.py:MyEvaluator

`position.variant.lines` are all lines of the board, `position.stones` the stones of both players:
numbers with a bit for each cell. Nobody has won when the bot asks.
"""

from c4_protocol.position import Position


class MyEvaluator:
    """A class without arguments, with a `unit` (how much of a score is a point) and this method."""

    unit = 1

    def evaluate(self, position: Position, player: int) -> int:
        """How good the position is for the player, 1 or 2, whoever is to move."""
        own, other = position.stones[player - 1], position.stones[2 - player]
        mine = [line & own for line in position.variant.lines if not line & other]
        theirs = [line & other for line in position.variant.lines if not line & own]
        return sum(x.bit_count() ** 2 for x in mine) - sum(x.bit_count() ** 2 for x in theirs)
