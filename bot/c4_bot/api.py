"""The public functions: a thin layer over the players and the solvers.

Times are in seconds. Moves are as in ``c4_protocol.Board``: columns, counting from 0, or
``(column, row)`` in games without gravity.
"""

import math
import time
from dataclasses import dataclass

from c4_protocol.board import Board
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.program.numbers import checked_integer, checked_seconds
from c4_protocol.program.parser import MAX_NUMBER
from c4_protocol.program.text import shown
from c4_protocol.rules.notation import WireMove, check_not_over, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, STEAL

from c4_bot.book import default_book
from c4_bot.contract import Limits
from c4_bot.player import Player
from c4_bot.registry import DEFAULT_PLAYER, PlayerSpec, build, specs
from c4_bot.solve.answers import Answerer, NotProven, Question, SolverAnswer, sign_of
from c4_bot.solve.line.answers import LineAnswer, LineAnswerer
from c4_bot.solve.line.solver import LineSolver, is_native
from c4_bot.solve.score import last_ply
from c4_bot.solve.steal import solver_of


def players() -> list[PlayerSpec]:
    """Return the players, each with its name, a summary and the games that it plays.

    >>> [player.name for player in players()][:3]
    ['random', 'sequences', 'windows']
    """
    return list(specs().values())


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
    position = _open_position(board)
    chosen_player, most = checked_player(player, seed), checked_depth(depth)
    limits = Limits(depth=most, deadline=deadline_after(seconds))
    chosen = chosen_player.choose(position, limits)
    return wire_move(position.variant, chosen.cell)


@dataclass(frozen=True, slots=True)
class SolvedBoard:
    """The result of a game in which both players make their best moves.

    ``score`` is the score for the player to move. A draw scores 0. A win scores half the number of
    cells plus 1, minus the winner's stones when the game ends (22 minus these stones on the
    standard board). A loss scores the negative of the opponent's win. ``winner`` is 1, 2, or 0 for
    a draw. ``stones_left`` is the number of stones that both players together still play.
    ``best_moves`` are the moves that preserve the score. ``is_shortest`` is false if the winner may
    be able to win sooner: ``stones_left`` is then a maximum. Where stones fall, ``is_shortest`` is
    always true.
    """

    score: int
    winner: int
    stones_left: int
    best_moves: tuple[WireMove, ...]
    is_shortest: bool = True


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
    position = _open_position(board)
    answer = _answer(position, seconds, book=book)
    players_by_result = (0, position.player, 3 - position.player)  # draw, win, loss
    return SolvedBoard(
        answer.score,
        players_by_result[sign_of(answer.score)],
        _last_ply(position, answer, seconds, book=book) - position.ply,
        tuple(sorted(wire_move(position.variant, cell) for cell in answer.best)),
        not isinstance(answer, LineAnswer) or answer.known.exact,
    )


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
    position = _open_position(board)
    if not position.variant.gravity:
        raise VariantError(f"{position.variant} has no gravity: solve_board finds the best moves")
    answer = _answer(position, seconds, book=book, every=True)
    scores: dict[WireMove, int] = {
        column: score for column, score in enumerate(answer.scores) if score is not None
    }
    if answer.steal is not None:
        scores[STEAL] = answer.steal
    return scores


def _last_ply(
    position: Position, answer: SolverAnswer, seconds: float | None, *, book: bool
) -> int:
    """Return the number of stones on the board when the game ends, with best play.

    While the steal is ahead, the score does not show who places the last stone. Then a best move is
    made first.
    """
    if not position.steal_is_ahead:
        return last_ply(position, answer.score)
    child = position.play(answer.best[0])
    if child.is_over:
        return child.ply
    if child.steal_is_ahead:
        return _last_ply(child, _answer(child, seconds, book=book), seconds, book=book)
    return last_ply(child, -answer.score)


def _answer(
    position: Position, seconds: float | None, *, book: bool, every: bool = False
) -> SolverAnswer:
    """Return the answer of the variant's solver; raise ``NotProven`` if the time is too short."""
    deadline = deadline_after(seconds)
    question = Question("", position)
    if is_native(position.variant):
        allowed = math.inf if seconds is None else seconds
        return LineAnswerer(LineSolver(position.variant), allowed, best=True).answer(question)
    known = (
        default_book()
        if _checked_switch(book) and position.variant.without_steal == STANDARD
        else None
    )
    solver = solver_of(position.variant, book=known)
    answerer = Answerer(solver, Limits(deadline=deadline), every=every, best=not every)
    answer = answerer.answer(question)
    if deadline is not None and time.monotonic() >= deadline:  # the answer may be incomplete
        raise NotProven(f"not solved within {seconds:g} s: allow more seconds")
    return answer


def _open_position(board: Board) -> Position:
    """Return the board's position; raise ``ImpossiblePosition`` if the game is over."""
    if not isinstance(board, Board):
        raise UsageError(f"expected a Board, such as Board.from_moves('4453'), not {shown(board)}")
    check_not_over(board.position)
    return board.position


def checked_player(name: object, seed: object) -> Player:
    """Return the player with this name; raise ``UsageError`` for a wrong name or seed."""
    if not isinstance(name, str):
        raise UsageError(f"a player is a name that players() lists, not {shown(name)}")
    return build(name, seed=None if seed is None else checked_integer(seed, "a seed"))


def checked_depth(depth: object) -> int | None:
    """Return a depth in plies, or ``None``; raise ``UsageError`` for anything else."""
    return None if depth is None else checked_integer(depth, "a depth in plies", 1, MAX_NUMBER)


def _checked_switch(book: object) -> bool:
    """Return whether to use the book; raise ``UsageError`` for a value that may mean both."""
    try:
        return bool(book)
    except Exception:  # for example, of an array
        raise UsageError(f"book is true or false, not {shown(book)}") from None


def deadline_after(seconds: float | None) -> float | None:
    """Return the time at which the search has to end, in seconds of ``time.monotonic()``."""
    if seconds is None:
        return None
    return time.monotonic() + checked_seconds(seconds, "a time to think")
