"""Specs of test bots. Each bot plays a script or misbehaves.

The bots run ``c4_referee.testing.scripted``. Your own driver can start ``spec.command``. The
command line for a shell is ``shlex.join(spec.command)``.
"""

import json
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from c4_protocol.program.errors import UsageError

from c4_referee.bots.spec import BotSpec
from c4_referee.bots.toml import checked_values

SCRIPTED_PROGRAM = Path(__file__).with_name("scripted.py")
HOUR_SECONDS = 3600.0

Answer = int | str | Mapping[str, object]
"""Answer of a script: a column from 0, a line of text, or a mapping from actions to values.

The bot writes a line of text without changing it. It does the actions in the order of the mapping:

- ``move``: answers with this move, a column or ``[column, row]``
- ``say``: writes this text on standard output, without a line ending
- ``complain``: writes this line on standard error
- ``wait``: waits this number of seconds
- ``close``: closes this file descriptor, 0 for input and 1 for output
- ``kill``: sends itself the signal with this number
- ``exit``: ends with this exit code
"""

MISBEHAVIOURS: dict[str, Answer] = {
    "silent": {"wait": HOUR_SECONDS},
    "exits": {"complain": "no such model: model.bin", "exit": 3},
    "killed": {"kill": int(signal.SIGKILL)},
    "answers_then_exits": {"move": 0, "exit": 0},
    "closes_output": {"close": 1, "wait": HOUR_SECONDS},
    "closes_input": {"close": 0, "move": 0, "wait": HOUR_SECONDS},
    "off_the_board": 99,
    "negative_column": -1,
    "half_a_column": {"move": 3.5},
    "column_as_text": {"move": "3"},
    "no_column": {"move": None},
    "no_move": '{"column":3}',
    "prose": "I play in the middle",
    "cut_off": {"say": '{"move":', "wait": HOUR_SECONDS},
    "not_utf8": '{"move":3,"info":"\udcff"}',
    "long_line": "9" * 70_000,
    "two_lines": '{"move":0}\n{"move":1}',
}
"""Kinds of misbehaving bots, each with its answer to the first question."""


def scripted(
    answers: Sequence[Answer],
    *,
    expecting: Sequence[str] = (),
    greeting: str = "",
    name: str = "scripted",
    **settings: object,
) -> BotSpec:
    """Return a bot that gives these answers, one for each question of a game.

    The n-th question must be equal to the n-th line of ``expecting``, if there is such a line. If a
    question is different or has no answer, the bot writes the reason on standard error and ends
    with code 1. The bot writes the ``greeting`` before the first question. ``settings`` are further
    fields of the spec.
    """
    script = {
        "greeting": greeting,
        "expecting": list(expecting),
        "answers": [_actions_of_answer(answer) for answer in answers],
    }
    command = (sys.executable, "-I", "-S", str(SCRIPTED_PROGRAM), json.dumps(script))
    return checked_values(BotSpec, {"name": name, "command": command, **settings}, "scripted")


def misbehaving(kind: str, **settings: object) -> BotSpec:
    """Return a bot that misbehaves at the first question. Raise ``UsageError`` for a wrong kind."""
    if kind not in MISBEHAVIOURS:
        raise UsageError(f"no misbehaviour '{kind}': there are {', '.join(sorted(MISBEHAVIOURS))}")
    bot = scripted([MISBEHAVIOURS[kind]])
    return checked_values(BotSpec, {**asdict(bot), "name": kind, **settings}, "misbehaving")


def _actions_of_answer(answer: Answer) -> Mapping[str, object]:
    """Return the actions of an answer, with their values."""
    if isinstance(answer, int):
        return {"move": answer}
    return {"say": answer + "\n"} if isinstance(answer, str) else answer
