"""The public solver: an object that keeps what it finds, over the solvers of the commands.

Times are in seconds. Moves are as in ``c4_protocol.Board``.
"""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from c4_protocol.board import Board
from c4_protocol.program.errors import (
    ArenaError,
    ImpossiblePosition,
    UsageError,
    VariantError,
)
from c4_protocol.program.numbers import checked_integer, checked_seconds
from c4_protocol.program.processors import usable_processors
from c4_protocol.program.text import shown
from c4_protocol.rules.notation import WireMove, check_not_over, wire_move
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STEAL, Variant

from c4_bot.book import book_of
from c4_bot.contract import Limits
from c4_bot.native import SCOPES
from c4_bot.solve.answers import Answerer, NotProven, Question, SolverAnswer
from c4_bot.solve.line.answers import LineAnswer, LineAnswerer
from c4_bot.solve.line.solver import LineSolver, is_native
from c4_bot.solve.score import last_ply, sign_of
from c4_bot.solve.solver import HASH_MB
from c4_bot.solve.steal import solver_of

if TYPE_CHECKING:
    from c4_bot.solve.solved_boards import SolvedBoards

MAX_THREADS = 1 << 10
"""Maximum number of threads."""
MAX_MB = 1 << 20
"""Maximum size of a table, in MiB."""


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


class Solver:
    """A solver of one variant that uses all processors and keeps what it finds.

    ``threads`` is the number of threads, by default one per processor. ``hash_mb`` is the size of
    the table of solved positions in MiB; what does not fit is forgotten. If ``book`` is true, an
    opening book answers positions of up to eleven stones on the standard board immediately.
    Threads of your program may share a solver: one at a time uses it. While it searches, other
    threads run, and Ctrl-C ends the search. Raises ``VariantError`` for a variant that does not
    exist, and ``UsageError`` for other wrong arguments.

    >>> solver = Solver()
    >>> board = Board.from_moves("32164625")
    >>> solver.solve(board).winner
    1
    >>> solver.best_line(board)
    (2, 3, 2, 2, 3, 3, 1, 5, 5, 3, 0, 3, 0)
    """

    def __init__(
        self,
        variant: Variant | str = "standard",
        *,
        threads: int | None = None,
        hash_mb: int = HASH_MB,
        book: bool = True,
    ) -> None:
        self._variant = Board(variant).variant
        self._threads = checked_threads(threads)
        megabytes = checked_integer(hash_mb, "hash_mb", 1, MAX_MB)
        self._lines = LineSolver(self._variant, megabytes) if is_native(self._variant) else None
        known = book_of(self._variant) if _checked_switch(book) else None
        self._solver = None if self._lines else solver_of(self._variant, megabytes, known)

    @property
    def variant(self) -> Variant:
        """The variant of the game that this object solves."""
        return self._variant

    @property
    def threads(self) -> int:
        """The number of threads."""
        return self._threads

    def solve(self, board: Board, seconds: float | None = 60.0) -> SolvedBoard:
        """Return the exact result of a position, and the moves that preserve this result.

        Raises ``NotProven`` if ``seconds`` are not enough (``None`` sets no limit), ``UsageError``
        for a board of another variant, and ``ImpossiblePosition`` when the game is over and,
        without the native core, when more cells are free than the Python solver can handle.
        """
        position = self.open_position(board)
        answer = self.answer(position, seconds)
        players_by_result = (0, position.player, 3 - position.player)  # draw, win, loss
        return SolvedBoard(
            answer.score,
            players_by_result[sign_of(answer.score)],
            self._last_ply(position, answer, seconds) - position.ply,
            tuple(sorted(wire_move(self._variant, cell) for cell in answer.best)),
            not isinstance(answer, LineAnswer) or answer.known.exact,
        )

    def score_moves(self, board: Board, seconds: float | None = 60.0) -> dict[WireMove, int]:
        """Return the exact score of every legal move, for the player who makes it.

        ``SolvedBoard`` says what a score means. Raises the same errors as ``solve``, and
        ``VariantError`` for a game without gravity: the solver for such games can prove a win, but
        cannot score every move.
        """
        position = self.open_position(board)
        self.check_gravity()
        answer = self.answer(position, seconds, every=True)
        scores: dict[WireMove, int] = {
            column: score for column, score in enumerate(answer.scores) if score is not None
        }
        if answer.steal is not None:
            scores[STEAL] = answer.steal
        return scores

    def best_line(self, board: Board, seconds: float | None = 60.0) -> tuple[WireMove, ...]:
        """Return the moves to the end of a game in which both players make their best moves.

        Of several best moves, the most central one is chosen. Where stones do not fall, the loser
        delays the loss as long as the proof allows, and the line of a draw is empty. ``seconds`` is
        for all moves together. Raises the same errors as ``solve``.
        """
        position, deadline = self.open_position(board), deadline_after(seconds)
        if self._lines is not None:
            answer = self.answer(position, seconds)
            cells = answer.line if isinstance(answer, LineAnswer) else ()
            return tuple(wire_move(self._variant, cell) for cell in cells)
        line: list[WireMove] = []
        while not position.is_over:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            best = self.answer(position, left).best
            cell = next(cell for cell in position.moves if cell in best)
            line.append(wire_move(self._variant, cell))
            position = position.play(cell)
        return tuple(line)

    def solve_many(
        self,
        boards: Iterable[Board],
        scores: str = "all",
        threads: int | None = None,
        progress: bool = False,
    ) -> "SolvedBoards":
        """Return the exact results of many positions, as numpy arrays in the order of ``boards``.

        ``scores`` is ``"all"`` for the scores of all moves, ``"best"`` for the score of each
        position and its best moves, ``"position"`` for the score alone, or ``"result"`` to know
        only who wins, which takes least time. ``threads`` is the number of positions that are
        solved at the same time, by default the solver's number of threads. ``progress`` shows a
        bar on standard error. Other threads run during the call. Ctrl-C ends it within 0.2
        seconds. Raises the same errors as ``score_moves``, with the index of the board, but
        sets no limit of time.
        """
        from c4_bot.solve.solved_boards import solve_all  # noqa: PLC0415 - numpy is slow to import

        number = self._threads if threads is None else checked_threads(threads)
        is_shown = _checked_switch(progress)
        if type(scores) is not str or scores not in SCOPES:
            names = ", ".join(map(repr, SCOPES[::-1]))
            raise UsageError(f"scores is one of {names}, not {shown(scores)}")
        self.check_gravity()
        several = listed(boards)
        positions = _positions(several, self.position_of)
        answerer, width = self.answerer(every=scores == "all"), self._variant.width
        try:
            return solve_all(answerer, positions, width, scores, number, is_shown=is_shown)
        except (ValueError, ImpossiblePosition):  # a game is over, which the core finds faster
            _positions(several, self.open_position)
            raise

    def open_position(self, board: Board) -> Position:
        """Return the position of a board of this variant whose game is not over."""
        position = self.position_of(board)
        check_not_over(position)
        return position

    def position_of(self, board: Board) -> Position:
        """Return the position of a board of this variant."""
        position = _checked_board(board).position
        if position.variant != self._variant:
            raise UsageError(f"this solver solves {self._variant}, not {position.variant}")
        return position

    def check_gravity(self) -> None:
        """Raise ``VariantError`` for a game without gravity."""
        if not self._variant.gravity:
            raise VariantError(f"{self._variant} has no gravity: solve_board finds the best moves")

    def _last_ply(self, position: Position, answer: SolverAnswer, seconds: float | None) -> int:
        """Return the number of stones on the board when the game ends, with best play.

        While the steal is ahead, the score does not show who places the last stone. Then a best
        move is made first.
        """
        if not position.steal_is_ahead:
            return last_ply(position, answer.score)
        child = position.play(answer.best[0])
        if child.is_over:
            return child.ply
        if child.steal_is_ahead:
            return self._last_ply(child, self.answer(child, seconds), seconds)
        return last_ply(child, -answer.score)

    def answer(
        self, position: Position, seconds: float | None, *, every: bool = False
    ) -> SolverAnswer:
        """Return the answer of the variant's solver, for the modules of this package.

        Raises ``NotProven`` if the time is too short.
        """
        deadline = deadline_after(seconds)
        question = Question("", position)
        if self._lines is not None:
            allowed = math.inf if seconds is None else seconds
            return LineAnswerer(self._lines, allowed, best=True).answer(question)
        answer = self.answerer(deadline, every=every).answer(question)
        if deadline is not None and time.monotonic() >= deadline:  # it may be incomplete
            raise NotProven(f"not solved within {seconds:g} s: allow more seconds")
        return answer

    def answerer(self, deadline: float | None = None, *, every: bool) -> Answerer:
        """Return what answers questions on games with gravity, for the modules of this package."""
        assert self._solver is not None
        limits = Limits(deadline=deadline, threads=self._threads)
        return Answerer(self._solver, limits, every=every, best=not every)


