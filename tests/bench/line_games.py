"""Games that ``line-perfect`` starts on 8x8, stones anywhere, rows and columns: all have to be won.

    python tests/bench/line_games.py [games] [games against blocker]

Against random moves; against an opponent who looks at a random half of the moves and takes the one
after which a win is the longest to prove; and against the player ``blocker``, repaired and
faithful, at 5 s a move, whose first stone is drawn by lot but for one game, as all would be alike.
A game counts as late if it took more stones than the player said at its first move, or any later
one. Each game is one of a new player who knows nothing; "ms" is processor time, as other work makes
no difference to it, "wall" is not.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from c4_bot import registry
from c4_bot.contract import WIN, Limits
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import verdict
from c4_protocol.position import Position
from c4_protocol.variant import LINE8
from rich.console import Console
from rich.progress import track
from rich.table import Table

Opponent = Callable[[Position], int]


@dataclass
class Results:
    """What came of the games against one opponent."""

    won: int = 0
    late: int = 0
    stones: list[int] = field(default_factory=list)
    claims: list[int] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)


class Stubborn:
    """Takes the move with the largest proof, among a random half of them."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._solver = LineSolver(LINE8)
        self._sizes: dict[Position, int] = {}

    def __call__(self, position: Position) -> int:
        """The move."""
        moves = position.moves
        some = self._draw.sample(moves, (len(moves) + 1) // 2)
        return max(some, key=lambda cell: self._size(position.play(cell)))

    def _size(self, child: Position) -> int:
        if child.is_over:
            return sys.maxsize
        if child not in self._sizes:
            known = verdict(self._solver, child, Limits(nodes=10_000_000), weak=True)
            assert known.sign == 1, "the player has lost its win"
            steps = self._solver.proof(child, True, known.moves, known.plain, Limits())
            self._sizes[child] = len(steps or ())
        return self._sizes[child]


class Blocker:
    """The player of document 003."""

    def __init__(self, draw: random.Random, faithful: bool) -> None:
        self._draw = draw
        self._player = registry.build("blocker", {"faithful": faithful})
        self._is_first_game = True

    def __call__(self, position: Position) -> int:
        """The move."""
        if position.ply == 1 and not self._is_first_game:
            return self._draw.choice(position.moves)
        self._is_first_game = False
        return self._player.choose(position, Limits()).cell


def play(opponent: Opponent, results: Results) -> None:
    """One game, which the player starts."""
    player, position = registry.build("line-perfect"), Position(LINE8)
    promised = []
    while not position.is_over:
        if position.player == 2:
            position = position.play(opponent(position))
            continue
        wall, cpu = time.perf_counter(), time.process_time()
        found = player.choose(position, Limits())
        results.ms.append((time.process_time() - cpu) * 1000)
        results.wall.append((time.perf_counter() - wall) * 1000)
        promised.append(WIN - found.score)
        position = position.play(found.cell)
    results.won += position.winner == 1
    results.late += any(position.ply > last for last in promised)
    results.stones.append((position.ply + 1) // 2)
    results.claims.append((promised[0] + 1) // 2)


def main(games: int = 1000, against_blocker: int = 20) -> None:
    """Plays and prints."""
    draw = random.Random(1)
    opponents: dict[str, tuple[Opponent, int]] = {
        "random": (lambda position: draw.choice(position.moves), games),
        "largest proof": (Stubborn(draw), games),
        "blocker": (Blocker(draw, faithful=False), against_blocker),
        "blocker, faithful": (Blocker(draw, faithful=True), against_blocker),
    }
    table = Table(title="Games that line-perfect starts, 1 s a move at most")
    for title in ("against", "games", "won", "late", "stones: most", "mean", "promised", "moves"):
        table.add_column(title, justify="left" if title == "against" else "right")
    for title in ("ms: median", "99th percentile", "longest", "wall: 99th percentile"):
        table.add_column(title, justify="right")
    played = ((name, *how) for name, how in opponents.items() if how[1])
    for name, opponent, count in played:
        results = Results()
        for _ in track(range(count), name):
            play(opponent, results)
        ms, wall = (statistics.quantiles(one, n=100) for one in (results.ms, results.wall))
        whole = (count, results.won, results.late, max(results.stones))
        figures = (ms[49], ms[98], max(results.ms), wall[98])
        mean, most = statistics.fmean(results.stones), max(results.claims)
        parts = (*map(str, whole), f"{mean:.2f}", str(most), str(len(results.ms)))
        table.add_row(name, *parts, *(f"{figure:.1f}" for figure in figures))
    Console(width=140).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
