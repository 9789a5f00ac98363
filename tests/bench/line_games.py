"""Games of `line-perfect` as first player on 8x8.

Stones go anywhere, and lines are rows and columns. `line-perfect` has to win all games. Its
opponents are: random moves; the move after which the win has the longest proof, among a random
half of all moves; and the player `blocker`, repaired and faithful, with 5 s per move. In all games
but the first, `blocker` puts its first stone at random, because otherwise all its games would be
the same.

A game is late if it took more stones than the player announced at any of its moves. A new player,
which knows nothing of earlier games, plays each game.
"""

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from _shared import show
from c4_bot.contract import WIN, Limits
from c4_bot.player import registry
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import find_verdict
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8

Opponent = Callable[[Position], int]
COUNTS = ("games", "won", "late", "stones, most", "announced, most")


@dataclass
class Results:
    """Results of the games against one opponent."""

    won: int = 0
    late: int = 0
    stones: list[int] = field(default_factory=list)
    promises: list[int] = field(default_factory=list)


class LongestProof:
    """An opponent that plays the move with the longest proof, among a random half of the moves."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._solver = LineSolver(LINE8)
        self._sizes: dict[Position, int] = {}

    def __call__(self, position: Position) -> int:
        """Return the opponent's move."""
        moves = position.moves
        some = self._draw.sample(moves, (len(moves) + 1) // 2)
        return max(some, key=lambda cell: self._size(position.play(cell)))

    def _size(self, child: Position) -> int:
        """Return the number of steps in a proof of the win after a move."""
        if child.is_over:
            return sys.maxsize
        if child not in self._sizes:
            known = find_verdict(self._solver, child, Limits(nodes=10_000_000), weak=True)
            assert known.sign == 1, "the move gave the win away"
            steps = self._solver.proof(child, True, known.moves, known.plain, Limits())
            self._sizes[child] = len(steps or ())
        return self._sizes[child]


class BlockerOpponent:
    """The player of document 003. Its first stone is random in all games but the first."""

    def __init__(self, draw: random.Random, *, faithful: bool) -> None:
        self._draw = draw
        self._player = registry.build_player("blocker", {"faithful": faithful})
        self._is_first_game = True

    def __call__(self, position: Position) -> int:
        """Return the opponent's move."""
        if position.ply == 1 and not self._is_first_game:
            return self._draw.choice(position.moves)
        self._is_first_game = False
        return self._player.choose(position, Limits()).cell


def play(opponent: Opponent, results: Results) -> None:
    """Play one game and add its figures to ``results``."""
    player, position = registry.build_player("line-perfect"), Position(LINE8)
    promised = []
    while not position.is_over:
        if position.player == 2:
            position = position.play(opponent(position))
            continue
        found = player.choose(position, Limits())
        promised.append(WIN - found.score)
        position = position.play(found.cell)
    results.won += position.winner == 1
    results.late += any(position.ply > last for last in promised)
    results.stones.append((position.ply + 1) // 2)
    results.promises.append((promised[0] + 1) // 2)


def row(name: str, opponent: Opponent, games: int) -> tuple[object, ...]:
    """Play the games against one opponent, and return its row of the table."""
    results = Results()
    for _ in range(games):
        play(opponent, results)
    most = max(results.stones), max(results.promises)
    return name, games, results.won, results.late, *most


def main(games: int = 1000, against_blocker: int = 20) -> None:
    """Play ``games`` games against each of the first two opponents, and fewer against `blocker`."""
    draw = random.Random(1)
    opponents: dict[str, tuple[Opponent, int]] = {
        "random": (lambda position: draw.choice(position.moves), games),
        "longest proof": (LongestProof(draw), games),
        "blocker": (BlockerOpponent(draw, faithful=False), against_blocker),
        "blocker, faithful": (BlockerOpponent(draw, faithful=True), against_blocker),
    }

    def rows() -> Iterator[tuple[object, ...]]:
        for name, (opponent, count) in opponents.items():
            if count:
                yield row(name, opponent, count)

    columns = {"against": ""} | dict.fromkeys(COUNTS, "d")
    show("games of line-perfect as first player, at most 1 s a move", columns, rows())
