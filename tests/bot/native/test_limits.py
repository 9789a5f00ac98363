"""Limits are those of a whole search, with all its threads, moves and depths."""

import pytest
from c4_bot.contract import Limits
from c4_bot.evaluate.windows import Windows
from c4_bot.native import native_twin
from c4_bot.search.minimax import Minimax
from c4_bot.search.negamax import Negamax
from c4_bot.solve.solver import Solver
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant

pytest.importorskip("c4_bot._core")

PORTION = 1024
"""Maximum number of nodes that a thread visits between two looks at the limits."""


@pytest.mark.parametrize("variant", [Variant(9, 8), Variant(8, 7), Variant(7, 6)], ids=str)
@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_share_the_nodes_of_a_solver(variant: Variant, threads: int) -> None:
    """Eight threads visit no more nodes than one, except those of their last portions."""
    limits = Limits(nodes=200_000, threads=threads)
    nodes = Solver(variant).solve(Position(variant), limits).nodes
    assert nodes + threads >= 200_000
    assert nodes <= 200_000 + (threads - 1) * PORTION


@pytest.mark.parametrize("search", [Minimax, Negamax])
@pytest.mark.parametrize("nodes", [1, 7, 8, 56, 57, 400, 1000, 5000])
def test_root_moves_share_the_nodes_of_a_search(
    search: type[Minimax | Negamax], nodes: int
) -> None:
    """All moves and all depths have one budget; the core and its threads use it as Python does."""
    python = search(Windows())
    slow = python.search(Position(), Limits(nodes=nodes))
    assert slow.nodes <= nodes
    fast = native_twin(search.__name__.lower(), python)
    for threads in (1, 2, 5):
        assert fast.search(Position(), Limits(nodes=nodes, threads=threads)) == slow
