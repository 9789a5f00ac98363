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
