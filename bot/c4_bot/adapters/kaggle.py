"""Our players as agents for the game ``connectx`` of kaggle-environments.

This module does not import kaggle-environments: it reads what an agent is called with.
"""

from collections.abc import Mapping
from typing import Any

from c4_protocol.rules.notation import check_not_over, shown_position
from c4_protocol.rules.position import SEATS, Position
from c4_protocol.rules.variant import Variant

from c4_bot.adapters.column_player import ColumnPlayer

SHARE_OF_TIME = 0.8
"""Maximum fraction of ``actTimeout`` that a player thinks. The rest is kept for delays."""


class Agent(ColumnPlayer):
    """Agent that asks a player of this package for each action.

    ``depth`` and ``seed`` are as in ``ColumnPlayer``. A move takes at most ``seconds``, and at most
    ``SHARE_OF_TIME`` of the time that the environment gives for it, in place of the player's own
    time. One agent can play in both seats, and any number of games::

        make("connectx").run([Agent("perfect"), "negamax"])
    """

    def __call__(self, observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        """Return an action: a column, counting from 0.

        ``observation`` has ``board``, a list of ``rows * columns`` cells, row by row from the top
        left (0 is empty, 1 and 2 are stones), and ``mark``, the player to move. ``configuration``
        has ``columns``, ``rows``, ``inarow`` and ``actTimeout``, in seconds. Raises
        ``VariantError`` for a game that the player does not play, and ``ImpossiblePosition`` if
        the game is over or ``mark`` is not to move.
        """
        position = position_of(observation, configuration)
        return self.column(position, SHARE_OF_TIME * configuration["actTimeout"])


def position_of(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """Return the position in which ``mark`` is to move. Raises what ``Agent`` raises."""
    board, columns = observation["board"], configuration["columns"]
    variant = Variant(columns, configuration["rows"], configuration["inarow"])
    grid = [board[column::columns] for column in range(columns)]
    position = shown_position(grid, variant, SEATS[observation["mark"] - 1])
    check_not_over(position)
    return position
