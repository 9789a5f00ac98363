"""How long c4-bot takes for a move, over pipes as in a tournament, beside what it is allowed.

    python tests/bench/perfect_latency.py [precepts [milliseconds ...]]

The precepts are positions of random games on 7x6 with 8 to 30 stones, each of a game of its own, so
that nothing helps but what the bot knows. The first answer waits for its start-up and is not
counted. "late" are answers after the time that was allowed: there should be none.
"""

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from c4_protocol.dialects import referee_end
from c4_protocol.position import Position
from rich.console import Console
from rich.table import Table

BOT = str(Path(sys.executable).parent / "c4-bot")


def positions(seed: int) -> Iterator[Position]:
    """Positions of random games that are not over."""
    draw = random.Random(seed)
    while True:
        position, plies = Position(), draw.randint(8, 30)
        while position.ply < plies and not position.is_over:
            position = position.play(draw.choice(position.moves))
        if not position.is_over:
            yield position


def answer_ms(bot: subprocess.Popen[bytes], line: bytes) -> float:
    """From the bytes of a precept to those of the answer."""
    assert bot.stdin is not None
    assert bot.stdout is not None
    began = time.perf_counter()
    bot.stdin.write(line)
    bot.stdin.flush()
    answer = b""
    while not answer.endswith(b"\n"):
        answer += os.read(bot.stdout.fileno(), 1 << 12)
    return (time.perf_counter() - began) * 1000


def measure(precepts: int, allowed_ms: float) -> list[float]:
    """Milliseconds of so many answers."""
    speech, found = referee_end("jsonl"), positions(1)
    with subprocess.Popen([BOT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
        answer_ms(bot, speech.write_precept(Position(), allowed_ms))
        lines = (speech.write_precept(next(found), allowed_ms) for _ in range(precepts))
        return [answer_ms(bot, line) for line in lines]


def main(precepts: int, *allowed: int) -> None:
    """Measures and prints."""
    table = Table(title=f"ms a move of c4-bot, {precepts} positions of 8 to 30 stones")
    for title in ("allowed", "median", "mean", "99th percentile", "longest", "late"):
        table.add_column(title, justify="right")
    for limit in allowed or (1000, 50, 10):
        found = measure(precepts, limit)
        last = statistics.quantiles(found, n=100)[-1]
        figures = (statistics.median(found), statistics.fmean(found), last, max(found))
        late = sum(ms > limit for ms in found)
        table.add_row(str(limit), *(f"{figure:.1f}" for figure in figures), str(late))
    Console().print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:] or ["1000"]))
