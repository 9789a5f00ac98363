from collections.abc import Sequence

from c4_bot.native import Halves, Stones

# In every function ``variant`` is width, height, connect, gravity, and the sum of the directions:
# horizontal 1, vertical 2, diagonal 4. ``limits`` are depth in plies, nodes, seconds from the call,
# and threads, at most 1,024. -1 stands for no limit.
#
# Every function raises ``ValueError`` for stones that are not on the board, for two stones on one
# cell, for stones above a free cell in a game with gravity, for numbers out of their range and for
# too few parameters or weights. It raises ``TypeError`` for numbers of more than 64 bits. A
# function that is called in the main thread lets Python handle signals every 50 ms, so that Ctrl-C
# ends it with ``KeyboardInterrupt``.

SEARCHES: tuple[str, ...]
EVALUATORS: tuple[str, ...]

class SearchSpec:
    """The names of a search and of its evaluator, and their parameters in the order of the fields.

    A search that evaluates nothing has an evaluator without a name.
    """

    search: str
    parameters: Sequence[int]
    evaluator: str
    weights: Sequence[int]

    def __init__(
        self, search: str, parameters: Sequence[int], evaluator: str, weights: Sequence[int]
    ) -> None: ...

def search(
    spec: SearchSpec,
    variant: tuple[int, int, int, bool, int],
    stones: Stones,
    limits: tuple[int, int, float, int],
    among: Halves | None = None,
) -> tuple[int, int, bool, int, int, list[int], str, list[tuple[int, int, bool]]]:
    """Return the fields of a ``c4_bot.contract.Result``.

    ``among`` is a bitboard of the moves to try. Raises ``ValueError`` for unknown names, boards of
    more than 128 bits, games that are over, moves that are not legal, and for ``among`` if the
    search always tries all moves.
    """

def play_games(
    players: Sequence[tuple[str, Sequence[int], bool, int, int, bool]],
    games: Sequence[tuple[int, int, Sequence[int]]],
    variant: tuple[int, int, int, bool, int],
    threads: int,
) -> list[tuple[list[int], int, int]]:
    """Play games between players that search to a fixed depth, ``threads`` games at the same time.

    A player is a tuple: the evaluator, its weights, whether sooner wins are better, the preference
    among equal moves (1 for the highest cell, -1 for the lowest), the depth in plies, and whether
    the player answers an empty board with the most central cell. A game is a tuple: the indices of
    its two players in ``players``, and the cells of a legal opening that does not end the game.

    Returns for each game all its cells, its winner (0 for a draw) and the number of positions
    visited. Raises ``ValueError`` for unknown players, unknown evaluators, boards of more than 128
    bits and openings with an illegal move.
    """

def evaluate(
    spec: SearchSpec, variant: tuple[int, int, int, bool, int], stones: Stones, moves: bool
) -> int:
    """Return the score for the first player of ``stones``, by the evaluator of ``spec``.

    ``moves`` says whether this player is to move.
    Raises ``ValueError`` for an unknown evaluator and for boards of more than 128 bits.
    """

def use_network(
    variant: tuple[int, int, int, bool, int], shapes: Sequence[tuple[int, int, int]], weights: bytes
) -> None:
    """Let the evaluator ``network`` use these weights for positions of a variant.

    The order of the weights is that of ``c4_bot.evaluate._patterns.Patterns``. Raises
    ``ValueError`` for variants and shapes that a network cannot have, and for another number of
    weights.
    """

def perft(
    variant: tuple[int, int, int, bool, int], stones: Stones, depth: int, steal: bool = False
) -> int:
    """Return the number of nodes of the tree of all games to ``depth`` plies.

    ``steal`` is ``Position.steal_is_ahead``. Raises ``ValueError`` for boards of more than 128
    bits, and if the steal is ahead of a position with more than one stone.
    """

class Book:
    """Scores of positions with few stones: the twin of ``c4_bot.book.file.Book``.

    The three parts are those of the file: the first key of each block, the offsets of the blocks,
    and the entries. Raises ``ValueError`` for variants that a book cannot have, and for offsets
    that are not in the entries.
    """

    def __init__(
        self,
        variant: tuple[int, int, int, bool, int],
        plies: int,
        firsts: memoryview,
        begins: memoryview,
        entries: memoryview,
    ) -> None: ...
    def score(self, stones: Stones) -> int | None:
        """Return the score of a game that is not over, or ``None`` if the book has no score."""

