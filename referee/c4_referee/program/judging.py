"""Options of a command for judging moves and openings."""

import argparse
import sys
from typing import TYPE_CHECKING

from c4_protocol.text import visible

from c4_referee.program.arguments import seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from c4_protocol.events import GameEnded
    from c4_protocol.reports import AccuracyReport
    from c4_protocol.variant import Variant

    from c4_referee.bots.spec import BotSpec

SECONDS = 30.0
"""Default time for judging, in seconds. It is enough for about fifty games of 7x6."""


def add_judging(parser: argparse.ArgumentParser) -> None:
    """Add ``--no-accuracy``, ``--judge`` and ``--judge-seconds``."""
    group = parser.add_argument_group("the accuracy of moves")
    group.add_argument("--no-accuracy", action="store_true", help="do not judge the moves")
    group.add_argument(
        "--judge",
        metavar="BOT",
        help="judge moves with BOT, whose answers must contain exact scores (default: c4-bot on "
        "7x6; on other boards moves are judged only if --judge is given)",
    )
    group.add_argument(
        "--judge-seconds",
        type=seconds,
        default=SECONDS,
        metavar="N",
        help="maximum time for judging moves, in seconds; the games to judge are chosen at random "
        "(default: %(default)g)",
    )


def judge_of(
    name: str | None, known: "Mapping[str, BotSpec]", variant: "Variant"
) -> "BotSpec | None":
    """Return the judge for ``name``, which is a name in ``known`` or a command line.

    If ``name`` is ``None``, return our own judge, or ``None`` for a variant that it cannot solve.
    Raises ``UsageError`` if the bot cannot be a judge.
    """
    from c4_referee.bots.find import find_bots
    from c4_referee.judging.judge import OURS, can_be_proven, check_speaks

    if name is None:
        return OURS if can_be_proven(variant) else None
    (judge,) = find_bots([name], dict(known))
    check_speaks(judge)
    return judge


def accuracy_by(
    judge: "BotSpec", variant: "Variant", seconds: float, games: "Sequence[GameEnded]"
) -> "AccuracyReport | None":
    """Return the accuracy of the bots in ``games``, judged for at most ``seconds`` seconds.

    If the judge fails, print one line on standard error and return ``None``.
    """
    from c4_protocol.errors import JudgeError

    from c4_referee.judging.accuracy import accuracy_of
    from c4_referee.judging.judge import Judge
    from c4_referee.report.accuracy import JudgingProgress

    try:
        with Judge(judge) as asked, JudgingProgress() as progress:
            return accuracy_of(games, variant, asked, seconds, progress)
    except JudgeError as error:
        sys.stderr.write(f"c4-referee: no accuracy: {visible(str(error))}\n")
        return None
