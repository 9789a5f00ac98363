"""Cost of halting bots outside of their turns.

The first table has games per second between two honest bots that answer at once, with and without
the sandbox: not halted, halted when needed (the default), and always halted. The second table has
an honest bot that needs 30 ms of processor time for a move and may take 100 ms, on a board of 4x4.
Its opponent has ``processes`` that compute in the turns of others and are halted in its own. It
shows how often the honest bot was late, and how many games were played again.
"""

import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from _shared import PLAYER, c_program, in_turns, median_ratio, show
from c4_protocol.variant import Variant
from c4_referee.bots.clock import TimeControl
from c4_referee.bots.faults import LATE
from c4_referee.bots.sandbox import why_no_sandbox
from c4_referee.bots.spec import BotSpec
from c4_referee.contest.contest import Contest
from games import Bots, match_seconds

MISBEHAVING = Path(__file__).parents[1] / "bots" / "misbehaving.py"
WAYS = {"never": False, "when needed": None, "always": True}
MOVE, BOARD = TimeControl(move_ms=100.0), Variant.parse("4x4")


def bot(name: str, *command: str, **settings: object) -> BotSpec:
    """Return a bot that is started once for all games."""
    return replace(BotSpec(name, command), restart="never", **settings)


def games_a_second(games: int, rounds: int, sandbox: bool, bots: Bots) -> tuple[float, ...]:
    """Return the games per second of bots that are never halted, and ratios of the other ways."""
    ways: dict[str, Callable[[], float]] = {}
    for name, freeze in WAYS.items():
        first, second = (replace(one, freeze=freeze, sandbox=sandbox) for one in bots)
        ways[name] = partial(match_seconds, games, (first, second))
    never, needed, always = in_turns(ways, rounds).values()
    ratios = median_ratio(never, needed), median_ratio(never, always)
    return games / statistics.median(never), *ratios


def lateness(
    games: int, processes: int, slots: int, sandbox: bool, freeze: bool | None
) -> tuple[int, int]:
    """Return how many games the honest bot lost late, and how many were played again."""
    python = (sys.executable, "-S", "-E", str(MISBEHAVING))
    settings = {"freeze": freeze, "sandbox": sandbox}
    honest = bot("honest", *python, "computes", **settings)
    hostile = bot("hostile", *python, "ponders_in_children", str(processes), **settings)
    match = Contest.match(honest, hostile, games, variant=BOARD, control=MOVE, concurrency=slots)
    outcome = match.play()
    faults = [game.fault for game in outcome.games if game.fault and game.fault.bot == "honest"]
    return sum(fault.fault in LATE for fault in faults), len(outcome.incidents.starved)


def main(rounds: int = 5, games: int = 300, hostile_games: int = 20, processes: int = 60) -> None:
    """Play ``games`` quick games in each way and round, and ``hostile_games`` in each condition."""
    boxes: Sequence[bool] = (False,) if why_no_sandbox() else (False, True)
    with c_program(PLAYER.read_text(encoding="utf-8")) as program:
        bots = bot("first", program, "1"), bot("second", program, "2")
        quick = [(str(box), *games_a_second(games, rounds, box, bots)) for box in boxes]
    columns = {"sandbox": "", "games a second, never": ",.0f", "needed": ".2f", "always": ".2f"}
    show(f"honest bots, medians of {rounds} times {games} games", columns, quick)
    rows = [
        (str(box), slots, name, *lateness(hostile_games, processes, slots, box, freeze))
        for box in boxes
        for slots in (1, 2)
        for name, freeze in WAYS.items()
    ]
    columns = {"sandbox": "", "games at a time": "d", "halted": "", "late": "d", "again": "d"}
    show(f"late of {hostile_games} games against a hostile bot", columns, rows)
