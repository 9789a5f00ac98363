"""An environment of Gymnasium in which an agent plays against one of our players.

Importing this module registers the environment as ``c4_arena/ConnectFour-v0``::

    import gymnasium
    import c4_bot.adapters.gymnasium

    env = gymnasium.make("c4_arena/ConnectFour-v0", opponent="needed")
"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from c4_protocol.board import Board
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.position import SEATS, Seat
from c4_protocol.rules.variant import Variant
from numpy.typing import NDArray

from c4_bot.adapters.column_player import ColumnPlayer
from c4_bot.adapters.planes import planes_of

try:
    import gymnasium
except ModuleNotFoundError:
    raise ImportError("this needs Gymnasium: pip install 'c4-arena[gymnasium]'") from None

ENVIRONMENT_ID = "c4_arena/ConnectFour-v0"
MAX_SEED = 1 << 31

OpponentFunction = Callable[[Board], int]
"""Function from a board to a column, counting from 0."""
StepResult = tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]


class ConnectFourEnv(gymnasium.Env):
    """Connect Four against an opponent that is a part of the environment.

    An observation is an array as in PettingZoo (see ``planes.py``). Its shape is (rows, columns,
    2), and plane 0 holds the agent's stones. An action is a column, counting from 0. An episode is
    one game. The reward is 0 until the end, then 1 for a win, -1 for a loss and 0 for a draw. An
    illegal move loses, and so does an action that is not a whole number: the episode ends with
    reward -1, and ``info["illegal_move"]`` is true.
    ``info`` has the ``action_mask`` of the next move (int8: 1 is legal) and the agent's ``seat``,
    1 or 2.

    - ``opponent`` is the name of a player, or a function from a ``c4_protocol.Board`` to a column.
    - ``variant`` is a game with gravity, such as "standard", "8x7" or "5x4x3".
    - ``seat`` is the seat of the agent. With ``None``, it is drawn for each episode.
    - ``seconds`` and ``depth`` are limits of the opponent, as in ``ColumnPlayer``.

    With the same seed, the seats are the same, and so are the moves of a player whose time is not
    limited. Raises ``UsageError`` for an unknown player, an unknown seat and impossible limits.
    Raises ``VariantError`` for a game without gravity or with the steal, and for a game that the
    player does not play.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        opponent: str | OpponentFunction = "random",
        *,
        variant: Variant | str = "standard",
        seat: Seat | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._board = Board(variant)
        if not self._board.variant.has_only_columns:
            raise VariantError(f"an action is a column, but {self._board.variant} has other moves")
        if seat is not None and seat not in SEATS:
            raise UsageError(f"a seat is 1 or 2, or None to draw it, not {seat!r}")
        self._is_stopped = True  # before the first reset, and after an illegal move
        self._seat: Seat = seat or 1
        self._fixed_seat = seat
        self._limits: dict[str, Any] = {"seconds": seconds, "depth": depth}
        self._name = opponent if isinstance(opponent, str) else None
        self._ask: OpponentFunction = (
            self._opponent_player() if isinstance(opponent, str) else opponent
        )
        self.render_mode = render_mode
        rows, columns = self._board.variant.height, self._board.variant.width
        self.observation_space = gymnasium.spaces.Box(0, 1, (rows, columns, 2), np.int8)
        self.action_space = gymnasium.spaces.Discrete(columns)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Begin a game, and return the first observation of the agent and its ``info``.

        If the opponent moves first, its move is on the board. ``options`` are ignored.
        """
        super().reset(seed=seed)
        if seed is not None and self._name is not None:
            self._ask = self._opponent_player(int(self.np_random.integers(MAX_SEED)))
        self._seat = self._fixed_seat or SEATS[int(self.np_random.integers(2))]
        self._board, self._is_stopped = Board(self._board.variant), False
        self._let_opponent_play()
        return self._observation(), self._info()

    def step(self, action: int) -> StepResult:
        """Play a column, and the opponent's answer. Return what ``gymnasium.Env.step`` defines.

        Raises ``gymnasium.error.ResetNeeded`` before the first game and after the end of a game,
        and ``IllegalMove`` if a function that was given as the opponent returns an illegal move.
        """
        if self._is_over:
            raise gymnasium.error.ResetNeeded("there is no game, or it is over: call reset()")
        if not (self.action_space.contains(action) and action in self._board.legal_moves):
            self._is_stopped = True
            return self._observation(), -1.0, True, False, self._info() | {"illegal_move": True}
        self._board = self._board.play(action)
        self._let_opponent_play()
        winner = self._board.winner
        reward = 0.0 if winner == 0 else 1.0 if winner == self._seat else -1.0
        return self._observation(), reward, self._is_over, False, self._info()

    def render(self) -> str | None:
        """Return the board as a text if ``render_mode`` is "ansi", otherwise ``None``."""
        return str(self._board) if self.render_mode == "ansi" else None

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a boolean for each column: true if it is legal.

        ``MaskablePPO`` of sb3-contrib calls this method.
        """
        mask = np.zeros(self._board.variant.width, bool)
        mask[[] if self._is_stopped else self._board.legal_moves] = True
        return mask

    @property
    def board(self) -> Board:
        """The board, with the agent to move unless the game is over."""
        return self._board

    @property
    def _is_over(self) -> bool:
        return self._is_stopped or self._board.is_over

    def _let_opponent_play(self) -> None:
        """Play the opponent's move if the opponent is to move."""
        if not self._board.is_over and self._board.player != self._seat:
            self._is_stopped = True  # if the opponent raises, no game goes on without its move
            self._board = self._board.play(self._ask(self._board))
            self._is_stopped = False

    def _opponent_player(self, seed: int | None = None) -> OpponentFunction:
        """Return the player that is the opponent, as a function."""
        player = ColumnPlayer(self._name or "", seed=seed, **self._limits)
        player.check_plays(self._board.variant)
        return lambda board: player.column(board.position)

    def _observation(self) -> NDArray[np.int8]:
        return planes_of(self._board.position, self._seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}


if ENVIRONMENT_ID not in gymnasium.registry:
    gymnasium.register(ENVIRONMENT_ID, f"{__name__}:ConnectFourEnv")
