"""Exact results of document 003's three games, move by move.

After each move the table shows the winner, and how many more stones the winner needs ("<=" if the
search did not exclude a shorter win in the given time). The last column has the moves that were
better.

Seed document: 003_042b791f4f409f5b.txt, its appendix. In its second game the diagram shows a stone
of O on b7 that stops no line.
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
"""Rows are named a to h from the top, columns 1 to 8. The document's program moves second."""


def outcome(position: Position, known: Verdict) -> str:
    """Return the winner and the stones needed, as in ``X wins with <=6``."""
    if position.is_won:
        return f"{'OX'[position.player == 2]} has won"
    if not known.sign:
        return "not proven" if known.sign is None else "a draw"
    winner = "X" if (known.sign == 1) == (position.player == 1) else "O"
    return f"{winner} wins with {'' if known.exact else '<='}{known.moves}"


class Analyst:
    """A solver with a limit of seconds for each position."""

    def __init__(self, seconds: float) -> None:
        self._solver = LineSolver(LINE8)
        self._seconds = seconds

    def judge(self, position: Position) -> Verdict:
        """Return the verdict that is proven for a position within the limit."""
        if position.is_over:
            return Verdict()
        return verdict(self._solver, position, Limits(deadline=time.monotonic() + self._seconds))

    def comment(self, position: Position, before: Verdict, child: Position, after: Verdict) -> str:
        """Return a note on moves better than that from ``position`` to ``child``, or nothing."""
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
        """Return the moves after which no win with at most two more stones is found."""
        until = Limits(nodes=int(self._seconds * 1_000_000))
        most = known.moves + 2
        return [
            cell
            for cell in position.moves
            if not self._solver.wins(position.play(cell), most, known.plain, until).holds
        ]


def judged_moves(game: str, seconds: float) -> Iterator[tuple[str, ...]]:
    """Yield the moves of a game, each with its player, the outcome after it, and better moves."""
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
    """Search each position for ``seconds`` seconds."""
    columns = dict.fromkeys(("move", "of", "after it", "better"), "")
    for number, game in enumerate(GAMES, 1):
        show(f"game {number}", columns, judged_moves(game, seconds))
