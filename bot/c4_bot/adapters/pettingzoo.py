"""Our players as policies for PettingZoo's ``connect_four_v3``.

This module does not import PettingZoo: it reads what the environment returns.
"""

from collections.abc import Mapping
from typing import Any

from c4_bot.adapters.column_player import ColumnPlayer
from c4_bot.adapters.planes import position_of


class Policy(ColumnPlayer):
    """Policy that asks a player of this package for each action.

    ``seconds``, ``depth`` and ``seed`` are as in ``ColumnPlayer``. One policy can play for both
    agents, and any number of games::

        policy = Policy("perfect", seconds=0.1)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, info = env.last()
            env.step(None if termination or truncation else policy(observation))
    """

    def __call__(self, observation: Any, info: object = None) -> int:  # noqa: ANN401 - see below
        """Return an action: a column, counting from 0.

        ``observation`` is the array of the agent to move, or a mapping in which ``observation`` is
        the array. The mask of actions and ``info`` are not needed, because legal moves follow from
        the array. Raises ``ImpossiblePosition`` if the agent is not to move.
        """
        array = observation["observation"] if isinstance(observation, Mapping) else observation
        return self.column(position_of(array))