class Solver:
    """Exact scores of one variant with gravity, in Pons's convention.

    ``megabytes`` is the size of the table of positions, at least 16 (32 on boards of more than 64
    bits). Raises ``ValueError`` for variants that the core cannot hold, for games that are over and
    for tables of more than 1,048,576 MiB. One thread at a time uses a solver; the others wait.
    """

    def __init__(self, variant: tuple[int, int, int, bool, int], megabytes: int) -> None: ...
    def solve(
        self, stones: Stones, wanted: tuple[int, int], limits: tuple[int, int, float, int]
    ) -> tuple[int, int, int]:
        """Return the lower and upper bound of a score, and the nodes visited.

        The score is for the player to move, in a game that is not over.

        The search ends when the bounds are equal, when they show that the score is not within
        ``wanted``, or when the limits are reached. A limit of depth has no effect.
        """

    def score_moves(
        self, stones: Stones, wanted: tuple[int, int], limits: tuple[int, int, float, int]
    ) -> list[tuple[int, int, int, int]]:
        """Return the cell, the bounds and the nodes of each legal move, the most central first.

        Scores are for the player to move, in a game that is not over. ``wanted`` is as in
        ``solve``. The limits are those of all moves together. The book, if there is one, is asked
        first. With a limit of nodes, one thread searches.
        """

    def solve_moves(
        self, moves: bytes, wanted: tuple[int, int], limits: tuple[int, int, float, int]
    ) -> tuple[int, int, int, int] | None:
        """Return the result of ``solve`` for the position after a move string, and nanoseconds.

        The book, if there is one, is asked first. Returns ``None`` if the moves are not legal or if
        the game is over.
        """

    def use_book(self, book: Book) -> None:
        """Let ``solve_moves`` and ``score_moves`` ask this book. It must be of the same variant."""

    def follow_up_bounds(self, stones: Stones) -> tuple[int, int]:
        """Return a lower and an upper bound of the score, found without a search.

        The player to move reaches the lower bound by a move and then always answering in the same
        column. The opponent keeps the score at or below the upper bound by such answers. No player
        may have a winning cell.
        """

    def forget(self) -> None:
        """Forget all positions."""

class LineSolver:
    """Forced wins in one variant without gravity, proven by threat-space search.

    Boards are packed: cell (column x, row y from the bottom) is bit ``x * height + y``.
    ``megabytes`` is the size of the table of positions, at least 1. Raises ``ValueError`` for
    variants that the core cannot hold, for games that are over and for tables of more than
    1,048,576 MiB. One thread at a time uses a solver; the others wait. ``max_stones`` is the
    maximum number of stones that the winner still plays. ``max_plain`` is the maximum number of
    these stones that threaten no win by fours. Limits of depth and threads have no effect.
    """

    def __init__(self, variant: tuple[int, int, int, bool, int], megabytes: int) -> None: ...
    def wins(
        self, stones: Stones, max_stones: int, max_plain: int, limits: tuple[int, int, float, int]
    ) -> tuple[bool | None, int, int]:
        """Return whether the player to move wins, the first cell of a win, and the nodes visited.

        The answer is ``None`` if the limits were reached; the cell is -1 if no win was found.
        """

    def loses(
        self, stones: Stones, max_stones: int, max_plain: int, limits: tuple[int, int, float, int]
    ) -> tuple[bool | None, int, int]:
        """Return whether the player to move loses, -1, and the nodes visited.

        The player loses if the opponent wins after each of the player's moves.
        """

    def proof(
        self,
        stones: Stones,
        wins: bool,
        max_stones: int,
        max_plain: int,
        limits: tuple[int, int, float, int],
    ) -> list[tuple[Halves, Halves, int, int, list[list[int]]]] | None:
        """Return the steps of a win or a loss with these maxima.

        Raises ``ValueError`` if there is no such win or loss.

        A step is the winner's stones and the opponent's, the cell that the winner plays (-1 if it
        is not the winner's turn), the maximum number of stones that the winner needs, and the
        winner's lines. Return ``None`` if the limits were reached.
        """

    def forget(self) -> None:
        """Forget all positions."""

class Trainer:
    """A network that learns from games against itself (``bot/native/train.hpp``).

    ``settings`` are the fields of the struct ``TrainSettings``, and ``parameters`` those of the
    evaluator ``Zugzwang``, which the network corrects. Raises ``ValueError`` for variants
    and shapes that a network cannot have. One thread at a time uses a trainer; the others wait.
    """

    def __init__(
        self,
        variant: tuple[int, int, int, bool, int],
        shapes: Sequence[tuple[int, int, int]],
        settings: tuple[int, int, int, int, float, float, float, float],
        parameters: Sequence[int],
    ) -> None: ...
    def play(self, batches: int, threads: int) -> tuple[int, int, int, int, float, float]:
        """Play batches of 32 games and learn from them; return the fields of a ``Progress``."""

    def play_match(
        self, pairs: int, opening: int, nodes: int, seed: int, threads: int
    ) -> tuple[int, int, int]:
        """Return wins, draws and losses against ``Zugzwang``.

        The games begin with ``opening`` random moves. A search visits at most ``nodes`` positions.
        """

    def weights(self, unit: float) -> bytes:
        """Return the weights in units of 1/``unit``, rounded to signed bytes."""

    def state(self) -> bytes:
        """Return everything that was learned."""

    def restore(self, state: bytes) -> None:
        """Continue from a ``state``. Raises ``ValueError`` if it is of another network."""
