"""The cheapest way to make pairs of everybody."""

from collections.abc import Mapping
from zlib import crc32

import networkx as nx

Pair = tuple[int, int]
"""Two who can be paired, the smaller number first."""
Cost = tuple[int, ...]
"""What a pair costs, 0 or more of each kind; the first kind matters most."""


def cheapest(costs: Mapping[Pair, Cost]) -> list[Pair]:
    """Of the pairs that have a cost so many that everybody is in one of them, in their order.

    Their sum of the first kind of cost is the least possible, then that of the second, and so on.
    What is still equal is settled by a number for each pair that looks drawn: with those there is
    all but surely one cheapest way (the isolating lemma of Mulmuley, Vazirani and Vazirani 1987,
    "Matching is as easy as matrix inversion", Combinatorica 7), so that it does not depend on how
    it is found. Each pair has as many kinds of cost, and it can be done.
    """
    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (one, other, weight) for (one, other), weight in _weights(costs).items()
    )
    return sorted((min(found), max(found)) for found in nx.min_weight_matching(graph))


def _weights(costs: Mapping[Pair, Cost]) -> dict[Pair, int]:
    """One number for each cost: no sum of a kind comes up to one unit of the kind before."""
    drawn = {pair: (*cost, crc32(b"%d %d" % pair)) for pair, cost in costs.items()}
    most = max((max(pair) for pair in costs), default=0) // 2 + 1  # pairs
    units = [1]
    for kind in reversed(list(zip(*drawn.values(), strict=True))):
        units.append(units[-1] * (1 + most * max(kind)))
    scale = units[-2::-1]
    return {
        pair: sum(unit * part for unit, part in zip(scale, cost, strict=True))
        for pair, cost in drawn.items()
    }
