"""Time of the reason of a move, in the core and in Python.

The table also says how many reasons differ. The moves are those of random games. The outcomes and
answers that are known of them are random too, so that all rules are tried.
"""

import random
from collections.abc import Iterator

from _shared import percentile, seconds_of, show
from c4_bot.reasons.explanation import find_reason
from c4_bot.reasons.kinds import Move, Reason, reason_of
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import LINE8, STANDARD, Variant

OTHERS = (Variant(4, 4), Variant(5, 5, 3), Variant(8, 7), Variant(9, 7, 5), Variant(10, 10), LINE8)
SHARE = 20
"""One move in ``SHARE`` is of each of these variants, the others are of 7x6."""
OUTCOMES = (None, -1, 0, 1)


def moves(variant: Variant, chance: random.Random) -> Iterator[Move]:
    """Yield a random move of each position of random games, without end."""
    while True:
        position = Position(variant)
        while not position.is_over:
            cell = chance.choice(position.moves)
            after = position.play(cell)
            answers = after.playable & chance.getrandbits(variant.bits)
            yield Move(position, cell, chance.choice(OUTCOMES), chance.choice(OUTCOMES), answers)
            position = after


def row(variant: Variant, count: int) -> tuple[object, ...]:
    """Return the number of moves and of different reasons, and microseconds of both ways."""
    chance, found = random.Random(count), moves(variant, random.Random(count))
    reasons: list[Reason] = []
    times: dict[object, list[float]] = {find_reason: [], reason_of: []}
    different = 0
    for _ in range(count):
        fields = next(found)
        for find in chance.sample((find_reason, reason_of), 2):
            move = Move(fields.before, fields.cell, fields.best, fields.own, fields.answers)
            times[find].append(1e6 * seconds_of(lambda: reasons.append(find(move))))  # noqa: B023
        different += reasons[-2] != reasons[-1]
    figures = [percentile(taken, percent) for taken in times.values() for percent in (50, 99)]
    return str(variant), count, different, *figures


def main(count: int = 100_000) -> None:
    """Find the reasons of ``count`` moves, most of them of 7x6."""
    part = count // SHARE
    counts = {STANDARD: count - part * len(OTHERS), **dict.fromkeys(OTHERS, part)}
    times = dict.fromkeys(("core µs", "core p99 µs", "Python µs", "Python p99 µs"), ",.0f")
    columns = {"board": "", "moves": ",d", "different": "d", **times}
    show("reasons: medians and 99th percentiles", columns, (row(*one) for one in counts.items()))
