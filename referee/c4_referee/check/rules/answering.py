"""Rules about answers: one legal move for each line, without delay, and nothing else."""

import json
import time
from contextlib import suppress

from c4_protocol.records.codec import BYTE_ORDER_MARK
from c4_protocol.rules.position import Position

from c4_referee.check import boards
from c4_referee.check.broken import SLOW, Broken
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import quoted
from c4_referee.check.rules._rule import PAUSE_SECONDS, Rule, always, ask_in_turn

NO_MARK = "write no byte order mark before an answer: take UTF-8 without it for standard output"
ONE_LINE = "print one line with a move for each line you read, and nothing else"


@Rule("answers with a legal move", ONE_LINE, explains=())
def plain(trial: Trial) -> str:
    """Ask once, with the time of the trial."""
    with trial.start() as bot:
        bot.ask(trial.position, time_ms=trial.time_ms)
        return quoted(bot.answer)


@Rule("answers each line while its input stays open", SLOW, explains=())
def flushes(trial: Trial) -> None:
    """Wait for each answer before the next line, as drivers do."""
    with trial.start() as bot:
        ask_in_turn(trial, bot.ask, moves=3)


@Rule("writes one line for each answer and nothing else", ONE_LINE, explains=(), json=True)
def nothing_else(trial: Trial) -> None:
    """Refuse any output except one line for each question.

    Drivers would take a banner, blank line, byte order mark or second line for an answer.
    """
    with trial.start() as bot:
        for position in boards.game(trial.variant)[:4:2]:
            bot.ask(position)
            bot.listen(PAUSE_SECONDS)
            *lines, rest = bot.heard.split(b"\n")
            are_json = all(line[:1] == b"{" and line.rstrip()[-1:] == b"}" for line in lines)
            if rest or len(lines) != bot.answers or not are_json:
                seen = f"for {bot.answers} line(s) it wrote {quoted(bot.heard)}"
                raise Broken(seen, NO_MARK if BYTE_ORDER_MARK in bot.heard else trial.form.line)


@Rule(
    "writes each key of an answer once",
    "write each key once in an answer: of two values, some referees take the first",
    explains=(),
    json=True,
    elsewhere=always,
)
def keys_once(trial: Trial) -> None:
    """Look for a key that stands twice in the object of an answer."""
    with trial.start() as bot, suppress(RecursionError):  # an object in an object in an ...
        bot.ask(trial.position)
        keys = [key for key, _ in json.loads(bot.line, object_pairs_hook=list)]
        if len(keys) > len({*keys}):
            raise Broken(f"a key stands twice in its answer {quoted(bot.line)}")


@Rule(
    "writes one answer to each question, and no other before the next",
    "write an answer only when you are asked for one",
    explains=(),
    json=False,
)
def one_answer(trial: Trial) -> None:
    """Wait for a while after each answer, and refuse lines that do not belong there."""

    def ask(position: Position) -> int:
        cell = bot.ask(position)
        time.sleep(PAUSE_SECONDS)
        bot.refuse_noise()
        return cell

    with trial.start() as bot:
        ask_in_turn(trial, ask, moves=2)
