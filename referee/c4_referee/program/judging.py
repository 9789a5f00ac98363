"""Options of a command for judging moves and openings."""

import argparse
import sys
from pathlib import Path
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
    judge: "BotSpec",
    variant: "Variant",
    seconds: float,
    games: "Sequence[GameEnded]",
    folder: Path | None = None,
) -> "AccuracyReport | None":
    """Return the accuracy of the bots in ``games``, judged for at most ``seconds`` seconds.

    Values that the folder of the games has are not computed again, and values that the judge finds
    are stored there. If the judge fails, print one line on standard error and return ``None``.
    """
    from c4_protocol.errors import JudgeError

    from c4_referee.judging.accuracy import accuracy_of
    from c4_referee.judging.judge import Judge
    from c4_referee.report.progress import JudgingProgress
    from c4_referee.storage.solved import save_solved, solved_by

    name = _name_with_values(judge)
    known = solved_by(folder, name, variant) if folder else {}
    try:
        with Judge(judge, solved=known) as asked, JudgingProgress() as progress:
            try:
                return accuracy_of(games, variant, asked, seconds, progress)
            finally:
                if folder and asked.found:
                    save_solved(folder, name, variant, asked.found)
    except JudgeError as error:
        sys.stderr.write(f"c4-referee: no accuracy: {visible(str(error))}\n")
        return None


def _name_with_values(judge: "BotSpec") -> str:
    """Return the name under which a folder has the values of a judge.

    Another program may be wrong, so its values are not those of our solver.
    """
    from c4_referee.judging.judge import OURS
    from c4_referee.storage.fingerprint import fingerprint_of_bot
    from c4_referee.storage.solved import OUR_SOLVER

    return OUR_SOLVER if judge.command == OURS.command else fingerprint_of_bot(judge)
