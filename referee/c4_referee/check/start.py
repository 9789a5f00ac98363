"""Finds out how a bot starts: without arguments, or only with those that drivers append.

Also finds the dialect of a bot that does not answer JSON, if its answers in that dialect contain a
word. An answer that is only a number does not show the dialect.
"""

import json
import re
import shlex
from dataclasses import dataclass, replace
from typing import Any

from c4_protocol import dialects
from c4_protocol.program.errors import VariantError
from c4_protocol.program.text import visible
from c4_protocol.rules.position import Position

from c4_referee.bots.agents import command_for_people
from c4_referee.bots.placeholders import APPENDED_WORDS, CommandValues
from c4_referee.bots.spec import BotSpec
from c4_referee.check import boards
from c4_referee.check.broken import BadLine, Broken, Crashed, Hung
from c4_referee.check.driver import QUICK_MS, Trial
from c4_referee.check.model_bot import first_answer

START_MS = 3000.0
"""Time in milliseconds within which a bot that lacks arguments is expected to fail."""
DIALECT_MS = 1500.0
"""Time in milliseconds for the start of a bot that is asked in another dialect."""
SILENT_DIALECT = "ccfi"
"""Dialect whose bots ignore all other dialects. It is tried last, and only on a silent bot."""
FLAGS = " ".join(APPENDED_WORDS["course"])
WORD = re.compile("[a-z]{4,}")
"""Pattern for a word. An answer with a word has a meaning in few dialects."""
MEANT_AS_MOVE = re.compile(r"""'(?:[\d{\["]|null|.*\{\s*"move")""")
"""Pattern of an answer, in quotes, that is a number or JSON, perhaps after a prompt."""


@dataclass(frozen=True)
class Start:
    """Arguments with which a bot starts, or the dialect in which it answers.

    ``name`` describes them in words, and ``line`` sets them in the bot's table. ``command`` is the
    bot's command line for player 1. ``seen`` says what the bot does without them. ``option`` is the
    option of a command with the same effect as ``line``, or empty if there is none.
    """

    name: str
    line: str
    command: str
    seen: str
    option: str

    @property
    def is_dialect(self) -> bool:
        """True if it names a dialect."""
        return self.option.startswith("--dialect")


def find_start(trial: Trial) -> tuple[Trial, Start | None]:
    """Return the trial with what the bot needs, and a ``Start`` that describes it.

    The ``Start`` is ``None`` if the bot needs nothing, or if no way to start it works. A bot whose
    command has placeholders needs no other arguments, and a bot that has another dialect than jsonl
    needs no other dialect.
    """
    if trial.spec.placeholders or not trial.is_json:
        return trial, None
    failure = _failure(trial, trial.position, START_MS)
    if isinstance(failure, Crashed):
        ways, works = _ways_with_arguments(trial.spec), _gets_past_start
    elif failure is not None and _may_speak_another_dialect(failure):
        names = sorted({*dialects.referee_names()} - {dialects.DEFAULT_DIALECT, SILENT_DIALECT})
        names += [SILENT_DIALECT] if type(failure) is Hung else []
        ways = [(f"in the dialect {each}", {"dialect": each, "restart": "game"}) for each in names]
        works = _answers_in_words
    else:
        return trial, None
    for name, settings in ways:
        changed = replace(trial, spec=replace(trial.spec, **settings))
        if works(changed):
            key, value = next(iter(settings.items()))
            option = "" if key == "command" else f"--{key} {value}"
            line = f"{key} = {json.dumps(value)}"
            words = changed.spec.command_for(CommandValues(1, trial.variant, trial.time_ms))
            shown = visible(shlex.join(command_for_people(words)), keep="\n\t")
            return changed, Start(name, line, shown, failure.seen, option)
    return trial, None


def _ways_with_arguments(spec: BotSpec) -> list[tuple[str, dict[str, Any]]]:
    """Return ways to start a bot, in the order in which they are tried.

    Each is a name, and keys of the bot's table with their values. The bot needs the first key.
    """
    return [
        ("with the arguments of the CSCI 4202 course's driver", {"arguments": "course"}),
        (
            "with six positional arguments, as an older driver of that course appends them",
            {"arguments": "positional"},
        ),
        ("with one argument, its player", {"command": (*spec.command, "{player}")}),
        ("with one argument that holds all flags", {"command": (*spec.command, FLAGS)}),
    ]


def _gets_past_start(trial: Trial) -> bool:
    return not isinstance(_failure(trial, trial.position, START_MS), Crashed)


def _failure(trial: Trial, position: Position, startup_ms: float) -> Broken | None:
    """Ask a bot once, and return its failure, or ``None`` if it answers.

    The wait for the answer is short. So a bot that takes long to start fails as ``Hung``.
    """
    brief = replace(trial, startup_ms=min(trial.startup_ms, startup_ms))
    try:
        with brief.start(player=position.player) as bot:
            bot.ask(position)
    except Broken as broken:
        return broken
    return None


def _may_speak_another_dialect(failure: Broken) -> bool:
    """Return whether the failure can be that of a bot that does not speak jsonl."""
    if type(failure) is BadLine and failure.evidence:
        return not MEANT_AS_MOVE.match(failure.evidence.answered)
    return type(failure) is Hung


def _answers_in_words(trial: Trial) -> bool:
    """Return whether a bot plays a legal move in its dialect, with an answer that has a word."""
    try:
        trial.referee.check_variant(trial.variant)
    except VariantError:
        return False
    position = trial.position
    if not trial.referee.starts_empty:  # hardly anybody finds the only move by chance
        position = next(boards.edges(trial.variant), position)
    if not WORD.search(first_answer(trial.spec.dialect, position, position.moves[0])):
        return False
    return _failure(replace(trial, time_ms=QUICK_MS), position, DIALECT_MS) is None
