"""Rules about reading lines, which may be written and may arrive in different ways."""

import time
from collections.abc import Callable
from typing import Any

import orjson
from c4_protocol.rules.position import Position

from c4_referee.check.broken import BadLine, Hung
from c4_referee.check.driver import Trial
from c4_referee.check.rules._rule import PAUSE_SECONDS, Rule, always, ask_in_turn

JSON = "read each line with a JSON library (Python: json.loads), and take keys by their names"
ONLY_GRID = (
    'only "grid" is always there: take the size from it; if "player" is missing, take it from '
    "--player on the command line; without it, you are the player with fewer stones (1 if equal)"
)


def _ask_as(trial: Trial, write: Callable[[dict[str, Any]], bytes]) -> None:
    """Ask once, with a line that a function writes from the keys and values of a question."""
    position = trial.position
    with trial.start() as bot:
        bot.ask_line(position, write(orjson.loads(bot.question(position))) + b"\n")


@Rule("reads the keys in any order", JSON, json=True, elsewhere=always)
def keys_reversed(trial: Trial) -> None:
    """Send the keys in reverse order, because a driver may write them in any order."""
    _ask_as(trial, lambda keys: orjson.dumps(dict(reversed(keys.items()))))


@Rule("reads JSON with spaces in it", JSON, json=True, elsewhere=always)
def spaces(trial: Trial) -> None:
    """Send spaces around colons and after commas. Some JSON libraries write such spaces."""

    def write(keys: dict[str, Any]) -> bytes:
        return b" %b " % orjson.dumps(keys).replace(b":", b" : ").replace(b",", b", ")

    _ask_as(trial, write)


@Rule("reads lines that hold only the grid", ONLY_GRID, json=True, elsewhere=always)
def grid_only(trial: Trial) -> None:
    """Send the grid and the keys for unusual rules, if any. Some drivers send only these."""
    missing = {"player", "width", "height", "time_ms", "clock"}
    _ask_as(
        trial, lambda keys: orjson.dumps({key: keys[key] for key in keys if key not in missing})
    )


@Rule(
    "reads lines that end in CR LF",
    "strip white space from both ends of each line",
    elsewhere=always,
)
def crlf(trial: Trial) -> None:
    """End lines with CR LF, as drivers on Windows do."""
    with trial.start(line_end=b"\r\n") as bot:
        ask_in_turn(trial, bot.ask, moves=2)


@Rule("reads a line that comes in two halves", "read to the end of the line before you parse it")
def two_halves(trial: Trial) -> None:
    """Send half a line, and later the rest, because a pipe may deliver a line in parts.

    The first line is whole. A bot that is still starting would find both halves in its pipe.
    """

    def ask(position: Position) -> int:
        if bot.answers == before:
            return bot.ask(position)
        question = bot.question(position)
        half = question.index(b"\n") // 2
        bot.say(question[:half])
        time.sleep(PAUSE_SECONDS)
        return bot.ask_line(position, question[half:])

    with trial.start() as bot:
        before = bot.answers
        ask_in_turn(trial, ask, moves=2)


@Rule(
    "waits for a driver that is slow to read",
    "after an answer, only wait for the next line",
    explains=(BadLine, Hung),
)
def slow_reader(trial: Trial) -> None:
    """Wait for a while before reading each answer."""

    def ask(position: Position) -> int:
        bot.refuse_noise()
        bot.say(bot.question(position))
        time.sleep(PAUSE_SECONDS)
        return bot.answer_to(position)

    with trial.start() as bot:
        ask_in_turn(trial, ask, moves=2)
