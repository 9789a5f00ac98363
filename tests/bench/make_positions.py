"""Makes ``tests/bot/solve/positions.txt``: positions of 7x6 of all depths with exact scores.

    pip install '.[bench]'
    python tests/bench/make_positions.py

Random ones, as in ``agreement.py``, five of each ply (of the first plies two, as they take long),
solved by our solver. A score with which BitBully does not agree ends it, and nothing is written.
"""

import random
import sys
from pathlib import Path

from agreement import SLOW_PLIES, BitBullys, disagreements, random_moves
from c4_bot.solve.solver import Solver
from c4_protocol.variant import STANDARD

POSITIONS = Path(__file__).parents[1] / "bot" / "solve" / "positions.txt"
SEED = 6
TRIES = 100


def chosen(numbers: random.Random) -> list[str]:
    """Different positions, as moves, the fewest first."""
    found = []
    for ply in range(STANDARD.cells):
        several = {random_moves(ply, numbers): None for _ in range(TRIES)}
        found += list(several)[: 2 if ply <= SLOW_PLIES else 5]
    return found


def main() -> int:
    """Writes the file; returns how many scores are not agreed upon."""
    theirs = BitBullys()
    scored = [(moves, theirs.score(moves)) for moves in chosen(random.Random(SEED))]
    differ = list(disagreements(scored, Solver(STANDARD)))
    print(*differ, sep="\n")
    if not differ:
        POSITIONS.write_text("".join(f"{moves} {score}\n" for moves, score in scored))
    return len(differ)


if __name__ == "__main__":
    sys.exit(main() > 0)
