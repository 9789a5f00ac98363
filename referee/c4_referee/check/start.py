"""Finds out how a bot starts: without arguments, or only with those that drivers append."""

import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from c4_referee.bots.command_line import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards
from c4_referee.check.broken import Broken, Crashed
from c4_referee.check.driver import Trial

START_MS = 3000.0
"""Time in milliseconds within which a bot that lacks arguments is expected to fail."""
FLAGS = "--player {player} --width {width} --height {height}"


class Way(NamedTuple):
    """A way to start a bot that does not start without arguments.

    ``settings`` returns fields of the bot's table in a file of bots, and ``line`` returns the line
    that sets them. ``option`` has the same effect on the command line. It is empty if no option
    does.
    """

    name: str
    settings: Callable[[BotSpec], dict[str, Any]]
    line: Callable[[BotSpec], str]
    option: str = ""


def _appended(word: str) -> Callable[[BotSpec], dict[str, object]]:
    return lambda spec: {"command": (*spec.command, word)}


WAYS = (
    Way(
        "with the arguments of the CSCI 4202 course's driver",
        lambda _: {"arguments": "course"},
        lambda _: 'arguments = "course"',
        "--arguments course",
    ),
    Way(
        "with six positional arguments, as an older driver of that course appends them",
        lambda _: {"arguments": "positional"},
        lambda _: 'arguments = "positional"',
        "--arguments positional",
    ),
    Way(
        "with one argument, its player",
        _appended("{player}"),
        lambda spec: f"command = {json.dumps([*spec.command, '{player}'])}",
    ),
    Way(
        "with one argument that holds all flags",
        _appended(FLAGS),
        lambda spec: f"command = {json.dumps([*spec.command, FLAGS])}",
    ),
)
"""All ways, in the order in which they are tried. The first one that works is used."""


@dataclass(frozen=True)
class Start:
    """The arguments with which a bot starts: in words (``name``), and as a ``line`` for its table.

    ``command`` is its command line for player 1, and ``seen`` what it does without arguments.
    """

    name: str
    line: str
    command: str
    seen: str
    option: str


def find_start(trial: Trial) -> tuple[Trial, Start | None]:
    """Return the trial with the arguments that the bot needs, and a ``Start`` that describes them.

    The ``Start`` is ``None`` if the bot needs no arguments or no way works. A bot whose command has
    placeholders needs no others.
    """
    if trial.spec.placeholders or not (seen := _describe_crash(trial)):
        return trial, None
    for way in WAYS:
        changed = replace(trial, spec=replace(trial.spec, **way.settings(trial.spec)))
        if not _describe_crash(changed):
            line = way.line(trial.spec)
            values = CommandValues(1, trial.variant, trial.time_ms)
            command = changed.spec.command_for(values)
            return changed, Start(way.name, line, shlex.join(command), seen, way.option)
    return trial, None


def _describe_crash(trial: Trial) -> str:
    """Return how the bot ended before its first answer; "" if it did not end.

    A bot that takes long to answer has started.
    """
    brief = replace(trial, startup_ms=min(trial.startup_ms, START_MS))
    try:
        with brief.start() as bot:
            bot.ask(boards.middle(trial.variant))
    except Crashed as crashed:
        return crashed.seen
    except Broken:
        return ""
    return ""