def open_position(board: Board) -> Position:
    """Return the board's position; raise ``ImpossiblePosition`` if the game is over."""
    position = _checked_board(board).position
    check_not_over(position)
    return position


def _checked_board(board: Board) -> Board:
    """Return a board; raise ``UsageError`` for anything else."""
    if not isinstance(board, Board):
        raise UsageError(f"expected a Board, such as Board.from_moves('4453'), not {shown(board)}")
    return board


def listed(boards: Iterable[Board]) -> list[Board]:
    """Return boards as a list, whose items are not checked; raise ``UsageError`` without any."""
    try:
        return list(boards)
    except TypeError:
        raise UsageError(f"expected boards, not {shown(boards)}") from None


def _positions(boards: Iterable[Board], read: Callable[[Board], Position]) -> list[Position]:
    """Return the positions of boards; name the first board that ``read`` refuses."""
    positions = []
    for number, board in enumerate(boards):
        try:
            positions.append(read(board))
        except ArenaError as error:
            raise type(error)(f"boards[{number}]: {error}") from None
    return positions


def checked_threads(threads: object) -> int:
    """Return a number of threads, by default one per processor; raise ``UsageError``."""
    if threads is None:
        return len(usable_processors())
    return checked_integer(threads, "a number of threads", 1, MAX_THREADS)


def _checked_switch(switch: object) -> bool:
    """Return a switch; raise ``UsageError`` for a value that may mean both."""
    try:
        return bool(switch)
    except Exception:  # for example, of an array
        raise UsageError(f"expected true or false, not {shown(switch)}") from None


def deadline_after(seconds: float | None) -> float | None:
    """Return the time at which the search has to end, in seconds of ``time.monotonic()``."""
    if seconds is None:
        return None
    return time.monotonic() + checked_seconds(seconds, "a time to think")
