from collections.abc import Sequence

SEARCHES: tuple[str, ...]
EVALUATORS: tuple[str, ...]

def search(
    kind: str,
    evaluator: str,
    weights: Sequence[int],
    variant: tuple[int, int, int, bool, int],
    own: tuple[int, int],
    other: tuple[int, int],
    depth: int,
    nodes: int,
    seconds: float,
    threads: int,
) -> tuple[int, int, bool, int, int, list[int]]:
    """The fields of a ``bot.contract.Result``.

    ``variant`` is width, height, connect, gravity and the directions (horizontal 1, vertical 2,
    diagonal 4); ``own`` and ``other`` are bitboards as their lower and upper 64 bits. Negative
    limits are none; ``seconds`` count from the call. Raises ``ValueError`` for unknown names,
    boards of more than 128 bits and full ones.
    """

def evaluate(
    evaluator: str,
    weights: Sequence[int],
    variant: tuple[int, int, int, bool, int],
    own: tuple[int, int],
    other: tuple[int, int],
) -> int:
    """The score for the owner of ``own``; arguments and errors as of ``search``."""

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
