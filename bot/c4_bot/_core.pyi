from collections.abc import Sequence

SEARCHES: tuple[str, ...]
EVALUATORS: tuple[str, ...]

def search(
    kind: str,
    parameters: Sequence[int],
    evaluator: str,
    weights: Sequence[int],
    variant: tuple[int, int, int, bool, int],
    own: tuple[int, int],
    other: tuple[int, int],
    depth: int,
    nodes: int,
    seconds: float,
    threads: int,
) -> tuple[int, int, bool, int, int, list[int], list[tuple[int, int, bool]], str]:
    """The fields of a ``c4_bot.contract.Result``, the reason last.

    ``parameters`` and ``weights`` are the fields of the search and of the evaluator in their order;
    an evaluator without a name is none, and finds everything worth nothing.
    ``variant`` is width, height, connect, gravity and the directions (horizontal 1, vertical 2,
    diagonal 4); ``own`` and ``other`` are bitboards as their lower and upper 64 bits. Negative
    limits are none; ``seconds`` count from the call. Raises ``ValueError`` for unknown names,
    boards of more than 128 bits and full ones.
    """

def play_games(
    players: Sequence[tuple[str, Sequence[int], bool, int, int, bool]],
    games: Sequence[tuple[int, int, Sequence[int]]],
    variant: tuple[int, int, int, bool, int],
    threads: int,
) -> list[tuple[list[int], int, int]]:
    """Games between players that search to a fixed depth, several at once.

    A player is its evaluator and the weights of it, whether sooner wins are better, which of equal
    moves it takes (1 the highest cell, -1 the lowest), its depth in plies, and whether it answers
    an empty board with its most central cell. A game is the places of its two players in
    ``players`` and the cells of an opening, which is legal and not over. Of each game come all its
    cells, its winner (0 for a draw) and the positions visited. Raises ``ValueError`` for unknown
    players, evaluators and boards of more than 128 bits.
    """

def evaluate(
    evaluator: str,
    weights: Sequence[int],
    variant: tuple[int, int, int, bool, int],
    own: tuple[int, int],
    other: tuple[int, int],
) -> int:
    """The score for the owner of ``own``; arguments and errors as of ``search``."""

def perft(
    variant: tuple[int, int, int, bool, int],
    own: tuple[int, int],
    other: tuple[int, int],
    depth: int,
) -> int:
    """The nodes of the tree of all games to ``depth`` plies; arguments and errors as above."""

class Solver:
    """Exact scores of one variant in which stones fall, in Pons's convention.

    ``megabytes`` is the size of its memory of positions. Raises ``ValueError`` for variants that
    the core cannot hold. One call at a time.
    """

    def __init__(self, variant: tuple[int, int, int, bool, int], megabytes: int) -> None: ...
    def solve(
        self,
        own: tuple[int, int],
        other: tuple[int, int],
        low: int,
        high: int,
        nodes: int,
        seconds: float,
        threads: int,
    ) -> tuple[int, int, int]:
        """Bounds of the score of a game that is not over, and the nodes visited.

        The search goes on until the bounds are equal, or settle the score as far as it lies
        between ``low`` and ``high``, or the limits are reached (negative ones are none).
        """

    def most_by_following(self, own: tuple[int, int], other: tuple[int, int]) -> int:
        """The most that the player to move can score against an opponent who answers on top.

        A quick upper bound, for nodes in which nobody can complete a line at once.
        """

    def forget(self) -> None:
        """Forgets all positions."""

class LineSolver:
    """Forced wins in one variant in which stones go anywhere, proven by threat-space search.

    Boards are packed: cell (column x, row y from the bottom) is bit ``x * height + y``.
    ``megabytes`` is the size of its memory of positions. Raises ``ValueError`` for variants that
    the core cannot hold. One call at a time. ``most`` counts stones of the player who wins,
    ``plain`` those of them that threaten no win by fours; negative limits are none.
    """

    def __init__(self, variant: tuple[int, int, int, bool, int], megabytes: int) -> None: ...
    def wins(
        self,
        own: tuple[int, int],
        other: tuple[int, int],
        most: int,
        plain: int,
        nodes: int,
        seconds: float,
    ) -> tuple[bool | None, int, int]:
        """Whether the player to move wins so, ``None`` if the limits were reached; cell and nodes.

        The cell is that of the first stone of a win, else -1.
        """

    def loses(
        self,
        own: tuple[int, int],
        other: tuple[int, int],
        most: int,
        plain: int,
        nodes: int,
        seconds: float,
    ) -> tuple[bool | None, int, int]:
        """Whether the other player wins so, whatever is played now; -1 and nodes."""

    def proof(
        self,
        own: tuple[int, int],
        other: tuple[int, int],
        wins: bool,
        most: int,
        plain: int,
        nodes: int,
        seconds: float,
    ) -> list[tuple[tuple[int, int], tuple[int, int], int, int, list[list[int]]]] | None:
        """The steps of a win, or of a loss, that was found by the same numbers.

        A step is the winner's stones and the other player's, the cell that the winner plays (-1 if
        it is not his turn), how many stones he needs at most, and his lines. ``None`` if the
        limits were reached.
        """

    def forget(self) -> None:
        """Forgets all positions."""
