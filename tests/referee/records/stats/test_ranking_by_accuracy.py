"""Accuracy as the last tie-break of a ranking."""

import numpy as np
from c4_referee.records.stats.ranking import rank_players

WIN = np.array([1, 0, 0])


def tied(bots: int = 3) -> np.ndarray:
    """Return results in which each bot has beaten each other bot once."""
    results = np.zeros((bots, bots, 3), np.int64)
    for first in range(bots):
        for second in range(bots):
            if first != second:
                results[first, second] += WIN
    return results


def test_accuracy_orders_bots_that_are_tied_in_all_else() -> None:
    """Accuracy orders bots that are tied in all else; with equal accuracy they share a rank."""
    table = rank_players("abc", tied(), accuracy={"a": 0.5, "b": 0.9, "c": 0.5})
    assert [(row.rank, row.name, row.accuracy) for row in table] == [
        (1, "b", 0.9), (2, "a", 0.5), (2, "c", 0.5)
    ]  # fmt: skip


def test_accuracy_comes_after_points_and_rankings() -> None:
    """Accuracy does not override points or the ranking of a knockout."""
    results = tied(2)
    results[0, 1] += WIN
    accuracy = {"a": 0.1, "b": 0.9}
    assert [row.name for row in rank_players("ab", results, accuracy=accuracy)] == [
        "a", "b"
    ]  # fmt: skip
    ranked = rank_players("ab", tied(2), ranking="ab", accuracy=accuracy)
    assert [(row.name, row.accuracy) for row in ranked] == [("a", None), ("b", None)]
