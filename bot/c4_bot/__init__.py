"""Connect Four players and exact scores.

``players`` lists the players and ``best_move`` asks one of them for a move. ``solve_board`` and
``score_moves`` return the result of a game in which both players make their best moves, and
``solve_many`` those of many positions. ``explain`` says why a move is best, or a mistake. A
``Solver`` keeps what it finds. A position is a ``c4_protocol.Board``. All other modules are
internal. ``c4-bot`` and ``c4-solve`` are the commands.

>>> from c4_bot import best_move, solve_board
>>> from c4_protocol import Board
>>> board = Board.from_moves("44536")
>>> best_move(board, seconds=1.0)
6
>>> solve_board(board).winner
2
"""

from c4_protocol.program.lazy import lazy_names

__all__ = [
    "Explanation",
    "NotProven",
    "PlayerSpec",
    "SolvedBoard",
    "SolvedBoards",
    "Solver",
    "best_move",
    "explain",
    "players",
    "score_moves",
    "solve_board",
    "solve_many",
]

TYPE_CHECKING = False  # an import of typing would take longer than this module
if TYPE_CHECKING:
    from c4_bot.api import best_move, explain, players, score_moves, solve_board, solve_many
    from c4_bot.player.registry import PlayerSpec
    from c4_bot.reasons.explainer import Explanation
    from c4_bot.solve.answers import NotProven
    from c4_bot.solve.public_solver import SolvedBoard, Solver
    from c4_bot.solve.solved_boards import SolvedBoards
else:
    __getattr__, __dir__ = lazy_names(
        __name__, __all__, "solve.public_solver", "api", "solve.solved_boards"
    )
