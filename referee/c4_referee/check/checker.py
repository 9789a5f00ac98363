"""Runs the rules and collects what came out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from c4_referee.check.driver import Broken, Hung, Left, Trial
from c4_referee.check.rules import RULES, Rule

MOST_HANGS = 3
"""After so many waits in vain the rest is not tried: nobody waits for minutes to learn no more."""


@dataclass(frozen=True)
class Outcome:
    """What came of a rule: ``seen`` where there is something to tell, ``fix`` where it failed.

    An ``advice`` that failed does not fail the check.
    """

    name: str
    passed: bool
    seen: str = ""
    fix: str = ""
    advice: bool = False


@dataclass
class CheckReport:
    """All outcomes, and the names of the rules that were not tried."""

    bot: str
    passed: bool = True
    rules: list[Outcome] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)


def check(
    trial: Trial, tell: Callable[[Outcome], None], rules: Sequence[Rule] = RULES
) -> CheckReport:
    """Tries the rules one by one, telling each outcome as it comes."""
    report = CheckReport(trial.spec.name)
    hangs = 0
    for rule in rules:
        if hangs == MOST_HANGS:
            report.not_tried.append(rule.name)
            continue
        outcome, hung = _try(rule, trial, general=not _basics_work(report))
        hangs += hung
        report.rules.append(outcome)
        tell(outcome)
    report.passed = all(outcome.passed or outcome.advice for outcome in report.rules)
    return report


def _basics_work(report: CheckReport) -> bool:
    """Whether the first rule, the plainest, was kept."""
    return bool(report.rules) and report.rules[0].passed


def _try(rule: Rule, trial: Trial, *, general: bool) -> tuple[Outcome, bool]:
    """The outcome of a rule, and whether the bot hung.

    The advice is the rule's own, or in general words: a bot that cannot answer at all fails every
    rule, for reasons that have nothing to do with them.
    """
    try:
        return Outcome(rule.name, passed=True, seen=rule.judge(trial), advice=rule.advice), False
    except Broken as broken:
        fix = ((general or isinstance(broken, Left)) and broken.fix) or rule.fix
        outcome = Outcome(rule.name, passed=False, seen=broken.seen, fix=fix, advice=rule.advice)
        return outcome, isinstance(broken, Hung)
