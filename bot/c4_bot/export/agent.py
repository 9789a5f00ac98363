"""A player of ConnectX for kaggle-environments, in one file that needs only the standard library.

``agent(observation, configuration)`` returns a column, counting from 0. Each call does this:

1. A move that wins, stops the opponent from winning with the next move, or is the only legal one is
   played at once.
2. If the position is in the opening book (7x6, four in a row), the move of the book is played.
3. Otherwise a search to a growing depth orders the moves (``Search``), and a solver tries to prove
   which of them win, or at least draw (``Solver``).

A board is an int. The cell in column x and row y (from the bottom) is bit ``x * (rows + 1) + y``.
The bit above each column is always 0, so that a shifted board cannot wrap into the next column.

In all searches, ``own`` are the stones of the player to move and ``taken`` those of both players.
``mine`` and ``theirs`` are the threats of the player to move and of the opponent: the cells on
which one more stone completes a line.
"""

from __future__ import annotations

import base64
import sys
import time
import zlib
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

BOOK = ""
"""The opening book: see ``read_book``. ``c4-bot export kaggle`` writes it here."""

WIN = 10_000
"""Score of a win in ``Search``, minus the number of stones on the board when the game ends."""
MAX_ENTRIES = 1_000_000
"""Maximum number of positions in a table, about 130 MB. A full table is emptied."""
FIRST_NODES = 2_000
"""Nodes of the first attempt to prove the result of a move. Each later attempt has three times as
many. So hard proofs do not delay easy ones."""
KNOWN_SHARE, NEAR_SHARE, FAR_SHARE = 0.05, 0.2, 0.8
"""Shares of the time in which ``Search`` orders the moves: in a position that is known to be won,
with at most ``SOLVABLE`` free cells, and otherwise. The rest of the time is for proofs."""
SOLVABLE = 34
"""Maximum number of free cells with which a proof is likely enough to spend overage time on it."""
MAX_PROOF = 100
"""Maximum number of free cells with which a proof is tried. It limits the depth of recursion."""
RESERVE = 5.0
"""Seconds of overage time that are kept for pauses of the machine."""
ACT_TIMEOUT = 2.0
"""Seconds per move if the configuration does not state them: the limit of Kaggle's competition."""

count_bits: Callable[[int], int] = getattr(int, "bit_count", lambda cells: f"{cells:b}".count("1"))
"""Number of cells in a bitboard. Before Python 3.10, integers have no ``bit_count``."""


class OutOfTime(Exception):
    """The time, or the nodes, of a search are used up."""


