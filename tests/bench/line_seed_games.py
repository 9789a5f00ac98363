"""Exact results of document 003's three games, move by move.

After each move the table says who wins, and with how many more of the winner's stones ("<=" if a
shorter win is not excluded in the time). The last column has the moves that were better.

Seed document: 003_042b791f4f409f5b.txt, its appendix. In its second game the diagram has a stone of
O on b7 that stops no line.
"""

import time
from collections.abc import Iterator

from _shared import show
from c4_bot.contract import Limits
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import Verdict, verdict
from c4_protocol.notation import moves_text, position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import LINE8

GAMES = (
    "d4 d5 c4 e4 c3 c2 c5 c6 b4 f4 a4",
    "d5 e4 e5 f5 c5 b5 c4 b7 c3 c2 c6",
    "d4 d5 d3 d6 d2 d1 c4 e4 c5 b4 c6 c7 c3",
)
"""Rows a to h from the top, columns 1 to 8. The document's program moves second."""


def outcome(position: Position, known: Verdict) -> str:
    """Return who wins, as in ``X wins with <=6``."""
    if position.is_won:
        return f"{'OX'[position.player == 2]} has won"
    if not known.sign:
        return "not proven" if known.sign is None else "a draw"
    winner = "X" if (known.sign == 1) == (position.player == 1) else "O"
    return f"{winner} wins with {'' if known.exact else '<='}{known.moves}"


class Analyst:
    """A solver with a time for each position, in seconds."""

    def __init__(self, seconds: float) -> None:
        self._solver = LineSolver(LINE8)
        self._seconds = seconds

    def judge(self, position: Position) -> Verdict:
        """Return what is proven of a position in the time."""
        if position.is_over:
            return Verdict()
        return verdict(self._solver, position, Limits(deadline=time.monotonic() + self._seconds))

    def comment(self, position: Position, before: Verdict, child: Position, after: Verdict) -> str:
        """Return what was better than the move from ``position`` to ``child``, if anything was."""
        if before.sign == 1 and after.sign != -1 and not child.is_over:
            return f"{moves_text(LINE8, [before.cell or 0])} wins with {before.moves}"
        if before.sign != -1 and after.sign == 1:
            return (
                f"not seen to lose: {moves_text(LINE8, self._holding(position, after)) or 'none'}"
            )
        if before.sign == -1 and after.sign == 1 and after.moves < before.moves:
            return f"loses {before.moves - after.moves} stones sooner than necessary"
        return ""

    def _holding(self, position: Position, known: Verdict) -> list[int]:
        """Return the moves after which no win is found with at most two stones more."""
        until = Limits(nodes=int(self._seconds * 1_000_000))
        most = known.moves + 2
        return [
            cell
            for cell in position.moves
            if not self._solver.wins(position.play(cell), most, known.plain, until).holds
        ]


def judged_moves(game: str, seconds: float) -> Iterator[tuple[str, ...]]:
    """Yield the moves of a game, each with the outcome after it and what was better."""
    analyst, names = Analyst(seconds), game.split()
    before = analyst.judge(Position(LINE8))
    for ply, name in enumerate(names):
        position = position_from_moves(" ".join(names[:ply]), LINE8)
        child = position_from_moves(" ".join(names[: ply + 1]), LINE8)
        after = analyst.judge(child)
        note = analyst.comment(position, before, child, after)
        yield name, "XO"[ply % 2], outcome(child, after), note
        before = after


def main(seconds: float = 5) -> None:
    """Search each position for ``seconds``."""
    columns = dict.fromkeys(("move", "of", "after it", "better"), "")
    for number, game in enumerate(GAMES, 1):
        show(f"game {number}", columns, judged_moves(game, seconds))
