"""The public functions: a thin layer over the players and the solvers.

Times are in seconds. Moves are as in ``c4_protocol.Board``: columns, counting from 0, or
``(column, row)`` in games without gravity.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from c4_protocol.board import Board, checked_move
from c4_protocol.program.errors import UsageError
from c4_protocol.program.numbers import checked_integer
from c4_protocol.program.parser import MAX_NUMBER
from c4_protocol.program.text import shown
from c4_protocol.rules.notation import WireMove, cell_of_wire, wire_move
from c4_protocol.rules.variant import STANDARD

from c4_bot.contract import Limits
from c4_bot.player.player import Player
from c4_bot.player.registry import DEFAULT_PLAYER, PlayerSpec, build_player, player_specs
from c4_bot.reasons.explainer import Explanation, explain_position
from c4_bot.solve.public_solver import SolvedBoard, Solver, deadline_after, listed, open_position

if TYPE_CHECKING:
    from c4_bot.solve.solved_boards import SolvedBoards


def players() -> list[PlayerSpec]:
    """Return the players, each with its name, a summary and the games that it plays.

    >>> [player.name for player in players()][:3]
    ['random', 'sequences', 'windows']
    """
    return list(player_specs().values())


def best_move(
    board: Board,
    seconds: float | None = 1.0,
    player: str = DEFAULT_PLAYER,
    *,
    depth: int | None = None,
    seed: int | None = None,
) -> WireMove:
    """Return a player's move: a column from 0, or ``(column, row)`` in games without gravity.

    The answer takes at most about ``seconds``. With ``None``, only the player's own limit applies.
    ``depth`` is the maximum depth of the search in plies. If the player chooses at random, the same
    ``seed`` gives the same moves. Raises ``UsageError`` for an unknown player or an impossible
    limit, ``VariantError`` for a game that the player does not play, and ``ImpossiblePosition``
    when the game is over.

    >>> best_move(Board.from_moves("121212"), seconds=0.1)
    0
    """
    position = open_position(board)
    chosen_player, most = checked_player(player, seed), checked_depth(depth)
    limits = Limits(depth=most, deadline=deadline_after(seconds))
    chosen = chosen_player.choose(position, limits)
    return wire_move(position.variant, chosen.cell)


def solve_board(board: Board, seconds: float | None = 60.0, *, book: bool = True) -> SolvedBoard:
    """Return the exact result of a position, and the moves that preserve this result.

    If ``book`` is true, an opening book answers positions of up to eleven stones on the standard
    board immediately. Raises ``NotProven`` if ``seconds`` are not enough (``None`` sets no limit).
    Raises ``ImpossiblePosition`` when the game is over and, without the native core, when more
    cells are free than the Python solver can handle. Ctrl-C ends the search.

    >>> solved = solve_board(Board.from_moves("32164625"))
    >>> solved.winner, solved.best_moves, solved.score
    (1, (2,), 11)
    """
    return _solver(board, book=book).solve(board, seconds)


def score_moves(
    board: Board, seconds: float | None = 60.0, *, book: bool = True
) -> dict[WireMove, int]:
    """Return the exact score of every legal move, for the player who makes it.

    ``SolvedBoard`` says what a score means. Raises the same errors as ``solve_board``, and
    ``VariantError`` for a game without gravity: the solver for such games can prove a win,
    but cannot score every move.

    >>> score_moves(Board.from_moves("32164625"))
    {0: -4, 1: -3, 2: 11, 3: 4, 4: 0, 5: -2, 6: -5}
    """
    return _solver(board, book=book).score_moves(board, seconds)


def solve_many(
    boards: Iterable[Board],
    scores: str = "all",
    threads: int | None = None,
    progress: bool = False,
) -> "SolvedBoards":
    """Return the exact results of many positions of one variant, as numpy arrays.

    The arrays are in the order of ``boards``. By default, all processors are used.
    ``Solver.solve_many`` describes the arguments and the errors. To keep what was found for the
    next call, use a ``Solver``.

    >>> solved = solve_many(Board.from_moves(moves) for moves in ("4453", "32164625"))
    >>> solved.scores.tolist()
    [-2, 11]
    >>> solved.move_scores[1].tolist()
    [-4, -3, 11, 4, 0, -2, -5]
    """
    several = listed(boards)
    variant = several[0].variant if several and isinstance(several[0], Board) else STANDARD
    return Solver(variant).solve_many(several, scores, threads, progress)


def explain(board: Board, move: WireMove | None = None, seconds: float | None = 1.0) -> Explanation:
    """Return why a move is best, or what a mistake allows, in one sentence and as data.

    Without ``move``, the best move is explained. If the exact scores are not known within half of
    ``seconds`` (``None`` sets no limit), the reason follows from the rules or is ``"searched"``.
    Raises ``IllegalMove`` for a move that the rules do not allow, and ``ImpossiblePosition`` when
    the game is over.

    >>> explain(Board.from_moves("4455")).text
    'Column 3 (move 2) makes two threats at once, in columns 2 and 6 (moves 1 and 5).'
    """
    position = open_position(board)
    cell = None if move is None else cell_of_wire(position, checked_move(move))
    return Explanation.of(explain_position(_solver(board, book=True), position, cell, seconds))


def _solver(board: Board, *, book: bool) -> Solver:
    """Return a solver that uses one thread, for one position."""
    return Solver(open_position(board).variant, threads=1, book=book)


def checked_player(name: object, seed: object) -> Player:
    """Return the player with this name; raise ``UsageError`` for a wrong name or seed."""
    if not isinstance(name, str):
        raise UsageError(f"a player is a name that players() lists, not {shown(name)}")
    return build_player(name, seed=None if seed is None else checked_integer(seed, "a seed"))


def checked_depth(depth: object) -> int | None:
    """Return a depth in plies, or ``None``; raise ``UsageError`` for anything else."""
    return None if depth is None else checked_integer(depth, "a depth in plies", 1, MAX_NUMBER)
