"""Check of proofs from `c4-solve --proof`, by the rules alone.

    c4-solve --variant line8 --proof proof.jsonl < positions
    python tests/bench/run.py line_checker proof.jsonl

The checker visits every position to which the winner's moves can lead. After each reply of the
other player, the position must have a step: as it is, turned or mirrored. Otherwise one of the
lines of the last step must win against this reply. The docstring of c4_bot/solve/line/proof.py
describes the format. The checker uses nothing of the package.
"""

import json
import re
from functools import cache
from itertools import product
from pathlib import Path


class WrongProofError(Exception):
    """Raised for a proof that is incomplete or wrong."""


class Checker:
    """The rules of one game, and the steps of one proof.

    A cell is a pair (row, column). Stones are sets of cells.
    """

    def __init__(self, head, steps):
        height, width, self.connect = head["height"], head["width"], head["connect"]
        names = {"horizontal": [(0, 1)], "vertical": [(1, 0)], "diagonal": [(1, 1), (1, -1)]}
        ways = [way for name in head["directions"] for way in names[name]]
        self.cells = frozenset(product(range(height), range(width)))
        lines = (
            frozenset((row + i * down, column + i * right) for i in range(self.connect))
            for (row, column), (down, right) in product(self.cells, ways)
        )
        self.lines = [line for line in lines if line <= self.cells]
        turns = (0, 1) if height == width and ((0, 1) in ways) == ((1, 0) in ways) else (0,)
        self.steps = {}
        for turn, up, left in product(turns, (0, 1), (0, 1)):
            image = {}
            for row, column in self.cells:
                u, v = height - 1 - row if up else row, width - 1 - column if left else column
                image[row, column] = (v, u) if turn else (u, v)
            for step in steps:
                self.add(image, **step)
        self.stones_to_win = cache(self.stones_to_win)

    def add(self, image, own, other, move, most, lines):
        """Add a step with its cells mapped by ``image``, which turns or mirrors the board."""
        stones = (frozenset(image[cell] for cell in cells(names)) for names in (own, other))
        turned = [[image[cell] for cell in cells(line)] for line in lines]
        self.steps[tuple(stones)] = move and image[cells(move)[0]], most, turned

    def threats(self, stones, free):
        """Return the free cells that complete a line."""
        gaps = (line - stones for line in self.lines)
        return frozenset().union(*(gap for gap in gaps if len(gap) == 1 and gap <= free))

    def stones_to_win(self, winner, other):
        """Return the maximum number of stones that the winner needs.

        Raises ``WrongProofError`` if this number is not proven.
        """
        move, promised, lines = self.steps[winner, other]
        free = self.cells - winner - other
        if move:
            need(move in free, "a stone is on another", winner, other)
            if move in self.threats(winner, free):
                return 1
            winner, free = winner | {move}, free - {move}
        need(free, "the board is full", winner, other)
        need(not self.threats(other, free), "the other player wins", winner, other)
        most = bool(move) + max(self.answer(winner, other | {reply}, lines) for reply in free)
        need(most <= promised, f"it takes {most} stones, not {promised}", winner, other)
        return most

    def answer(self, winner, other, lines):
        """Return the maximum number of stones that the winner needs after a reply."""
        if (winner, other) in self.steps:
            return self.stones_to_win(winner, other)
        needed = next(filter(None, (self.play(winner, other, line) for line in lines)), 0)
        need(needed, "a reply is not answered", winner, other)
        return needed

    def play(self, winner, other, line):
        """Return the number of stones with which a line wins, or 0 if the line does not win."""
        for number, cell in enumerate(line[::2], 1):
            free = self.cells - winner - other
            if cell not in free:
                return 0
            if cell in self.threats(winner, free):
                return number
            if self.threats(other, free) - {cell}:
                return 0
            winner = winner | {cell}
            threats = self.threats(winner, free - {cell})
            if len(threats) > 1:
                return number + 1
            if not threats or [*threats] != line[2 * number - 1 : 2 * number]:
                return 0
            other = other | threats
        return 0


def need(holds, reason, winner, other):
    """Raise ``WrongProofError`` unless ``holds`` is true."""
    if not holds:
        raise WrongProofError(f"{reason}: {sorted(winner)} against {sorted(other)}")


def cells(names):
    """Return the cells of a text such as ``d4e5``, in order."""
    rows = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    found = re.findall(r"([a-zA-Z])(\d+)", names)
    return [(rows.index(row), int(column) - 1) for row, column in found]


def check(head, steps):
    """Check a proof. Return the stones that the winner needs, and the number of positions.

    Raises ``WrongProofError`` if the proof does not prove what it claims.
    """
    checker, moves = Checker(head, steps), cells(head["moves"])
    players = frozenset(moves[::2]), frozenset(moves[1::2])
    to_move = len(moves) % 2
    winner = to_move if head["outcome"] == "win" else 1 - to_move
    asked = players[winner], players[1 - winner]
    need(asked in checker.steps, "the position has no step", *asked)
    has_move = checker.steps[asked][0] is not None
    need(has_move == (head["outcome"] == "win"), "the other player is to move", *asked)
    most = checker.stones_to_win(*asked)
    need(most <= head["most"], "it takes more stones than it says", *asked)
    return most, checker.stones_to_win.cache_info().currsize


def proofs(file):
    """Yield the head and the steps of each proof in a file."""
    while line := file.readline():
        head = json.loads(line)
        yield head, [json.loads(file.readline()) for _ in range(head["steps"])]


def main(name: str) -> None:
    """Check all proofs of a file, and show their results."""
    from _shared import show

    def rows():
        with Path(name).open(encoding="utf-8") as file:
            for head, steps in proofs(file):
                most, positions = check(head, steps)
                yield head["moves"] or "(none)", head["outcome"], most, len(steps), positions

    columns = {"moves": "", "outcome": "", "stones": "d", "steps": "d", "positions": "d"}
    show(name, columns, rows())
