"""Answers of c4-bot in little time, judged by exact scores.

The positions are random, and no move wins at once. The exact scores of all moves are in
``positions/answers.txt``, or ``positions/answers_8x7.txt`` for the board 8x7. The bot is a child
process that gets the time in each precept, as in a game, and is asked with ``--info``.

An outcome is lost if a win becomes a draw or a loss, or a draw a loss. A win is delayed if the move
wins, but later than another move. A claim is false if ``--info`` says something that the exact
scores contradict. An answer is late if it comes after its time and the grace of the referee.
"""

import json
import os
import random
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from _shared import BOT, busy_processes, percentile, show
from c4_protocol.dialects.jsonl import RefereeEnd
from c4_protocol.records.messages import Info
from c4_protocol.rules.position import Position
from c4_protocol.rules.variant import Variant
from c4_referee.bots.clock import GRACE_MS
from c4_referee.records.stats.solved import outcome_of

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))
from claims import Scores, false_claims, read_positions

POSITIONS = Path(__file__).parent / "positions"
FILES = {"7x6": "answers.txt", "8x7": "answers_8x7.txt"}
TIMES_MS = (10, 20, 50, 100, 1000)
WARM_UP_MS = 1000
"""Time for the first answer, which is not measured: the bot starts, and gets memory."""
SHOWN = 5
"""Maximum number of false claims that are printed."""


def ask(
    process: subprocess.Popen[bytes], position: Position, time_ms: float
) -> tuple[dict[str, object], float]:
    """Return the answer of a bot, and the milliseconds from the question until it was read."""
    assert process.stdin is not None
    assert process.stdout is not None
    line = RefereeEnd().write_precept(position, time_ms)
    began = time.perf_counter()
    process.stdin.write(line)
    process.stdin.flush()
    answer = process.stdout.readline()
    return json.loads(answer), (time.perf_counter() - began) * 1000


@dataclass
class Answer:
    """One answer, and the exact scores that it is judged by."""

    position: Position
    scores: Scores
    move: int
    info: Info
    ms: float


def answers_in(
    time_ms: float, command: str, positions: Sequence[tuple[Position, Scores]]
) -> Iterator[Answer]:
    """Yield the answers of a new process to these positions."""
    pipe = subprocess.PIPE
    with subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe) as process:
        ask(process, Position(), WARM_UP_MS)
        for position, scores in positions:
            reply, ms = ask(process, position, time_ms)
            yield Answer(position, scores, reply["move"], Info(**reply["info"]), ms)
        process.stdin.close()


def row_of(time_ms: float, answers: Sequence[Answer]) -> tuple[object, ...]:
    """Return the figures of all answers in a time."""
    late = [answer.ms - time_ms for answer in answers]
    scores = [(one.scores[one.move], max(one.scores.values())) for one in answers]
    false = [
        (one, claim)
        for one in answers
        for claim in false_claims(one.position, one.scores, one.move, one.info)
    ]
    for answer, claim in false[:SHOWN]:
        print(f"ply {answer.position.ply}, move {answer.move}: {claim}", file=sys.stderr)
    return (
        f"{time_ms:g}",
        sum(outcome_of(own) < outcome_of(best) for own, best in scores),
        sum(0 < own < best for own, best in scores),
        len(false),
        sum(ms > GRACE_MS for ms in late),
        percentile(late, 99),
        max(late),
        statistics.median(answer.ms for answer in answers),
    )


def main(
    positions: int = 300,
    *times: float,
    bot: str = f"{shlex.quote(BOT)} --info",
    board: str = "7x6",
    busy: int = 0,
) -> None:
    """Ask for answers to ``positions`` positions in each of ``times`` milliseconds.

    ``bot`` is the command of the bot. ``busy`` is the number of processes that keep the processors
    busy. ``board`` is 7x6 or 8x7.
    """
    known = read_positions(POSITIONS / FILES[board], Variant.parse(board))
    sample = random.Random(1).sample(known, positions)
    columns = {"ms": "", "outcomes lost": "d", "wins delayed": "d", "false claims": "d"}
    columns |= {"late": "d", "late by, 99 %": ".1f", "late by, worst": ".1f", "median ms": ".1f"}
    with busy_processes(busy):
        rows = (row_of(ms, [*answers_in(ms, bot, sample)]) for ms in times or TIMES_MS)
        load = os.getloadavg()[0]
        show(f"{positions} answers, {busy} busy processes, load {load:.1f}", columns, rows)
