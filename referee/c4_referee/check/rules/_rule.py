"""The class of a rule, and the decorator that makes a function a rule."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import UnionType

from c4_protocol.position import Position

from c4_referee.check.broken import Broken
from c4_referee.check.driver import Trial

PAUSE_SECONDS = 0.3
"""Seconds that a rule pauses as a slow driver does, or waits for something unwanted."""
ENDING_SECONDS = 2.0
"""Seconds that a bot has to end after its input was closed or it read ``:exit``."""

Attempt = Callable[[Trial], str | None]
"""Function that tries a rule on a bot, as the docstring of the package describes."""


@dataclass(frozen=True)
class Rule:
    """Rule of the check: its name, its advice (``fix``), and the function that tries it.

    ``explains`` are the kinds of failures for which ``fix`` is the advice. For other kinds, the
    failure's own advice is given. A rule that is only ``advice`` does not fail the check. A rule
    that ``is_about_arguments`` is not tried on a bot that needs certain arguments.
    """

    name: str
    fix: str
    attempt: Attempt
    explains: type[Broken] | UnionType = Broken
    advice: bool = False
    is_about_arguments: bool = False


RULES: list[Rule] = []
"""All rules, in the order in which they are tried."""


class NoFault(Broken):
    """Failure that never occurs. A rule with ``explains=NoFault`` explains no failure."""


def ask_all(trial: Trial, positions: Sequence[Position]) -> None:
    """Ask about positions in one run. The same player must be to move in all of them."""
    with trial.start(player=positions[0].player, variant=positions[0].variant) as bot:
        for position in positions:
            bot.ask(position)


def rule(
    name: str,
    fix: str,
    *,
    explains: type[Broken] | UnionType = Broken,
    advice: bool = False,
    is_about_arguments: bool = False,
) -> Callable[[Attempt], Attempt]:
    """Return a decorator that registers a function as a rule."""

    def register(attempt: Attempt) -> Attempt:
        RULES.append(Rule(name, fix, attempt, explains, advice, is_about_arguments))
        return attempt

    return register