class Board:
    """Geometry of one variant, and functions that find its lines.

    ``threats(stones)`` returns the cells, free or taken, on which one more stone completes a line.
    """

    def __init__(self, columns: int, rows: int, inarow: int) -> None:
        self.columns, self.rows, self.inarow = columns, rows, inarow
        self.stride = rows + 1
        self.cells = columns * rows
        self.bottom = sum(1 << x * self.stride for x in range(columns))
        self.full = self.bottom * ((1 << rows) - 1)
        self.steps = (self.stride, 1, self.stride + 1, self.stride - 1)
        self._shifts = [self._run_shifts(step) for step in self.steps]
        self.threats = self._threats_of_four() if inarow == 4 else self._threats
        middle_first = sorted(range(columns), key=lambda x: (abs(2 * x - columns + 1), x))
        self.order = [self.column(x) for x in middle_first]
        self.even = 0 if rows % 2 else sum(self.bottom << y for y in range(1, rows, 2))
        """The second row from the bottom, the fourth, and so on; 0 on boards of odd height."""
        self.last_cells = self._last_cells()
        self.weights = self._weights()

    def _threats_of_four(self) -> Callable[[int], int]:
        """Return ``threats`` for lines of four, which all contain two neighbours."""
        full = self.full
        shifts = [(step, 2 * step, 3 * step) for step in self.steps if step != 1]

        def threats(stones: int) -> int:
            found = (stones << 1) & (stones << 2) & (stones << 3)
            for one, two, three in shifts:
                pairs = stones & (stones >> one)
                if pairs:
                    triples = pairs & (stones >> two)
                    if triples:
                        found |= (triples << three) | (triples >> one)
                    found |= (pairs & (stones >> three)) << two
                    found |= (stones & (pairs >> two)) << one
            return found & full

        return threats

    def _threats(self, stones: int) -> int:
        found = 0
        for step in self.steps:
            cells = self.full
            before = [cells]
            for _ in range(self.inarow - 1):
                cells = ((cells & stones) << step) & self.full
                before.append(cells)
            after = self.full
            for cells in reversed(before):
                found |= cells & after
                after = ((after & stones) >> step) & self.full
        return found

    def has_line(self, stones: int) -> bool:
        """Return whether ``inarow`` stones are in a row."""
        for shifts in self._shifts:
            run = stones
            for shift in shifts:
                run &= run >> shift
            if run:
                return True
        return False

    def _run_shifts(self, step: int) -> list[int]:
        """Return the shifts that find lines in one direction. Most double the length of runs."""
        shifts, length = [], 1
        while length < self.inarow:
            grow = min(length, self.inarow - length)
            shifts.append(grow * step)
            length += grow
        return shifts

    def above(self, cells: int) -> int:
        """Return all cells that are above one of these cells in its column."""
        tops = self.bottom << self.rows
        return (((tops - cells | cells) & self.full) << 1) & self.full

    def key(self, own: int, taken: int) -> tuple[int, bool]:
        """Return a number that is the same for a position and for its mirror image.

        The second value is true if the number was computed from the mirror image.
        """
        key, stride = own + taken + self.bottom, self.stride
        column = (1 << stride) - 1
        mirrored = 0
        for x in range(0, self.columns * stride, stride):
            mirrored = mirrored << stride | (key >> x & column)
        return min(key, mirrored), mirrored < key

    def column(self, index: int) -> int:
        """Return the cells of a column."""
        return ((1 << self.rows) - 1) << index * self.stride

    def column_of(self, move: int) -> int:
        """Return the column of a move, which is a bitboard of one cell."""
        return (move.bit_length() - 1) // self.stride

    def _last_cells(self) -> tuple[int, int]:
        """Return the cells that each player gets in a column if all other columns are full."""
        first = 0
        for y in range(self.rows):
            if (self.cells - self.rows + y) % 2 == 0:
                first |= self.bottom << y
        return first, self.full & ~first

    def _weights(self) -> list[tuple[int, int]]:
        """Return pairs of cells and a weight. A cell's weights add up to the lines through it."""
        shapes = [sum(1 << i * step for i in range(self.inarow)) for step in self.steps]
        bits = self.columns * self.stride
        lines = [one << cell for one in shapes for cell in range(bits)]
        lines = [line for line in lines if line & ~self.full == 0]
        numbers = [sum(line >> cell & 1 for line in lines) for cell in range(bits)]
        found = []
        for power in range(max(numbers).bit_length()):
            cells = sum(1 << cell for cell in range(bits) if numbers[cell] >> power & 1)
            found.append((cells, 1 << power))
        return found


