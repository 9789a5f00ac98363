"""Nodes per second of each player, in Python and natively.

The searches begin at the empty board of the player's own game (8x8 without gravity for players
that only play such games), on one thread. The rates are those of searches to a fixed depth. Python
searches four plies. The native search goes two plies less deep than the time allows.
"""

import time
from collections.abc import Iterator

from _shared import show
from c4_bot.contract import Limits, Search
from c4_bot.native import Twin
from c4_bot.player import registry
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD

PYTHON_PLIES = 4


def rate(search: Search, position: Position, plies: int) -> float:
    """Return the nodes that a search to ``plies`` visits per second of processor time."""
    began = time.process_time()
    found = search.search(position, Limits(plies))
    return found.nodes / (time.process_time() - began)


def main(seconds: float = 5) -> None:
    """Search for ``seconds`` seconds with each player that has a native twin."""

    def rows() -> Iterator[tuple[object, ...]]:
        for name, spec in registry.player_specs().items():
            search = registry.build_player(name).search
            if isinstance(search, Twin):
                position = Position(LINE8 if spec.variants == "free" else STANDARD)
                slow = rate(search.python, position, PYTHON_PLIES)
                limits = Limits(deadline=time.monotonic() + seconds)
                plies = search.search(position, limits).depth
                fast = rate(search, position, plies - 2)
                yield name, slow, fast, fast / slow, plies

    rates = {"Python /s": ",.0f", "native /s": ",.0f", "ratio": ".0f"}
    show("nodes", {"player": "", **rates, f"plies in {seconds:g} s": "d"}, rows())
