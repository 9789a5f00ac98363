"""Program that runs an agent for Kaggle's ConnectX as a bot.

In: precepts on standard input. Out: moves on standard output. The agent is a function of an
observation and a configuration. It is loaded and called as kaggle-environments does it, and the
same answers are valid.

This file needs nothing but the standard library of Python 3.9 or later, so that any interpreter can
run it: ``python kaggle.py AGENT.py``. It ends with exit code 1 if the agent fails or returns
something that Kaggle calls INVALID, and standard error says why.
"""

from __future__ import annotations

import io
import os
import reprlib
import sys
import traceback
from collections.abc import Callable
from json import loads  # the agent may replace it in its module
from typing import Any, BinaryIO, TextIO

ACT_SECONDS, OVERAGE_SECONDS = 2, 60
"""Kaggle's time for a move and its overage time, for games without a limit."""
MAX_MOVES_AHEAD = 20
"""Maximum number of moves among which the remaining time of a game clock is divided."""
MAX_LOG_LENGTH = 10_000
"""Maximum number of characters that an agent can print for each move. The rest is dropped, as on
Kaggle."""
KAGGLE_RULES = {"gravity": True, "steal": False}
NUMBER_OF_DIRECTIONS = 3
"""Number of directions in which a line counts."""

Agent = Callable[..., Any]


class InvalidAnswer(Exception):
    """Exception for an answer of an agent that is not a move."""


class UnknownRules(Exception):
    """Exception for a game that differs from ConnectX."""


class AttributeDict(dict[str, Any]):
    """Dictionary whose items are attributes, too."""

    def __init__(self, items: dict[str, Any]) -> None:
        super().__init__(items)
        self.__dict__.update(items)

    def __setattr__(self, name: str, value: object) -> None:
        self.__dict__[name] = self[name] = value


