"""What a rule is, and how a function becomes one."""

from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType

from c4_referee.check.broken import Broken
from c4_referee.check.driver import Trial

PAUSE_SECONDS = 0.3
"""How long a driver pauses that is slow to read or write, or that waits for an extra line."""
ENDING_SECONDS = 2.0
"""How long a bot may take to end once it should."""

Judge = Callable[[Trial], str]


@dataclass(frozen=True)
class Rule:
    """A rule: its name, what to do if it is broken, and the function that tries it.

    ``explains`` are the kinds of faults for which ``fix`` is the advice; others have their own.
    ``advice`` that is not kept does not fail the check. A rule that ``is_about_arguments`` is not
    tried on a bot that needs certain ones.
    """

    name: str
    fix: str
    judge: Judge
    explains: type[Broken] | UnionType = Broken
    advice: bool = False
    is_about_arguments: bool = False


RULES: list[Rule] = []
"""All rules, in the order in which they are tried."""


class NoFault(Broken):
    """A fault that never occurs, for rules whose advice explains no fault of an answer."""


def rule(
    name: str,
    fix: str,
    *,
    explains: type[Broken] | UnionType = Broken,
    advice: bool = False,
    is_about_arguments: bool = False,
) -> Callable[[Judge], Judge]:
    """Register a function as a rule."""

    def register(judge: Judge) -> Judge:
        RULES.append(Rule(name, fix, judge, explains, advice, is_about_arguments))
        return judge

    return register