class Clock:
    """The limits of one move: a deadline in seconds of ``time.perf_counter``, and nodes."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.nodes = 0
        self._most = sys.maxsize

    def limit(self, nodes: int, deadline: float) -> None:
        """Allow this number of nodes more, until the deadline."""
        self._most = self.nodes + nodes
        self.deadline = deadline

    def check(self) -> None:
        """Raise ``OutOfTime`` if a limit is reached. Searches call this every 64 nodes."""
        if self.nodes >= self._most or time.perf_counter() > self.deadline:
            raise OutOfTime


class Solver:
    """A search for proofs that the player to move can win, or at least draw.

    Both tables remember proven answers by position. In all positions that ``reaches_goal`` visits,
    the player to move cannot win with the next move: the caller has checked it.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.can_draw: dict[int, bool] = {}
        self.can_win: dict[int, bool] = {}
        self.clock = Clock(0)

    def is_proven(self, own: int, taken: int, wins: bool) -> bool:
        """Return whether the player to move can reach the goal; see ``reaches_goal``.

        Raises ``OutOfTime``.
        """
        board = self.board
        mine, theirs = board.threats(own), board.threats(taken ^ own)
        if mine & (taken + board.bottom) & board.full & ~taken:
            return True
        for table in (self.can_draw, self.can_win):
            if len(table) > MAX_ENTRIES:
                table.clear()
        return self.reaches_goal(own, taken, mine, theirs, wins)

    def follows_from_lost(self, own: int, taken: int) -> bool:
        """Return whether the opponent is proven to have made the last move in a lost position."""
        board, other = self.board, own ^ taken
        last_stones = (taken + board.bottom) >> 1 & other
        return any(
            self.can_draw.get((other ^ last) + (taken ^ last) + board.bottom) is False
            for last in bits_of(last_stones)
        )

    def reaches_goal(self, own: int, taken: int, mine: int, theirs: int, wins: bool) -> bool:
        """Return whether the player to move can reach the goal.

        The goal is a win if ``wins`` is true, otherwise at least a draw. ``mine`` and ``theirs``
        are the threats of both players. A goal is reached if a move exists after which the opponent
        does not reach the opposite goal. Raises ``OutOfTime``.
        """
        board = self.board
        bottom, full = board.bottom, board.full
        moves = (taken + bottom) & full & ~taken
        forced = theirs & moves
        if forced:
            if forced & (forced - 1):
                return False
            moves = forced
        moves &= ~(theirs >> 1)
        if not moves:
            return taken == full and not wins
        table = self.can_win if wins else self.can_draw
        key = own + taken + bottom
        known = table.get(key)
        if known is not None:
            return known
        clock = self.clock
        clock.nodes += 1
        if not clock.nodes & 63:
            clock.check()
        if board.even and self._is_prevented(own, taken, theirs, wins):
            table[key] = False
            return False
        table[key] = found = self._has_good_move(own, taken, moves, theirs, wins)
        return found

    def _has_good_move(self, own: int, taken: int, moves: int, theirs: int, wins: bool) -> bool:
        threats, free = self.board.threats, self.board.full & ~taken
        last_cells = self.board.last_cells[count_bits(taken) & 1]
        ordered: list[tuple[int, int, int, int]] = []
        for column in self.board.order:
            move = moves & column
            if move:
                made = threats(own | move) & free
                rank = -2 * count_bits(made) - count_bits(made & last_cells)
                ordered.append((rank, len(ordered), move, made))
        if len(ordered) > 1:
            ordered.sort()
        other = taken ^ own
        known, key = self.can_draw if wins else self.can_win, other + taken + self.board.bottom
        for _, _, move, _ in ordered:
            if known.get(key + move) is False:
                return True
        for _, _, move, made in ordered:
            if not self.reaches_goal(other, taken | move, theirs, made & ~move, not wins):
                return True
        return False

    def _is_prevented(self, own: int, taken: int, theirs: int, wins: bool) -> bool:
        """Return whether the opponent prevents the goal by playing on top of each next stone.

        On boards of even height, the opponent gets every second cell of each column in this way
        (Victor Allis, A Knowledge-Based Approach of Connect-Four, 1988: claimeven, zugzwang). If
        one of these cells wins for the opponent, the cells above it are never played.
        ``bot/native/solver/follow_up.hpp`` explains why this works.
        """
        board = self.board
        free = board.full & ~taken
        waiting = free & ~(taken + board.bottom)
        if not count_bits(taken) & 1:
            sure = waiting & board.even
            traps = theirs & sure
            if not wins and not traps:
                return False
            return not board.has_line(own | free & ~sure & ~board.above(traps))
        even_next = (taken + board.bottom) & board.even
        traps = theirs & waiting & ~board.even
        while traps:
            trap = traps & -traps
            column = board.column(board.column_of(trap))
            traps &= ~column
            if even_next & column:
                below = free & column & ~board.even & (trap - 1)
                sure = waiting & board.even & ~column | below | trap
                if not board.has_line(own | free & ~sure & ~board.above(trap)):
                    return True
        return False