class LimitedLog(io.TextIOBase):
    """Text file that passes ``MAX_LOG_LENGTH`` characters for each move to another file."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._room = MAX_LOG_LENGTH

    def write(self, text: str) -> int:
        """Write the part of a text for which there is room."""
        part = text[: self._room]
        self._room -= len(part)
        self._file.write(part)
        self._file.flush()
        return len(text)

    def clear(self) -> None:
        """Make room for the next move."""
        self._room = MAX_LOG_LENGTH


def load_agent(path: str) -> Agent:
    """Return the last callable that a file defines.

    As on Kaggle, the file's folder is at the end of the search path for modules only while the file
    is executed, and neither ``__file__`` nor ``__name__`` is set.
    """
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - this file imports little
        source = file.read()
    names: dict[str, Any] = {}
    sys.path.append(os.path.dirname(path))  # noqa: PTH120
    exec(compile(source, path, "exec"), names)
    sys.path.pop()
    functions = [value for value in names.values() if callable(value)]
    if not functions:
        raise InvalidAnswer(f"{path} defines no function: the last one in the file is the agent")
    agent: Agent = functions[-1]
    return agent


def observation_of(precept: dict[str, Any]) -> AttributeDict:
    """Return the observation of a precept, without ``remainingOverageTime``.

    ``board`` lists the cells row by row, from the top left.
    """
    board = [cell for row in zip(*precept["grid"]) for cell in row]  # noqa: B905 - new in Python 3.10
    stones = [board.count(mark) for mark in (1, 2)]
    mark = precept.get("player") or (2 if stones[1] < stones[0] else 1)
    return AttributeDict({"step": sum(stones), "board": board, "mark": mark})


def times_of(precept: dict[str, Any], own_moves: int) -> tuple[float, float]:
    """Return the time for this move and the overage time of a precept, in seconds.

    A game clock is divided among ``own_moves``, the maximum number of moves that remain. The rest
    of the clock is overage time.
    """
    clock = precept.get("clock")
    if clock is not None:
        left, increment = clock["remaining_ms"], clock.get("increment_ms", 0)
        share = min(left / max(1, min(own_moves, MAX_MOVES_AHEAD)) + increment, left)
        return _shortened_number(share / 1000), _shortened_number((left - share) / 1000)
    time_ms = precept.get("time_ms")
    if time_ms is None:
        return ACT_SECONDS, OVERAGE_SECONDS
    return _shortened_number(time_ms / 1000), 0


def configuration_of(precept: dict[str, Any], act_seconds: float, overage: float) -> AttributeDict:
    """Return the configuration of a precept with these times, in seconds."""
    grid = precept["grid"]
    settings = {
        "episodeSteps": 1000,
        "actTimeout": act_seconds,
        "runTimeout": 1200,
        "columns": len(grid),
        "rows": len(grid[0]),
        "inarow": precept.get("connect") or 4,
        "agentTimeout": overage,
        "timeout": act_seconds,
    }
    return AttributeDict(settings)


def ask_agent(agent: Agent, precept: dict[str, Any], path: str) -> int:
    """Return the column that an agent plays, counting from 0.

    ``path`` is the file of the agent. Raises ``InvalidAnswer`` if the agent returns something
    else, and ``UnknownRules`` for a game that is not ConnectX. The column may be full or off the
    board.
    """
    directions = precept.get("directions") or range(NUMBER_OF_DIRECTIONS)
    is_known = all(precept.get(name, value) == value for name, value in KAGGLE_RULES.items())
    if not is_known or len(directions) != NUMBER_OF_DIRECTIONS:
        raise UnknownRules("a Kaggle agent knows only ConnectX: gravity, lines in all directions")
    observation = observation_of(precept)
    act_seconds, overage = times_of(precept, (observation["board"].count(0) + 1) // 2)
    observation.remainingOverageTime = overage
    configuration = configuration_of(precept, act_seconds, overage)
    configuration["__raw_path__"] = path
    # Kaggle gives a function as many arguments as it has parameters, and other callables both.
    count = getattr(getattr(agent, "__code__", None), "co_argcount", 2)
    return column_of(agent(*(observation, configuration)[:count]))


def column_of(answer: object) -> int:
    """Return the column that an answer names, or raise ``InvalidAnswer``.

    Kaggle plays the leftmost column for ``None``. It refuses ``bool`` and every integer that is not
    an ``int``, such as numpy's, and it stops with an error after a ``float`` without a fraction.
    """
    if answer is None:
        sys.stderr.write("the agent returned None: Kaggle plays column 0\n")
        return 0
    if isinstance(answer, int) and not isinstance(answer, bool):
        return int(answer)
    raise InvalidAnswer(
        f"the agent returned {reprlib.repr(answer)} of {type(answer)}: INVALID on Kaggle, where a "
        "move is an int"
    )


def answer_precepts(path: str, questions: BinaryIO, answers: BinaryIO, log: LimitedLog) -> int:
    """Answer precepts until the input or the game ends, and return the exit code.

    ``path`` is the file of the agent.
    """
    try:
        agent = load_agent(path)
        for line in questions:
            text = line.decode("utf-8-sig").strip()
            if text == ":exit":
                break
            if text:
                log.clear()
                column = ask_agent(agent, loads(text), path)
                answers.write(b'{"move":%d}\n' % column)
    except (InvalidAnswer, UnknownRules) as error:
        _report_failure(str(error))
        return 1
    except SystemExit:
        raise
    except BaseException as error:
        calls = error.__traceback__
        while calls and calls.tb_frame.f_code.co_filename == __file__:
            calls = calls.tb_next  # those of this file are left out
        _report_failure("".join(traceback.format_exception(type(error), error, calls)))
        return 1
    return 0


def _report_failure(text: str) -> None:
    """Write why the agent ends, even if it has already printed ``MAX_LOG_LENGTH`` characters."""
    assert sys.__stderr__ is not None
    sys.__stderr__.write(text.rstrip() + "\n")


def _shortened_number(seconds: float) -> float:
    """Return whole seconds as an ``int``, as Kaggle's settings are."""
    return int(seconds) if seconds == int(seconds) else seconds


def _replace_descriptor(descriptor: int, substitute: int) -> int:
    """Let a file descriptor be a copy of ``substitute``, and return a copy of the former one."""
    copy = os.dup(descriptor)
    os.dup2(substitute, descriptor)
    return copy


def main() -> int:
    """Run the agent that the command line names, and return the exit code.

    What the agent prints, also through its own processes, goes to standard error, so that only
    moves are on standard output. Nothing is on its standard input.
    """
    if len(sys.argv) < 2:
        _report_failure("usage: python kaggle.py AGENT.py")
        return 2
    # Python put the folder of this file, or the current folder, at the start of the search path.
    if not getattr(sys.flags, "safe_path", False):
        del sys.path[0]
    nothing = os.open(os.devnull, os.O_RDONLY)
    questions, answers = _replace_descriptor(0, nothing), _replace_descriptor(1, 2)
    assert sys.__stderr__ is not None
    sys.stdout = sys.stderr = log = LimitedLog(sys.__stderr__)
    # The answers stay open until the process has ended: who sees them closed can ask for its code.
    sink = open(answers, "wb", 0, closefd=False)  # noqa: SIM115
    with open(questions, "rb") as source:  # noqa: PTH123
        return answer_precepts(sys.argv[1], source, sink, log)


if __name__ == "__main__":
    sys.exit(main())
