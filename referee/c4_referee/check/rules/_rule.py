"""The class of a rule, and the decorator that makes a rule of a function."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import UnionType

from c4_protocol.position import Position

from c4_referee.check.broken import Broken
from c4_referee.check.driver import Trial

PAUSE_SECONDS = 0.3
"""Seconds for which a driver pauses that is slow to read or write, or waits for an extra line."""
ENDING_SECONDS = 2.0
"""Maximum time in seconds in which a bot has to end once it should."""

Attempt = Callable[[Trial], str | None]
"""A function that tries a rule on a bot: see the package's docstring."""


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the advice if it is broken (``fix``), and the function that tries it.

    ``explains`` are the kinds of failures for which ``fix`` is the advice; others have their own. A
    rule that is only ``advice`` does not fail the check. One that ``is_about_arguments`` is not
    tried on a bot that needs arguments of its own.
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
    """A failure that never occurs, for rules whose advice explains no kind of failure."""


def ask_all(trial: Trial, positions: Sequence[Position]) -> None:
    """Ask about positions in one run; the same player is to move in all of them."""
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
    """Register a function as a rule."""

    def register(attempt: Attempt) -> Attempt:
        RULES.append(Rule(name, fix, attempt, explains, advice, is_about_arguments))
        return attempt

    return register
