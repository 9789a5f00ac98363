"""Games of the default player on 8x8, without gravity.

Stones go anywhere, and lines are rows and columns. Each opening has two random moves, and is played
from both sides with new players. Both players have the same time for each move.

"thrown" counts moves of the default player in positions that the solver proves to be won, after
which it cannot prove the win any longer. "broken" counts games that the player announced to win at
a certain ply, and did not win by then. The interval is that of the mean of the pairs of games.
"""

import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from _shared import show
from c4_bot import registry
from c4_bot.contract import WIN, Limits, is_proven
from c4_bot.player import Player
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import verdict
from c4_protocol.position import Position
from c4_protocol.variant import LINE8

OPENING_PLIES = 2
NODES, MORE_NODES = 100_000, 4_000_000
"""Maximum number of nodes to prove that a position is won, and that it is still won after a
move."""
COLUMNS = {
    "against": "",
    **dict.fromkeys(("ms", "games", "won", "drawn", "lost"), "d"),
    **dict.fromkeys(("percent", "from", "to"), ".1f"),
    **dict.fromkeys(("thrown", "broken"), "d"),
}


@dataclass
class Results:
    """Results of the default player. ``pairs`` are the points of each pair of games, 0 to 2."""

    outcomes: Counter[str] = field(default_factory=Counter)
    pairs: list[float] = field(default_factory=list)
    thrown: int = 0
    broken: int = 0


def opening(draw: random.Random) -> Position:
    """Return a position after random moves."""
    position = Position(LINE8)
    for _ in range(OPENING_PLIES):
        position = position.play(draw.choice(position.moves))
    return position


def is_won(position: Position, nodes: int) -> bool:
    """Return whether the player to move is proven to win."""
    return verdict(LineSolver(LINE8, 1), position, Limits(nodes=nodes), weak=True).sign == 1


def throws_away(position: Position, child: Position) -> bool:
    """Return whether a position is proven to be won, and the position after a move is not."""
    if child.is_won or not is_won(position, NODES):
        return False
    loses = verdict(LineSolver(LINE8), child, Limits(nodes=MORE_NODES), weak=True).sign
    return loses != -1


def play(
    start: Position, players: dict[int, Player], side: int, ms: float, results: Results
) -> float:
    """Play a game, add it to ``results``, and return the points of ``side``: 0, 0.5 or 1."""
    position, last = start, start.variant.cells
    moves = []
    while not position.is_over:
        limits = Limits(deadline=time.monotonic() + ms / 1000)
        found = players[position.player].choose(position, limits)
        child = position.play(found.cell)
        if position.player == side:
            moves.append((position, child))
            if found.score > 0 and is_proven(found.score):
                last = min(last, WIN - found.score)
        position = child
    points = 0.5 if not position.winner else float(position.winner == side)
    results.outcomes["lost" if points == 0 else "won" if points == 1 else "drawn"] += 1
    results.thrown += sum(throws_away(*move) for move in moves)
    results.broken += last < start.variant.cells and (points < 1 or position.ply > last)
    return points


def rows(games: int, ms: int, opponent: str) -> Iterator[tuple[object, ...]]:
    """Play the games in pairs, and yield the row of the table."""
    draw, results = random.Random(1), Results()
    for _ in range(games // 2):
        start, points = opening(draw), 0.0
        for side in (1, 2):
            players = {side: registry.build(), 3 - side: registry.build(opponent)}
            points += play(start, players, side, ms, results)
        results.pairs.append(points)
    mean = 50 * statistics.fmean(results.pairs)
    error = 1.96 * 50 * statistics.stdev(results.pairs) / math.sqrt(len(results.pairs))
    counts = [results.outcomes[name] for name in ("won", "drawn", "lost")]
    interval = mean - error, mean + error
    yield opponent, ms, games, *counts, mean, *interval, results.thrown, results.broken


def main(games: int = 200, ms: int = 100, *, opponent: str = "blocker") -> None:
    """Play ``games`` games with ``ms`` milliseconds a move against ``opponent``."""
    show("games of the default player on 8x8 without gravity", COLUMNS, rows(games, ms, opponent))


if __name__ == "__main__":
    main()
