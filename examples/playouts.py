"""Builds a tree of moves, and evaluates its leaves with random games (UCT).

    c4-referee match "python3 examples/playouts.py" "c4-bot --level 4" --games 10 --time-ms 300

It tries moves that have won before more often than others: L. Kocsis and C. Szepesvari, "Bandit
based Monte-Carlo planning" (2006). A player's stones are the bits of a number, column by column
from the bottom, with a spare bit above each column. Shifting this number finds lines.
"""

import json
import math
import random
import sys
import time

RANDOM = random.Random(2006)  # the same numbers each time; the time decides how many are used
CURIOSITY = 1.0  # with a larger number, moves that do not look good are tried more often


class Board:
    """The shape of a board; a move is the bit of the new stone."""

    def __init__(self, width: int, height: int, connect: int) -> None:
        self.bottoms = [1 << x * (height + 1) for x in range(width)]
        self.columns = [bottom * ((1 << height) - 1) for bottom in self.bottoms]
        self.steps = [1, height, height + 1, height + 2]
        self.connect = connect

    def moves(self, stones: int) -> list[int]:
        """Return the legal moves: a column plus its bottom bit carries into the first free bit."""
        pairs = zip(self.columns, self.bottoms, strict=True)
        return [move for column, low in pairs if (move := (stones & column) + low & column)]

    def has_line(self, stones: int) -> bool:
        """Return whether a player with these stones has won."""
        for step in self.steps:
            line = stones
            for _ in range(self.connect - 1):
                line &= line >> step
            if line:
                return True
        return False

    def playout(self, own: int, other: int) -> int:
        """Play a random game; return 1 if the player to move wins, 0 for a draw, -1 for a loss."""
        sign = 1
        while moves := self.moves(own | other):
            own |= RANDOM.choice(moves)
            if self.has_line(own):
                return sign
            own, other, sign = other, own, -sign
        return 0


class Node:
    """A position of the tree; ``points`` add up the results of the player who has just moved."""

    def __init__(self, board: Board, own: int, other: int) -> None:
        self.board, self.own, self.other = board, own, other
        self.visits = self.points = 0
        self.children: dict[int, Node] = {}
        self.is_lost = board.has_line(other)
        moves = [] if self.is_lost else board.moves(own | other)
        winning = [move for move in moves if board.has_line(own | move)]
        self.untried = winning[:1] or RANDOM.sample(moves, len(moves))

    def visit(self) -> int:
        """Play a game from here; return 1 if the player who has just moved wins, else 0 or -1."""
        if self.visits == 0 or self.is_lost:
            points = 1 if self.is_lost else -self.board.playout(self.own, self.other)
        elif self.untried:
            move = self.untried.pop()
            self.children[move] = Node(self.board, self.other, self.own | move)
            points = -self.children[move].visit()
        else:
            points = -max(self.children.values(), key=self.promise).visit() if self.children else 0
        self.visits += 1
        self.points += points
        return points

    def promise(self, child: "Node") -> float:
        """Return the mean of a move's results, plus a bonus for moves that were tried rarely."""
        unknown = math.sqrt(math.log(self.visits) / child.visits)
        return child.points / child.visits + CURIOSITY * unknown


def choose(grid: list[list[int]], connect: int, player: int | None, deadline: float) -> int:
    """Return the column to play, counting from 0; the grid lists columns, each from the top."""
    board = Board(len(grid), len(grid[0]), connect)
    stones = [0, 0, 0]
    for column, bottom in zip(grid, board.bottoms, strict=True):
        for y, cell in enumerate(reversed(column)):
            stones[cell] |= bottom << y
    if not player and "--player" in sys.argv:
        player = int(sys.argv[sys.argv.index("--player") + 1])
    elif not player:
        player = 1 if stones[1].bit_count() <= stones[2].bit_count() else 2
    root = Node(board, stones[player], stones[3 - player])
    while time.monotonic() < deadline or root.visits < 2:
        root.visit()
    best = max(root.children, key=lambda move: root.children[move].visits)
    return next(x for x, column in enumerate(board.columns) if best & column)


for line in sys.stdin:
    began = time.monotonic()
    if line.strip() == ":exit":
        break
    if "{" in line:  # not a blank line; a byte order mark (BOM) before it is ignored
        precept = json.loads(line[line.index("{") :])
        ms = precept.get("time_ms", 1000)
        if "clock" in precept:  # a clock for the whole game
            ms = precept["clock"]["remaining_ms"] / 20
        until = began + ms / 2000  # half of the time: other processes may need some of it
        move = choose(precept["grid"], precept.get("connect", 4), precept.get("player"), until)
        print(json.dumps({"move": move}), flush=True)
