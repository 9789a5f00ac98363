"""Minimum-cost perfect matching with costs of several kinds."""

from collections.abc import Mapping
from zlib import crc32

VertexPair = tuple[int, int]
"""Two vertices that can be paired, the smaller number first."""
CostByKind = tuple[int, ...]
"""Costs of a pair, one of each kind, each 0 or more; the first kind matters most."""


def cheapest_matching(costs: Mapping[VertexPair, CostByKind]) -> list[VertexPair]:
    """Return a minimum-cost perfect matching, sorted.

    The matching has the smallest possible sum of costs of the first kind. Among equal matchings,
    the sum of the second kind decides, and so on. Each pair also has a pseudorandom number, which
    decides between matchings that are still equal. Then there is almost certainly exactly one
    cheapest matching (the isolating lemma of Mulmuley, Vazirani and Vazirani 1987, "Matching is as
    easy as matrix inversion", Combinatorica 7), so the result does not depend on the algorithm.

    The pairs in ``costs`` must allow a perfect matching, and their costs must have the same number
    of kinds.
    """
    import networkx as nx  # noqa: PLC0415 - slow, and only pairings need it

    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (one, other, weight) for (one, other), weight in _combined_costs(costs).items()
    )
    return sorted((min(found), max(found)) for found in nx.min_weight_matching(graph))


def _combined_costs(costs: Mapping[VertexPair, CostByKind]) -> dict[VertexPair, int]:
    """Return for each pair one number that combines its costs of all kinds.

    The kinds are in the order of their importance: one unit of a kind counts more than all costs of
    the later kinds together. A pseudorandom number is added as the last kind.
    """
    extended = {pair: (*cost, crc32(b"%d %d" % pair)) for pair, cost in costs.items()}
    most_pairs = max((max(pair) for pair in costs), default=0) // 2 + 1
    units = [1]
    for kind in reversed(list(zip(*extended.values(), strict=True))):
        units.append(units[-1] * (1 + most_pairs * max(kind)))
    scale = units[-2::-1]
    return {
        pair: sum(unit * part for unit, part in zip(scale, cost, strict=True))
        for pair, cost in extended.items()
    }
