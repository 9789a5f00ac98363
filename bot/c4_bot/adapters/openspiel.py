"""Our players as a policy and as a bot for OpenSpiel's ``connect_four``."""

from typing import Any

from c4_protocol.program.errors import ImpossiblePosition, VariantError
from c4_protocol.rules.notation import shown_position
from c4_protocol.rules.position import SEATS, Position
from c4_protocol.rules.variant import Variant

from c4_bot.adapters.column_player import ColumnPlayer
from c4_bot.player.registry import DEFAULT_PLAYER

try:
    import pyspiel
    from open_spiel.python import policy
except ModuleNotFoundError:
    raise ImportError("this needs OpenSpiel: pip install 'c4-arena[openspiel]'") from None

CELL_MARKS = ".xo"
"""Characters for an empty cell, player 0 and player 1 of OpenSpiel in the text of a state."""


class Policy(policy.Policy):
    """Deterministic policy that asks a player of this package for each action.

    ``game`` is a ``connect_four`` of any size. ``seconds``, ``depth`` and ``seed`` are as in
    ``ColumnPlayer``. Raises ``VariantError`` for a game that the player does not play.
    """

    def __init__(
        self,
        game: Any,  # noqa: ANN401 - OpenSpiel has no types
        player: str = DEFAULT_PLAYER,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(game, [*range(game.num_players())])
        self._player = ColumnPlayer(player, seconds=seconds, depth=depth, seed=seed)
        self._player.check_plays(variant_of(game))

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:  # noqa: ANN401
        """Return the probabilities of all legal actions: 1.0 for the player's move, otherwise 0.0.

        The player to move is that of ``state``. ``player_id`` is not needed.
        """
        column = self._player.column(position_of(state))
        return {action: float(action == column) for action in state.legal_actions()}


class Bot(pyspiel.Bot):
    """Bot that asks a player of this package for each action, in either seat.

    ``seconds``, ``depth`` and ``seed`` are as in ``ColumnPlayer``. A bot can play any number of
    games, one after another.
    """

    def __init__(
        self,
        player: str = DEFAULT_PLAYER,
        *,
        seconds: float | None = None,
        depth: int | None = None,
        seed: int | None = None,
    ) -> None:
        pyspiel.Bot.__init__(self)  # pybind11 advises against super()
        self._player = ColumnPlayer(player, seconds=seconds, depth=depth, seed=seed)

    def step(self, state: Any) -> int:  # noqa: ANN401
        """Return an action: a column, counting from 0."""
        return self._player.column(position_of(state))

    def inform_action(self, state: Any, player_id: int, action: int) -> None:  # noqa: ANN401
        """Do nothing: each state holds the whole game."""

    def restart(self) -> None:
        """Do nothing, as in ``inform_action``."""

    def restart_at(self, state: Any) -> None:  # noqa: ANN401
        """Do nothing, as in ``inform_action``."""


def variant_of(game: Any) -> Variant:  # noqa: ANN401
    """Return the variant of a ``connect_four``; raise ``VariantError`` if we do not know it."""
    if (name := game.get_type().short_name) != "connect_four":
        raise VariantError(f"the players play connect_four, not {name}")
    given = game.get_parameters()
    return Variant(given["columns"], given["rows"], given["x_in_row"])


def position_of(state: Any) -> Position:  # noqa: ANN401
    """Return the position of a state in which a player is to move.

    The text of a state has its rows, top first. Raises ``ImpossiblePosition`` if the game is over.
    """
    if state.is_terminal():
        raise ImpossiblePosition("the game is over: no player is to move")
    rows = str(state).split()
    grid = [[*map(CELL_MARKS.index, column)] for column in zip(*rows, strict=True)]
    return shown_position(grid, variant_of(state.get_game()), SEATS[state.current_player()])