class Search:
    """Alpha-beta search to a growing depth, with estimates where the depth ends.

    Scores are for the player to move. A win is ``WIN`` minus the stones on the board at its end.
    """

    def __init__(self, board: Board, clock: Clock) -> None:
        self.board = board
        self.clock = clock
        self.best_moves: dict[int, int] = {}

    def ranked(self, own: int, taken: int, depth: int) -> list[tuple[int, int]]:
        """Return pairs of score and move, best first, of the moves that do not lose at once.

        If all moves lose at once, return all. The scores of all moves except the best are upper
        bounds. Raises ``OutOfTime``.
        """
        if len(self.best_moves) > MAX_ENTRIES:
            self.best_moves.clear()
        board = self.board
        theirs = board.threats(taken ^ own)
        moves = safe_moves(board, taken, theirs) or playable(board, taken)
        scored: list[tuple[int, int]] = []
        alpha = -WIN
        for move, made in self._ordered(own, taken, moves):
            child = taken ^ own, taken | move, theirs, made
            score = -self._score(*child, depth - 1, -WIN, -alpha)
            alpha = max(alpha, score)
            scored.append((score, move))
        scored.sort(key=lambda pair: -pair[0])
        self.best_moves[own + taken + board.bottom] = scored[0][1]
        return scored

    def _score(
        self, own: int, taken: int, mine: int, theirs: int, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the score if it is between alpha and beta, otherwise a bound of it."""
        board = self.board
        moves = playable(board, taken)
        if mine & moves:
            return WIN - count_bits(taken) - 1
        safe = safe_moves(board, taken, theirs)
        if not safe:
            return count_bits(taken) + 2 - WIN if moves else 0
        if depth <= 0 and not theirs & moves:
            return self._estimate(own, taken, mine, theirs)
        self.clock.nodes += 1
        if not self.clock.nodes & 63:
            self.clock.check()
        best = -WIN
        for move, made in self._ordered(own, taken, safe):
            child = taken ^ own, taken | move, theirs, made
            score = -self._score(*child, depth - 1, -beta, -max(alpha, best))
            if score > best:
                best = score
                self.best_moves[own + taken + board.bottom] = move
                if best >= beta:
                    break
        return best

    def _ordered(self, own: int, taken: int, moves: int) -> list[tuple[int, int]]:
        """Return pairs of a move and the threats after it; the most promising move comes first."""
        board, free = self.board, self.board.full & ~taken
        first = self.best_moves.get(own + taken + board.bottom)
        ordered: list[tuple[int, int, int, int]] = []
        for column in board.order:
            move = moves & column
            if move:
                made = board.threats(own | move) & free
                rank = -count_bits(made) if move != first else -WIN
                ordered.append((rank, len(ordered), move, made))
        ordered.sort()
        return [(move, made) for _, _, move, made in ordered]

    def _estimate(self, own: int, taken: int, mine: int, theirs: int) -> int:
        """Return an estimate of a score: threats, and the lines through the cells of the stones."""
        board, free, other = self.board, self.board.full & ~taken, taken ^ own
        me = count_bits(taken) & 1
        my_last, their_last = board.last_cells[me], board.last_cells[1 - me]
        mine &= free
        theirs &= free
        score = 30 * (count_bits(mine & my_last) - count_bits(theirs & their_last))
        score += 10 * (count_bits(mine & ~my_last) - count_bits(theirs & ~their_last))
        score += 60 * (bool(mine & mine << 1) - bool(theirs & theirs << 1))
        for cells, weight in board.weights:
            score += weight * (count_bits(own & cells) - count_bits(other & cells))
        return score


def playable(board: Board, taken: int) -> int:
    """Return the cells where the next stone may go."""
    return (taken + board.bottom) & board.full & ~taken


def safe_moves(board: Board, taken: int, theirs: int) -> int:
    """Return the moves after which the opponent, who has these threats, cannot win at once."""
    moves = playable(board, taken)
    forced = theirs & moves
    if forced:
        moves = 0 if forced & (forced - 1) else forced
    return moves & ~(theirs >> 1)


class Book:
    """Moves of the opening book by position.

    The book is a plan for both players: it has one move for each of our positions, and then a
    position for each reply of the opponent.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._columns: dict[int, int] = {}

    def column(self, own: int, taken: int) -> int | None:
        """Return the column to play; ``None`` if the book does not have the position."""
        key, is_mirrored = self.board.key(own, taken)
        column = self._columns.get(key)
        if column is None:
            return None
        return self.board.columns - 1 - column if is_mirrored else column

    def fill(self, choose: Callable[[int, int], int]) -> None:
        """Visit our positions, and store the column that ``choose(own, taken)`` returns for each.

        A branch ends where ``choose`` returns -1. The order is depth first: all positions after the
        empty board, then all positions after each first stone of player 1, from the left.
        """
        self.visit(0, 0, choose)
        for first in bits_of(playable(self.board, 0)):
            self.visit(0, first, choose)

    def visit(self, own: int, taken: int, choose: Callable[[int, int], int]) -> None:
        """Visit one of our positions and all that can follow it; see ``fill``."""
        column = choose(own, taken)
        if column < 0:
            return
        board = self.board
        key, is_mirrored = board.key(own, taken)
        self._columns[key] = board.columns - 1 - column if is_mirrored else column
        move = playable(board, taken) & board.column(column)
        own, taken = own | move, taken | move
        for reply in bits_of(playable(board, taken)):
            self.visit(own, taken | reply, choose)


def bits_of(cells: int) -> Iterator[int]:
    """Yield bitboards of one cell each: the columns from the left, and each from the bottom."""
    while cells:
        yield cells & -cells
        cells &= cells - 1


def read_book(board: Board, text: str) -> Book:
    """Return the book in a text: the columns for ``Book.fill`` in order, "." for -1, compressed."""
    book = Book(board)
    if text and (board.columns, board.rows, board.inarow) == (7, 6, 4):
        columns = iter(zlib.decompress(base64.b85decode("".join(text.split()))).decode())
        book.fill(lambda _own, _taken: ".0123456".index(next(columns)) - 1)
    return book


class Player:
    """A player of one variant. It remembers proven results by position, but no games.

    So it can play several games, one after another, without a message that a new game begins.
    """

    def __init__(self, board: Board, book: Book) -> None:
        self.board = board
        self.book = book
        self.solver = Solver(board)
        self.search = Search(board, self.solver.clock)

    def move(self, own: int, taken: int, deadline: float, latest: float) -> int:
        """Return a move as a bitboard of one cell.

        Think until ``deadline``. If the result is not known then, but can be expected soon, think
        until ``latest``.
        """
        board = self.board
        moves = playable(board, taken)
        clear = board.threats(own) & moves or board.threats(taken ^ own) & moves
        clear = clear or (0 if moves & (moves - 1) else moves)
        if clear:
            return clear & -clear
        column = self.book.column(own, taken)
        if column is None:
            return self._think(own, taken, deadline, latest)
        move = moves & board.column(column)
        if not count_bits(taken) & 1:  # player 1 wins with all moves of the book
            self.solver.can_draw[(own ^ taken) + (taken | move) + board.bottom] = False
        return move

    def _think(self, own: int, taken: int, deadline: float, latest: float) -> int:
        free = self.board.cells - count_bits(taken)
        is_won = self.solver.follows_from_lost(own, taken)
        share = KNOWN_SHARE if is_won else NEAR_SHARE if free <= SOLVABLE else FAR_SHARE
        now = time.perf_counter()
        ranked = self._ranked(own, taken, now + share * (deadline - now))
        score, best = ranked[0]
        if abs(score) > WIN - self.board.cells - 3 or free > MAX_PROOF:
            return best
        proofs = Proofs(self.solver, own, taken, [move for _, move in ranked])
        if is_won:
            proofs.maybe_drawn.clear()
        return proofs.best_move(deadline, latest if free <= SOLVABLE else deadline)

    def _ranked(self, own: int, taken: int, deadline: float) -> list[tuple[int, int]]:
        """Return the pairs of ``Search.ranked`` from the deepest search before the deadline."""
        board, clock = self.board, self.solver.clock
        clock.limit(sys.maxsize, sys.float_info.max)
        ranked = self.search.ranked(own, taken, 1)
        clock.limit(sys.maxsize, deadline)
        try:
            for depth in range(2, board.cells - count_bits(taken) + 1):
                if abs(ranked[0][0]) > WIN - board.cells - 3:
                    break
                ranked = self.search.ranked(own, taken, depth)
        except OutOfTime:
            pass
        return ranked


class Proofs:
    """Attempts to prove the results of some moves of one position, the most promising ones first.

    Deadlines are in seconds of ``time.perf_counter``.
    """

    def __init__(self, solver: Solver, own: int, taken: int, moves: list[int]) -> None:
        self.solver = solver
        self.own, self.taken = own, taken
        self.moves = moves
        self.maybe_won = list(moves)
        self.maybe_drawn = list(moves)

    def best_move(self, deadline: float, latest: float) -> int:
        """Return a move that wins, or else one that draws, or else the most promising one.

        The attempts end at the deadline if a move is proven to draw, otherwise at ``latest``.
        """
        drawn, nodes, end = 0, FIRST_NODES, latest
        while (self.maybe_won or self.maybe_drawn) and time.perf_counter() < end:
            won = self._proven(self.maybe_won, True, nodes, end)
            if won:
                return won
            drawn = drawn or self._proven(self.maybe_drawn, False, nodes, end)
            if drawn:
                self.maybe_drawn.clear()
                end = deadline
            nodes *= 3
        return drawn or (self.maybe_drawn or self.maybe_won or self.moves)[0]

    def _proven(self, moves: list[int], wins: bool, nodes: int, deadline: float) -> int:
        """Return a move that reaches the goal, or 0; remove those that do not from ``moves``."""
        own, taken, solver = self.own, self.taken, self.solver
        for move in list(moves):
            solver.clock.limit(nodes, deadline)
            try:
                if not solver.is_proven(own ^ taken, taken | move, not wins):
                    return move
                moves.remove(move)
            except OutOfTime:
                pass
        return 0


@lru_cache(maxsize=1)  # tables are large
def player_of(columns: int, rows: int, inarow: int) -> Player:
    """Return the player of a variant; the first call makes it, and reads the book."""
    board = Board(columns, rows, inarow)
    return Player(board, read_book(board, BOOK))


def value_of(record: object, name: str, default: object) -> Any:  # noqa: ANN401 - lists and numbers
    """Return a value of the dictionary or object that Kaggle passes to an agent."""
    value = record.get(name) if isinstance(record, dict) else getattr(record, name, None)
    return default if value is None else value


def stones_of(cells: list[int], columns: int, rows: int, mark: int) -> tuple[int, int]:
    """Return our stones and all stones, from Kaggle's list of cells: rows from the top."""
    own = taken = 0
    for index, owner in enumerate(cells):
        row, column = divmod(index, columns)
        if owner:
            bit = 1 << column * (rows + 1) + rows - 1 - row
            taken |= bit
            own |= bit if owner == mark else 0
    return own, taken


def time_limits(observation: object, configuration: object) -> tuple[float, float]:
    """Return the seconds to think about a usual move, and about a move that is worth more.

    Time beyond ``actTimeout`` is taken from the overage time, which is for the whole game.
    """
    usual = float(value_of(configuration, "actTimeout", ACT_TIMEOUT))
    overage = float(value_of(observation, "remainingOverageTime", 0))
    extra = min((overage - RESERVE) / 3, 5 * usual)
    safe = max(usual / 2, 0.9 * usual - 0.2)
    return safe, safe + max(extra, 0)


def chosen_column(observation: object, configuration: object, start: float) -> int:
    """Return the column to play. ``start`` is when Kaggle called, in ``time.perf_counter``.

    Raises any exception for an observation that is not a position with a free cell.
    """
    columns, rows, inarow = (
        int(value_of(configuration, name, default))
        for name, default in (("columns", 7), ("rows", 6), ("inarow", 4))
    )
    cells = [int(owner) for owner in value_of(observation, "board", [])]
    mark = value_of(observation, "mark", 1 + (len(cells) - cells.count(0)) % 2)
    player = player_of(columns, rows, inarow)
    own, taken = stones_of(cells, columns, rows, int(mark))
    usual, longest = time_limits(observation, configuration)
    column = player.board.column_of(player.move(own, taken, start + usual, start + longest))
    if cells[column]:
        raise ValueError("stones float above free cells")
    return column


def agent(observation: object, configuration: object) -> int:
    """Return the column to play, counting from 0. Kaggle calls the last function of the file."""
    start = time.perf_counter()
    try:
        return chosen_column(observation, configuration, start)
    except Exception as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        columns = int(value_of(configuration, "columns", 7))
        cells = value_of(observation, "board", [])
        free = [column for column in range(columns) if not any(cells[column : column + 1])]
        return min(free, key=lambda column: abs(2 * column - columns + 1), default=0)
