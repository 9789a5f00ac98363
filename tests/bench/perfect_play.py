"""Games of the player ``perfect`` against itself and BitBully, each of its moves judged afterwards.

    python tests/bench/perfect_play.py [games [milliseconds [plies]]]

Half of the games are against BitBully (``pip install bitbully``), each opening played from both
sides; openings are random, and as many of them won, drawn and lost. A move is wrong if it loses
half a point of what the game is worth (win, draw, loss), and slow if it keeps the win but not the
shortest one; false if it is either although the bot said that it was proven.
"""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from c4_bot.solve.solver import Solver
from c4_protocol.dialects import referee_end
from c4_protocol.position import Position
from c4_protocol.variant import STANDARD
from rich.console import Console
from rich.progress import track
from rich.table import Table

PERFECT = (str(Path(sys.executable).parent / "c4-bot"), "--plays", "perfect", "--info")
BITBULLY = (sys.executable, str(Path(__file__).parents[1] / "bots" / "bitbully_bot.py"), "default")
Made = tuple[Position, int, bool]
"""Where, which cell, and whether the bot said that it is proven."""


@dataclass
class Bot:
    """A child that answers precepts, and the moves it made."""

    name: str
    process: subprocess.Popen[bytes]
    moves: list[Made] = field(default_factory=list)
    slowest_ms: float = 0

    def play(self, position: Position, ms: int) -> Position:
        """Asks for a move and makes it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(referee_end("jsonl").write_precept(position, ms))
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        info = answer.get("info", {})
        self.slowest_ms = max(self.slowest_ms, info.get("ms", 0))
        cell = position.check(answer["move"])
        self.moves.append((position, cell, info.get("exact", False)))
        return position.play(cell)


def openings(plies: int, solver: Solver, seed: int = 1) -> Iterator[Position]:
    """Random positions in which nobody wins at once: won, drawn and lost ones in turn."""
    draw, signs = random.Random(seed), cycle((1, 0, -1))
    sign = next(signs)
    while True:
        position = Position()
        while position.ply < plies and not position.is_over:
            position = position.play(draw.choice(position.moves))
        over = [position, *(position.play(cell) for cell in position.moves)]
        if (
            any(later.is_over for later in over)
            or solver.solve(position, wanted=(-1, 1)).sign != sign
        ):
            continue
        yield position
        sign = next(signs)


def play(position: Position, bots: tuple[Bot, Bot], ms: int) -> int:
    """A game: the number of the bot that won it (0 or 1), or 2 for a draw."""
    turn = 0
    while not position.is_over:
        position = bots[turn].play(position, ms)
        turn = 1 - turn
    return 1 - turn if position.is_won else 2


def judge(moves: list[Made], solver: Solver) -> Counter[str]:
    """How many moves were proven, wrong and slow, and which of the proven ones were not right."""
    found: Counter[str] = Counter()
    for position, cell, proven in moves:
        best = solver.solve(position)
        own = solver.solve_move(position, cell)
        wrong, slow = own.sign != best.sign, own.sign == best.sign == 1 and own.low < best.low
        found.update({"proven": proven, "wrong": wrong, "slow": slow})
        found["false"] += proven and (wrong or slow)
    return found


def main(games: int = 100, ms: int = 1000, plies: int = 8) -> None:
    """Plays, judges and prints."""
    table = Table(title=f"{games} games from random openings of {plies} plies, {ms} ms a move")
    for title in (
        "bot",
        "against",
        "wins",
        "draws",
        "losses",
        "moves",
        "proven",
        "wrong",
        "slow",
        "false",
    ):
        table.add_column(title, justify="left" if title in {"bot", "against"} else "right")
    table.add_column("max ms", justify="right")
    solver = Solver(STANDARD)
    starts = openings(plies, solver)
    with ExitStack() as stack:
        for pair in ((("perfect", PERFECT),) * 2, (("perfect", PERFECT), ("BitBully", BITBULLY))):
            first, second = (start(stack, *which) for which in pair)
            results = match(starts, (first, second), games // 2, ms)
            report(table, first, second.name, (results[0], results[2], results[1]), solver)
            report(table, second, first.name, (results[1], results[2], results[0]), solver)
    Console(width=100).print(table)


def start(stack: ExitStack, name: str, command: tuple[str, ...]) -> Bot:
    """A bot that lives as long as the stack."""
    pipe = subprocess.PIPE
    return Bot(name, stack.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe)))


def match(starts: Iterator[Position], bots: tuple[Bot, Bot], games: int, ms: int) -> Counter[int]:
    """Games in pairs, each opening from both sides: how many each bot won, and draws under 2."""
    results: Counter[int] = Counter()
    for number in track(range(games), f"{bots[0].name} - {bots[1].name}"):
        if number % 2 == 0:
            position = next(starts)
            results[play(position, bots, ms)] += 1
        else:
            winner = play(position, (bots[1], bots[0]), ms)
            results[winner if winner == 2 else 1 - winner] += 1
    return results


def report(
    table: Table, bot: Bot, against: str, results: tuple[int, int, int], solver: Solver
) -> None:
    """One line of the table."""
    found = judge(bot.moves, solver)
    counts = [found[kind] for kind in ("proven", "wrong", "slow", "false")]
    figures = (*results, len(bot.moves), *counts, round(bot.slowest_ms))
    table.add_row(bot.name, against, *map(str, figures))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
