"""Stored contests with random games, for tests of what is made of them."""

import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import combinations, cycle, islice

from c4_protocol.records.events import FaultRecord, GameEnded, VariantRecord
from c4_protocol.rules.notation import moves_text
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD, Variant
from c4_referee.records.storage.contests import StoredBot, StoredContest

BEGAN = "2026-11-22 15:04:05"
HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE games; --",
    "{{ 7 * 7 }} {% raw %}",
    "../../index.html#?&<!--",
    "שלום عربي bot",
)
"""Names that would break a page, a link or a template that did not escape them."""


def random_game(
    number: int, first: str, second: str, variant: Variant = STANDARD, plies: int = 1000
) -> GameEnded:
    """Return a game of random moves that depends only on its number.

    It ends after ``plies`` moves by a fault if it has not ended before.
    """
    chance = random.Random(number)
    position, cells = Position(variant), []
    while not position.is_over and len(cells) < plies:
        cells.append(chance.choice([*position.moves]))
        position = position.play(cells[-1])
    loser = (first, second)[len(cells) % 2]
    fault = None
    if not position.is_over:
        fault = FaultRecord(loser, "bad line", "forfeit", len(cells), 5.5, 0.1, "not JSON", "<b>")
    return GameEnded(
        game=number,
        first=first,
        second=second,
        moves=moves_text(variant, cells),
        ms=[round(chance.lognormvariate(1, 1.5), 3) for _ in cells],
        cpu_ms=[0.1 for _ in cells],
        winner=position.winner or (0 if fault is None else 2 if loser == first else 1),
        ending="forfeit" if fault else "line" if position.winner else "full board",
        fault=fault,
        notes=[],
        stderr={loser: "Traceback\n  </pre><script>"} if fault else {},
        variant=VariantRecord.of(variant),
    )


def random_contest(
    bots: int | Sequence[str], number: int, variant: Variant = STANDARD, **settings: object
) -> StoredContest:
    """Return a tournament of random games, in which the bots meet in turn.

    ``bots`` are names, or their number. ``number`` is that of the games. ``settings`` are further
    fields of the contest.
    """
    names = [f"bot {n}" for n in range(1, bots + 1)] if isinstance(bots, int) else bots
    pairs = [pair for two in combinations(names, 2) for pair in (two, two[::-1])]
    met = islice(cycle(pairs), number) if pairs else ()
    identity = {"name": "A tournament", "system": "round-robin", "openings": "none"}
    contest = StoredContest(
        number=1,
        variant=variant,
        identity=identity | {"variant": asdict(VariantRecord.of(variant))},
        began=BEGAN,
        bots=tuple(StoredBot(name, ("python3", f"{name}.py"), "00") for name in names),
        games=tuple(random_game(n, *pair, variant) for n, pair in enumerate(met, 1)),
    )
    return replace(contest, **settings)
