"""Scripts for ``c4_referee.testing.scripted``, and how to start it: its ``BotSpec``.

A driver of your own starts ``spec.command``; a shell, ``shlex.join(spec.command)``.
"""

import json
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from c4_protocol.errors import UsageError

from c4_referee.bots.spec import BotSpec

PROGRAM = Path(__file__).with_name("scripted.py")
HOUR = 3600.0

Answer = int | str | Mapping[str, object]
"""A column; or a line, written as it is; or acts, done in their order:

- ``move``: an answer with that move, a column or ``[column, row]``
- ``say``: a text on standard output, with no line ending of its own
- ``complain``: a line on standard error
- ``wait``: seconds
- ``close``: a file descriptor, 0 for input and 1 for output
- ``kill``: the number of a signal to itself
- ``exit``: a code to end with
"""

MISBEHAVIOURS: dict[str, Answer] = {
    "silent": {"wait": HOUR},
    "exits": {"complain": "no such model: model.bin", "exit": 3},
    "killed": {"kill": int(signal.SIGKILL)},
    "answers_then_exits": {"move": 0, "exit": 0},
    "closes_output": {"close": 1, "wait": HOUR},
    "closes_input": {"close": 0, "move": 0, "wait": HOUR},
    "off_the_board": 99,
    "negative_column": -1,
    "half_a_column": {"move": 3.5},
    "column_as_text": {"move": "3"},
    "no_column": {"move": None},
    "no_move": '{"column":3}',
    "prose": "I play in the middle",
    "cut_off": {"say": '{"move":', "wait": HOUR},
    "not_utf8": '{"move":3,"info":"\udcff"}',
    "long_line": "9" * 70_000,
    "two_lines": '{"move":0}\n{"move":1}',
}
"""What a bot does when first asked, by kind."""


def scripted(
    answers: Sequence[Answer],
    *,
    expecting: Sequence[str] = (),
    greeting: str = "",
    name: str = "scripted",
    **settings: object,
) -> BotSpec:
    """A bot that gives these answers, one a question, started anew with each game.

    Asked more, or another question than the line in ``expecting``, it ends with code 1 and says
    why on standard error. ``greeting`` is written before anything is asked; ``settings`` are
    further fields of the spec.
    """
    script = {
        "greeting": greeting,
        "expecting": list(expecting),
        "answers": [_acts(answer) for answer in answers],
    }
    command = (sys.executable, "-I", "-S", str(PROGRAM), json.dumps(script))
    return BotSpec.model_validate({"name": name, "command": command, **settings})


def misbehaving(kind: str, **settings: object) -> BotSpec:
    """A bot that does its worst when first asked; raises ``UsageError`` for an unknown kind."""
    if kind not in MISBEHAVIOURS:
        raise UsageError(f"no misbehaviour '{kind}': there are {', '.join(sorted(MISBEHAVIOURS))}")
    bot = scripted([MISBEHAVIOURS[kind]])
    return BotSpec.model_validate({**bot.model_dump(), "name": kind, **settings})


def _acts(answer: Answer) -> Mapping[str, object]:
    if isinstance(answer, int):
        return {"move": answer}
    return {"say": answer + "\n"} if isinstance(answer, str) else answer
