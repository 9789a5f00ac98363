"""The three games of 003_042b791f4f409f5b.txt, move by move, and where they were lost.

    python tests/bench/line_seed_games.py [seconds]

After each move: who wins, with how many more stones of his ("<=" where fewer are not excluded
within the seconds for a position), and what could have been played instead.
"""

import sys
import time

from c4_bot.contract import Limits
from c4_bot.solve.line.solver import LineSolver
from c4_bot.solve.line.verdict import Verdict, verdict
from c4_protocol.notation import moves_text, position_from_moves
from c4_protocol.position import Position
from c4_protocol.variant import LINE8
from rich.console import Console
from rich.table import Table

GAMES = (
    "d4 d5 c4 e4 c3 c2 c5 c6 b4 f4 a4",
    "d5 e4 e5 f5 c5 b5 c4 b7 c3 c2 c6",
    "d4 d5 d3 d6 d2 d1 c4 e4 c5 b4 c6 c7 c3",
)
"""The appendix. In the second its diagram has a stone of O on b7 that holds no line up."""


def told(position: Position, known: Verdict) -> str:
    """``X wins, <=6``."""
    if position.is_won:
        return f"{'OX'[position.player == 2]} has won"
    if not known.sign:
        return "not proven" if known.sign is None else "a draw"
    winner = "X" if (known.sign == 1) == (position.player == 1) else "O"
    return f"{winner} wins with {'' if known.exact else '<='}{known.moves}"


def judged(solver: LineSolver, position: Position, seconds: float) -> Verdict:
    """What is proven of a position in time."""
    if position.is_over:
        return Verdict()
    return verdict(solver, position, Limits(deadline=time.monotonic() + seconds))


def better(solver: LineSolver, position: Position, known: Verdict, seconds: float) -> list[int]:
    """The moves after which the opponent is not seen to win within so many stones."""
    until = Limits(nodes=int(seconds * 1_000_000))
    most = known.moves + 2
    return [
        cell
        for cell in position.moves
        if not solver.wins(position.play(cell), most, known.plain, until).holds
    ]


def main(seconds: float = 5) -> None:
    """Judges and prints."""
    for number, game in enumerate(GAMES, 1):
        solver, table = LineSolver(LINE8), Table(title=f"game {number}")
        for title in ("move", "of", "after it", "what else"):
            table.add_column(title)
        names, before = game.split(), judged(solver, Position(LINE8), seconds)
        for ply, name in enumerate(names):
            position = position_from_moves(" ".join(names[:ply]), LINE8)
            child = position_from_moves(" ".join(names[: ply + 1]), LINE8)
            after, note = judged(solver, child, seconds), ""
            if before.sign == 1 and after.sign != -1 and not child.is_over:
                note = f"{moves_text(LINE8, [before.cell or 0])} wins with {before.moves}"
            elif before.sign != -1 and after.sign == 1:
                held = better(solver, position, after, seconds)
                note = f"not seen to lose: {moves_text(LINE8, held) or 'none'}"
            elif before.sign == -1 and after.sign == 1 and after.moves < before.moves:
                note = f"{before.moves - after.moves} sooner than need be"
            table.add_row(name, "XO"[ply % 2], told(child, after), note)
            before = after
        Console(width=110).print(table)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
