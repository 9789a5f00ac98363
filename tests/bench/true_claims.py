"""Claims of players about their moves, against exact scores.

Each player answers random positions of 4 to 34 stones at each limit of nodes, time and depth. What
``--info`` would say of the move is compared with the exact scores of all moves.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from _shared import show
from c4_bot import explain, registry
from c4_bot.contract import Limits, is_proven
from c4_bot.player import Player
from c4_protocol.notation import wire_move
from c4_protocol.position import Position

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))
from claims import Scores, false_claims, read_positions

POSITIONS = Path(__file__).parent / "positions" / "answers.txt"
DEADLINES_MS = (0, 1, 2, 5, 11, 20, 50)
DEPTHS = (1, 2, 4, 6)
SHOWN = 3
"""Maximum number of false claims of a player that are printed."""


def claims_of(
    player: Player, position: Position, scores: Scores, limits: Limits
) -> tuple[bool, list[str]]:
    """Return whether the player calls its score proven, and what it says that is not true."""
    found = player.choose(position, limits)
    listed = player.scores(position, found, limits)
    proven = [one for one in listed if one.exact or is_proven(one.score)]
    info = explain.info(position, found, proven, player.evaluator, 0)
    move = wire_move(position.variant, found.cell)
    return info.exact, false_claims(position, scores, move, info)


def all_limits() -> Iterator[Callable[[], Limits]]:
    """Yield functions that return limits. Deadlines count from the call."""
    for depth in DEPTHS:
        yield lambda depth=depth: Limits(depth=depth)
    for ms in DEADLINES_MS:
        yield lambda ms=ms: Limits(deadline=time.monotonic() + ms / 1000)


def main(positions: int = 300, *players: str) -> None:
    """Ask all players, or ``players``, about ``positions`` positions at each limit."""
    sample = random.Random(2).sample(read_positions(POSITIONS), positions)
    names = players or [name for name, spec in registry.specs().items() if spec.variants != "free"]

    def rows() -> Iterator[tuple[object, ...]]:
        for name in names:
            player, answers, exact, false = registry.build(name, seed=1), 0, 0, 0
            for limits in all_limits():
                for position, scores in sample:
                    is_exact, claims = claims_of(player, position, scores, limits())
                    answers, exact, false = answers + 1, exact + is_exact, false + bool(claims)
                    if claims and false <= SHOWN:
                        print(f"{name}: {position}: {claims}", file=sys.stderr)
            yield name, answers, exact, false

    columns = {"player": "", "answers": "d", "called proven": "d", "false": "d"}
    show(f"claims about moves in {positions} positions", columns, rows())
