"""Finds out how a bot starts: without arguments, or only with those that drivers append."""

import json
import shlex
from dataclasses import dataclass, replace
from typing import Any

from c4_protocol.text import visible

from c4_referee.bots.agents import shell_words
from c4_referee.bots.command_line import CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards
from c4_referee.check.broken import Broken, Crashed
from c4_referee.check.driver import Trial

START_MS = 3000.0
"""Time in milliseconds within which a bot that lacks arguments is expected to fail."""
FLAGS = "--player {player} --width {width} --height {height}"


@dataclass(frozen=True)
class Start:
    """Arguments with which a bot starts.

    ``name`` describes the arguments in words, and ``line`` sets them in the bot's table.
    ``command`` is the bot's command line for player 1. ``seen`` says what the bot does without
    arguments. ``option`` is the option of a command with the same effect as ``line``, or empty if
    there is none.
    """

    name: str
    line: str
    command: str
    seen: str
    option: str


def find_start(trial: Trial) -> tuple[Trial, Start | None]:
    """Return the trial with the arguments that the bot needs, and a ``Start`` that describes them.

    The ``Start`` is ``None`` if the bot needs no arguments, or if no way to start it works. A bot
    whose command has placeholders needs no other arguments.
    """
    if trial.spec.placeholders or not (seen := _describe_crash(trial)):
        return trial, None
    for name, key, value in _ways(trial.spec):
        changed = replace(trial, spec=replace(trial.spec, **{key: value}))
        if not _describe_crash(changed):
            line = f"{key} = {json.dumps(value)}"
            command = changed.spec.command_for(CommandValues(1, trial.variant, trial.time_ms))
            option = f"--arguments {value}" if key == "arguments" else ""
            shown = visible(shlex.join(shell_words(command)), keep="\n\t")
            return changed, Start(name, line, shown, seen, option)
    return trial, None


def _ways(spec: BotSpec) -> list[tuple[str, str, Any]]:
    """Return ways to start a bot, in the order in which they are tried.

    Each way has a name, and a key of the bot's table with the value that it needs.
    """
    return [
        ("with the arguments of the CSCI 4202 course's driver", "arguments", "course"),
        (
            "with six positional arguments, as an older driver of that course appends them",
            "arguments",
            "positional",
        ),
        ("with one argument, its player", "command", (*spec.command, "{player}")),
        ("with one argument that holds all flags", "command", (*spec.command, FLAGS)),
    ]


def _describe_crash(trial: Trial) -> str:
    """Return a text about the end of the bot before its first answer; "" if it did not end.

    A bot that takes long to answer counts as started.
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
