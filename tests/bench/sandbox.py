"""Games per second and starts with and without the sandbox.

The bots are tests/bots/player.c, which answers at once, and examples/minimal.py, which shows what a
bot in Python costs. A bot is started for each game, or once for all games. All processes run on one
processor. The ways take turns. Figures are medians.
"""

import statistics
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from _shared import (
    PLAYER,
    c_program,
    in_turns,
    median_ratio,
    seconds_of,
    show,
    stay_on_one_processor,
)
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import STANDARD
from c4_referee.bots.clock import PlayerClock, TimeControl
from c4_referee.bots.contain.sandbox import why_no_sandbox
from c4_referee.bots.placeholders import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.bots.talk.contestant import Contestant
from games import match_seconds, two_bots

MINIMAL = Path(__file__).parents[2] / "examples" / "minimal.py"
CONTROL = TimeControl()


def start_seconds(bot: BotSpec, starts: int) -> float:
    """Return the seconds from the start of a bot to its first answer, mean of some starts."""

    def start_all() -> None:
        with Contestant(bot) as contestant:
            for _ in range(starts):
                contestant.start(CommandValues(1, STANDARD, CONTROL.move_ms))
                contestant.ask(Position(STANDARD), PlayerClock(CONTROL), PlayerClock(CONTROL))
                contestant.stop()

    return seconds_of(start_all) / starts


def ways_of(bots: tuple[BotSpec, BotSpec], games: int, starts: int) -> list[Callable[[], float]]:
    """Return functions that measure a game and a start, without and with the sandbox."""
    first, second = bots
    sandboxed = replace(first, sandbox=True), replace(second, sandbox=True)
    return [
        lambda: match_seconds(games, bots) / games,
        lambda: match_seconds(games, sandboxed) / games,
        lambda: start_seconds(first, starts),
        lambda: start_seconds(sandboxed[0], starts),
    ]


def main(rounds: int = 7, games: int = 100, starts: int = 20) -> None:
    """Play ``games`` games and start bots ``starts`` times in each way, in each round."""
    if reason := why_no_sandbox():
        sys.exit(f"this benchmark needs the sandbox: {reason}")
    stay_on_one_processor()
    rows = []
    with c_program(PLAYER.read_text(encoding="utf-8")) as program:
        kinds = {
            "C, started for each game": two_bots(program, restart="game"),
            "Python, started for each game": two_bots(sys.executable, str(MINIMAL), restart="game"),
            "C, started once": two_bots(program),
        }
        for name, bots in kinds.items():
            ways = dict(enumerate(ways_of(bots, games, starts)))
            free, confined, start, confined_start = in_turns(ways, rounds).values()
            medians = [1 / statistics.median(seconds) for seconds in (free, confined)]
            starts_ms = [statistics.median(seconds) * 1000 for seconds in (start, confined_start)]
            rows.append((name, *medians, median_ratio(free, confined), *starts_ms))
    columns = {"bots": "", "games a second": ",.0f", "in the sandbox": ",.0f", "ratio": ".2f"}
    columns |= {"start, ms": ".1f", "start in the sandbox, ms": ".1f"}
    show(f"medians of {rounds} times {games} games and {starts} starts", columns, rows)
