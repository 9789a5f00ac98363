"""Words of a command that name an agent instead of a program.

``kaggle:PATH`` is a file with an agent for Kaggle's ConnectX. A program of this package,
``c4_referee/runners/kaggle.py``, loads the file and speaks the default dialect. It runs with the
referee's Python, or with the interpreter before the word, as in ``venv/bin/python kaggle:PATH``.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from c4_protocol.dialects import DEFAULT_DIALECT, referee_end
from c4_protocol.program.errors import UsageError, VariantError
from c4_protocol.rules.variant import DIRECTIONS, Variant

AGENT_PREFIX = "kaggle:"
RUNNER_PATH = Path(__file__).parents[1] / "runners" / "kaggle.py"
RUNNER_MODULE = "c4_referee.runners.kaggle"


def agent_files(command: Sequence[str]) -> list[str]:
    """Return the paths of the agents that words of a command name."""
    return [word.removeprefix(AGENT_PREFIX) for word in command if word.startswith(AGENT_PREFIX)]


def command_without_prefix(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command in which the words for agents are paths."""
    return tuple(word.removeprefix(AGENT_PREFIX) for word in command)


def command_with_runner(command: Sequence[str], python: str | None = None) -> tuple[str, ...]:
    """Return a command that can be started, with the runner in front of the path of an agent.

    ``python`` is the environment of a class, which has a copy of the runner.
    """
    program = f"{python}/bin/python3" if python else sys.executable
    runner = f"{python}/{RUNNER_PATH.name}" if python else str(RUNNER_PATH)
    return tuple(_with_replaced_agents(command, (program,), (runner,)))


def command_for_people(command: Sequence[str]) -> tuple[str, ...]:
    """Return a command that people can start, without the folders of this installation."""
    return tuple(_with_replaced_agents(command, ("python3",), ("-m", RUNNER_MODULE)))


def _with_replaced_agents(
    command: Sequence[str], python: Sequence[str], runner: Sequence[str]
) -> Iterator[str]:
    for number, word in enumerate(command):
        if word.startswith(AGENT_PREFIX):
            yield from (*(python if number == 0 else ()), *runner)
        yield word.removeprefix(AGENT_PREFIX)


def check_dialect_name(name: str) -> None:
    """Raise ``UsageError`` for a dialect that the referee does not speak."""
    if name == AGENT_PREFIX.removesuffix(":"):
        raise UsageError("a Kaggle agent has no dialect: its command is kaggle:FILE")
    referee_end(name)


def check_agent(dialect: str, variant: Variant) -> None:
    """Raise an error if an agent cannot play with this dialect or this variant.

    Raises ``UsageError`` for a dialect that the runner does not speak, and ``VariantError`` for a
    game that differs from ConnectX.
    """
    if dialect != DEFAULT_DIALECT:
        raise UsageError(f"a Kaggle agent does not speak {dialect}: leave out dialect")
    if not variant.has_only_columns or variant.directions != DIRECTIONS:
        raise VariantError(
            "a Kaggle agent plays with gravity, without the steal and with lines in all "
            f"directions, not {variant}"
        )
