"""Rules about standard error, the end of the input, and time."""

import math
import os
import time
from collections.abc import Sequence

from c4_protocol.rules.position import Position

from c4_referee.bots.clock import GRACE_MS, PlayerClock
from c4_referee.bots.contain.process_tree import children_of, wait_until
from c4_referee.bots.talk.channel import bytes_in
from c4_referee.check import boards
from c4_referee.check.broken import Broken, Hung
from c4_referee.check.driver import QUICK_MS, Driver, Trial
from c4_referee.check.rules._rule import ENDING_SECONDS, PAUSE_SECONDS, Rule, always, ask_in_turn

LONG_MOVES = (1, 5, 9)
"""Moves of a game, counting from 0, for which a bot may use the whole time of the trial."""
ENDING = "end when the input ends: stop at the end of file, and wait for no thread or child"
QUIET = "write to standard error only behind a flag: if nobody reads it, a full pipe blocks you"


@Rule("plays a game while nobody reads its standard error", QUIET, explains=(), elsewhere=always)
def unread_stderr(trial: Trial) -> str:
    """Play a game without reading standard error, as the course's driver does.

    The pipe holds 64 KB. A bot that writes more is blocked.
    """
    with trial.start(deaf=True) as bot:
        moves = ask_in_turn(trial, lambda asked: _ask_without_reading_stderr(bot, asked))
        return f"{bytes_in(bot.process.stderr) // moves} bytes a move"


def _ask_without_reading_stderr(bot: Driver, position: Position) -> int:
    """Ask a question. If no answer comes, report unread standard error, if any, as the cause."""
    try:
        return bot.ask(position)
    except Hung as hung:
        if (unread := bytes_in(bot.process.stderr)) == 0:
            raise
        seen = f"after {position.ply // 2} moves and {unread} bytes that nobody read, {hung.seen}"
        raise Hung(seen, QUIET) from None


@Rule("ends when its input is closed at once", ENDING, explains=(), elsewhere=always)
def closed_at_once(trial: Trial) -> str:
    """Close the input before any question.

    The time in which the bot must end includes the time for its start.
    """
    return _close_input(trial, [], ENDING_SECONDS + trial.startup_ms / 1000)


@Rule("ends when its input is closed after a game", ENDING, explains=(), elsewhere=always)
def closed_after_game(trial: Trial) -> str:
    """Close the input after a question, because the course's drivers end games in this way."""
    return _close_input(trial, [trial.position], ENDING_SECONDS)


def _close_input(trial: Trial, asked: Sequence[Position], seconds: float) -> str:
    """Ask about positions, and close the input. Return the exit code of the bot as text.

    Raise ``Broken`` if the bot does not end within ``seconds`` or leaves a process.
    """
    with trial.start() as bot:

        def count_running() -> int:  # and reap the others
            adopted = children_of(os.getpid()) - bot.earlier_children
            return sum(os.waitpid(pid, os.WNOHANG)[0] == 0 for pid in adopted)

        for position in asked:
            bot.ask(position)
        bot.close_input()
        code = bot.channel.wait_for_exit(seconds)
        if code is None:
            raise Hung(f"it still runs {seconds:.1f} s after the end of its input", ENDING)
        wait_until(lambda: not count_running(), PAUSE_SECONDS, 0.01)
        if left := count_running():
            raise Broken(f"it ended, but {left} process(es) that it had started did not", ENDING)
    return f"exit code {code}" if code else ""


@Rule(
    "answers in time: early, midway and late in a game",
    "look at the clock while you think",
    explains=(),
)
def in_time(trial: Trial) -> str:
    """Measure all answers of a run except the first one, which includes the start-up."""
    with trial.start() as bot:
        if trial.increment_ms is not None:
            return f"{_time_on_clock(trial, bot):.0f} ms of {trial.control}"
        times = _times_of_questions(trial, bot) if trial.is_json else _times_in_game(trial, bot)
    return ", ".join(f"{ms:.0f}" for ms in times) + f" of {trial.time_ms:g} ms"


def _time_on_clock(trial: Trial, bot: Driver) -> float:
    """Play a game with a clock, and return the milliseconds of all answers except the first."""
    clock, times = PlayerClock(trial.control), list[float]()

    def ask(position: Position) -> int:
        left_ms = clock.budget_ms
        ms, cell = _measure(bot, position, left_ms, left_ms if times else math.inf)
        clock.spend(ms if times else 0)
        times.append(ms)
        return cell

    ask_in_turn(trial, ask)
    return sum(times[1:])


def _times_of_questions(trial: Trial, bot: Driver) -> list[float]:
    """Return the milliseconds for answers early, midway and late in a game."""
    positions = boards.game(trial.variant)[::2]
    last = len(positions) - 1
    bot.ask(positions[0])
    asked = (positions[last * part // 8] for part in (1, 4, 7))
    return [_measure(bot, position, trial.time_ms, trial.time_ms)[0] for position in asked]


def _times_in_game(trial: Trial, bot: Driver) -> list[float]:
    """Play a game, and return the milliseconds for three of its answers.

    Only these three questions state the time of the trial. The others state less, to save time. No
    answer may take longer than the time of the trial.
    """
    times: list[float] = []

    def ask(position: Position) -> int:
        if position.ply == 0:
            return bot.ask(position, trial.time_ms)  # what the settings of a conversation state
        is_long = position.ply // 2 in LONG_MOVES
        stated = trial.time_ms if is_long else QUICK_MS
        ms, cell = _measure(bot, position, stated, trial.time_ms)
        if is_long:
            times.append(ms)
        return cell

    ask_in_turn(trial, ask)
    return times


def _measure(bot: Driver, position: Position, stated: float, limit: float) -> tuple[float, int]:
    """Return the milliseconds of an answer and its cell; raise ``Broken`` if it took too long.

    The question states ``stated`` milliseconds, and the answer may take ``limit``.
    """
    began = time.monotonic()
    cell = bot.ask(position, stated)
    ms = (time.monotonic() - began) * 1000
    if ms > limit + GRACE_MS:
        seen = f"{ms:.0f} ms for an answer with {position.ply} stones down, of {limit:g} ms"
        raise Broken(seen)
    return ms, cell
