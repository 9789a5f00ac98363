"""Runs the rules, finds the causes of what fails, and reports each cause once.

Rules fail for reasons that have nothing to do with them: a bot that counts columns from 1 breaks
some twenty of them. What is to be done is therefore decided by the fault:

1. An answer that came too late to be read, or after which the program ended, has one cause whatever
   the rule.
2. Illegal moves and crashes are explained by probes (``misreading.py``) if they name a mistake.
3. Otherwise the rule's own advice counts if the bot keeps the plain rules and the fault is of a
   kind that the rule is about. Else the advice is that of the fault; so it is for a crash that
   rules with different advice find.

Rules for which the advice is the same failed for the same cause.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from c4_referee.check.broken import (
    BadLine,
    Broken,
    Crashed,
    Hung,
    Illegal,
    Left,
    Unflushed,
    flush,
    read_lines,
)
from c4_referee.check.buffering import answers_fill_a_buffer
from c4_referee.check.driver import Trial
from c4_referee.check.evidence import Evidence
from c4_referee.check.languages import language_of
from c4_referee.check.misreading import Finding, find_mistake
from c4_referee.check.rules import RULES, Rule
from c4_referee.check.start import Start, find_start

MOST_HANGS = 3
"""Maximum number of waits in vain. After them the other rules are not tried."""


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
class Cause:
    """Why rules failed: what to do, and the first time it was seen, with its evidence."""

    fix: str
    seen: str
    evidence: Evidence | None
    rules: list[str]
    advice: bool = False


@dataclass
class CheckReport:
    """All outcomes, the causes of those that failed, and the names of the rules not tried.

    ``start`` says what arguments the bot needs, ``None`` if it starts by itself.
    """

    bot: str
    passed: bool = True
    rules: list[Outcome] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    start: Start | None = None


def check(
    trial: Trial,
    tell: Callable[[Outcome], None],
    rules: Sequence[Rule] = RULES,
    tell_start: Callable[[Start], None] = lambda _: None,
    tell_rule: Callable[[str], None] = lambda _: None,
) -> CheckReport:
    """Find out how the bot starts, try the rules one by one, and report.

    ``tell_start`` is given the arguments that the bot needs, ``tell_rule`` the name of each rule
    before it is tried, and ``tell`` its outcome.
    """
    given = bool(trial.spec.placeholders)
    trial, start = find_start(trial)
    report = CheckReport(trial.spec.name, start=start)
    if start:
        tell_start(start)
    checker = _Checker(trial, report)
    for rule in rules:
        if rule.is_about_arguments and (start or given):
            continue  # a driver that knows what the bot needs appends nothing else
        if checker.hangs >= MOST_HANGS:
            report.not_tried.append(rule.name)
            continue
        tell_rule(rule.name)
        outcome = checker.try_rule(rule)
        report.rules.append(outcome)
        tell(outcome)
    report.causes.sort(key=lambda cause: (cause.advice, -len(cause.rules)))
    report.passed = all(outcome.passed or outcome.advice for outcome in report.rules)
    return report


class _Checker:
    """Tries rules on a bot and keeps what it learns about the bot's faults."""

    def __init__(self, trial: Trial, report: CheckReport) -> None:
        self.hangs = 0
        self._trial = trial
        self._report = report
        self._language = language_of(trial.spec.command)
        self._general: set[str] = set()
        """What to do about faults that were seen where no rule explains them."""
        self._crash = ""
        """What to do about a bot that crashes whatever it is asked, found first."""
        self._crashes: dict[str, str] = {}
        """The advice of the rule that first found a crash, by what was seen."""

    def try_rule(self, rule: Rule) -> Outcome:
        """Return the outcome of a rule; a failure is filed under its cause."""
        try:
            return Outcome(rule.name, True, rule.judge(self._trial), advice=rule.advice)
        except Broken as broken:
            # A bot that does not flush would hang at every question.
            self.hangs += MOST_HANGS if isinstance(broken, Unflushed) else isinstance(broken, Hung)
            cause = self._cause(rule, broken)
            self._file(rule, cause)
            return Outcome(rule.name, False, broken.seen, cause.fix, rule.advice)

    def _cause(self, rule: Rule, broken: Broken) -> Cause:
        """Return why a rule failed: the mistake that probes find, or what the fault itself says."""
        if isinstance(broken, Unflushed) and broken.fix == flush(self._language):
            is_buffered = answers_fill_a_buffer(self._trial)
            broken.fix = broken.fix if is_buffered else read_lines(self._language)
        finding = None
        if isinstance(broken, Illegal | Crashed | BadLine):
            finding = self._finding
        if finding is None:
            fix = self._fix(rule, broken)
            return Cause(fix, broken.seen, broken.evidence, [rule.name], rule.advice)
        mistake, evidence = finding
        return Cause(mistake.fix, mistake.seen, evidence, [rule.name], rule.advice)

    @cached_property
    def _finding(self) -> Finding | None:
        """How the bot misreads the grid, asked when it is first needed."""
        return find_mistake(self._trial)

    def _fix(self, rule: Rule, broken: Broken) -> str:
        """Return what to do about a fault, by the rule's words or by the fault's."""
        if not broken.fix:
            return rule.fix
        if isinstance(broken, Crashed) and not self._keeps_the_plain_rule:
            self._crash = self._crash or broken.fix
            return self._crash  # it crashes at any question
        is_own = isinstance(broken, rule.explains) and self._keeps_the_plain_rule
        is_general = isinstance(broken, Left | Unflushed) or broken.fix in self._general
        if is_own and not is_general and not self._is_found_elsewhere(rule, broken):
            return rule.fix
        self._general.add(broken.fix)
        return broken.fix

    def _is_found_elsewhere(self, rule: Rule, broken: Broken) -> bool:
        """Return whether a rule with other advice found the same crash; take that advice back."""
        if not isinstance(broken, Crashed):
            return False
        advice = self._crashes.setdefault(broken.seen, rule.fix)
        if advice == rule.fix:
            return False
        report, crash = self._report, (broken.seen, advice)
        for cause in report.causes:
            if (cause.seen, cause.fix) == crash:
                cause.fix = broken.fix
        report.rules = [
            replace(outcome, fix=broken.fix) if (outcome.seen, outcome.fix) == crash else outcome
            for outcome in report.rules
        ]
        return True

    @property
    def _keeps_the_plain_rule(self) -> bool:
        """Whether the first rule, the plainest, was kept."""
        return bool(self._report.rules) and self._report.rules[0].passed

    def _file(self, rule: Rule, cause: Cause) -> None:
        """Add a failed rule to its cause, or a cause to the report.

        Advice that fails for the same reason as a rule is not counted with it.
        """
        known = next((one for one in self._report.causes if one.fix == cause.fix), None)
        if known is None:
            self._report.causes.append(cause)
        elif known.advice == rule.advice:
            known.rules.append(rule.name)
        elif known.advice:
            self._report.causes[self._report.causes.index(known)] = cause
