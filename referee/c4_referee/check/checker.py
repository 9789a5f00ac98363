"""Runs the rules, finds the causes of failures, and reports each cause once.

Input: a trial and rules. Output: a ``CheckReport`` with an outcome for each rule and the causes of
failures.

Rules can fail for reasons that are not their topic: a bot that counts columns from 1 breaks about
twenty of them. The advice therefore depends on the failure (a ``Broken``):

1. If an answer stayed in a buffer, or the program ended after an answer, the failure's own advice
   is given, because such a failure has nothing to do with the rule.
2. For illegal moves, bad lines and crashes, probes (``misreading.py``) are tried. If they find a
   mistake, the advice is that of the mistake.
3. Otherwise the rule's own advice is given if the bot follows the plain rule (the first one) and
   the failure is of a kind that ``Rule.explains`` names. There is one exception: if rules with
   different advice find the same crash, the crash's own advice is given.
4. In all other cases the failure's own advice is given.

Rules that failed with the same advice are reported as one cause.

There are two verdicts: what this referee does, and what only other referees and drivers do. A bot
that needs the key "player" in each line is ready for the first, but not for the second.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from c4_protocol.dialects import DEFAULT_DIALECT

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
from c4_referee.check.driver import SharedRun, Trial
from c4_referee.check.evidence import Evidence
from c4_referee.check.misreading import Finding, find_mistake
from c4_referee.check.rules import RULES, TOGETHER, Rule
from c4_referee.check.start import Start, find_start

BUFFERED_LINES = 1500
"""Number of questions that are sent together to a bot whose answers may stay in a buffer. The
answers to them fill the usual buffers of 8 KiB."""
BUFFER_SECONDS = 5.0
"""Maximum time to wait for these answers, in seconds."""
MAX_HANGS = 3
"""Number of rules on which a bot may hang. After these, the remaining rules are not tried."""
MAX_FAILURES = 4
"""Number of rules that a bot may break before it follows one. A hang counts as this many."""


@dataclass
class RuleOutcome:
    """The result of one rule.

    ``seen`` is what the bot did, if that is worth showing. ``fix`` is the advice for a rule that
    failed. A rule that is only ``advice`` does not fail the check. ``elsewhere`` is true for what
    only other referees and drivers do.
    """

    name: str
    passed: bool
    seen: str = ""
    fix: str = ""
    advice: bool = False
    elsewhere: bool = False


@dataclass
class Cause:
    """The cause of one or more failed rules.

    ``fix`` is the advice. ``seen`` and ``evidence`` are those of the first failure. ``advice`` is
    true if all its rules are only advice, and ``elsewhere`` if all are about other referees.
    """

    fix: str
    seen: str
    evidence: Evidence | None
    rules: list[str]
    advice: bool = False
    elsewhere: bool = False


@dataclass
class CheckReport:
    """The result of a check: all outcomes, the causes of failures, and the rules not tried.

    ``passed_here`` says whether the bot is ready for this referee, and ``passed`` whether it is
    also ready for other referees and drivers of its ``dialect``. The causes that matter most stand
    first. ``start`` says what arguments the bot needs. It is ``None`` if the bot starts without
    arguments. ``start_ms`` and ``answer_ms`` are the median times of first answers, with the start,
    and of answers to questions that state the whole time; they are 0 if there are none.
    """

    bot: str
    passed: bool = True
    passed_here: bool = True
    dialect: str = DEFAULT_DIALECT
    rules: list[RuleOutcome] = field(default_factory=list)
    not_tried: list[str] = field(default_factory=list)
    causes: list[Cause] = field(default_factory=list)
    start: Start | None = None
    start_ms: float = 0.0
    answer_ms: float = 0.0

    def count(self, *, here: bool) -> tuple[int, int]:
        """Return how many rules that were tried failed, and how many were tried, without advice.

        With ``here``, only rules about this referee count.
        """
        tried = [rule for rule in self.rules if not (rule.advice or (here and rule.elsewhere))]
        return sum(not rule.passed for rule in tried), len(tried)


def check(
    trial: Trial,
    rules: Sequence[Rule] = RULES,
    on_rule: Callable[[int, int, str], None] = lambda *_: None,
) -> CheckReport:
    """Find out how the bot starts, try the rules that apply, and return a report.

    ``on_rule`` is called before each rule is tried: with its number from 1, the number of rules,
    and its name.
    """
    given = bool(trial.spec.placeholders)
    with SharedRun() as run:
        trial, start = find_start(replace(trial, shared=run))
        report = CheckReport(trial.spec.name, dialect=trial.spec.dialect, start=start)
        wanted = [
            rule
            for rule in rules
            if rule.applies(trial) and not (rule.is_about_arguments and (start or given))
        ]  # a driver that knows a bot's arguments appends no others
        checker = _Checker(trial, report, wanted)
        if run.driver and trial.is_json:  # it has answered a plain question, and goes on
            checker.go_on("plain", run)
    for number, rule in enumerate(wanted, 1):
        if checker.gives_up:
            report.not_tried = [rule.name for rule in wanted[number - 1 :]]
            break
        on_rule(number, len(wanted), rule.name)
        outcome = checker.try_rule(rule)  # it may replace earlier outcomes
        report.rules.append(outcome)
    report.causes.sort(key=weight)
    report.start_ms, report.answer_ms = trial.times.start_ms, trial.times.answer_ms
    report.passed, report.passed_here = (report.count(here=here)[0] == 0 for here in (False, True))
    return report


def weight(cause: Cause) -> tuple[bool, bool, int]:
    """Return a key that sorts causes: what matters most for this referee comes first."""
    return cause.advice, cause.elsewhere, -len(cause.rules)


class _Checker:
    """Runner of rules on one bot, which remembers what earlier failures have shown."""

    def __init__(self, trial: Trial, report: CheckReport, wanted: Sequence[Rule]) -> None:
        self._hangs = 0
        self._trial = replace(trial, shared=None)
        self._wanted = wanted
        self._found: dict[str, str | Broken] = {}
        """Maps names of rules that were tried in the run of an earlier rule to what was seen."""
        self._shares = trial.is_json
        self._report = report
        self._lines = trial.lines
        self._general: set[str] = set()
        """Failures' own advice that was given instead of the advice of a rule."""
        self._crash = ""
        """Advice for the first crash of a bot that crashes at every question."""
        self._crashes: dict[str, str] = {}
        """Maps the text ``seen`` of a crash to the advice of the rule that found it first."""

    @property
    def gives_up(self) -> bool:
        """True if the bot has hung too often, or if nothing that it did was right."""
        rules = self._report.rules
        has_failed = not any(rule.passed for rule in rules)
        is_hopeless = has_failed and len(rules) + MAX_FAILURES * self._hangs >= MAX_FAILURES
        return is_hopeless or self._hangs >= MAX_HANGS

    def try_rule(self, rule: Rule) -> RuleOutcome:
        """Try a rule and return its outcome. Add a failure to its cause in the report."""
        kind = rule.advice, rule.elsewhere(self._trial)
        self._trial = replace(self._trial, answers=self._follows_plain_rule)
        try:
            return RuleOutcome(rule.name, True, self._find(rule), "", *kind)
        except Broken as broken:
            # A bot that does not flush would hang at every question.
            self._hangs += MAX_HANGS if isinstance(broken, Unflushed) else isinstance(broken, Hung)
            seen, evidence = broken.seen, broken.evidence
            if isinstance(broken, Illegal | Crashed | BadLine) and self._finding:
                mistake, evidence = self._finding
                fix, seen = mistake.fix, mistake.seen
            else:
                fix = self._choose_fix(rule, broken)
            cause = Cause(fix, seen, evidence, [rule.name], *kind)
            self._add_cause(cause)
            return RuleOutcome(rule.name, False, broken.seen, cause.fix, *kind)

    def _find(self, rule: Rule) -> str:
        """Return what was seen of a rule, or raise ``Broken``. Try it if that was not done yet."""
        if rule.name not in self._found:
            name = rule.attempt.__name__
            if not (self._shares and name in TOGETHER):
                return rule.attempt(self._trial) or ""
            with SharedRun() as run:
                self._found[rule.name] = rule.attempt(replace(self._trial, shared=run)) or ""
                self.go_on(name, run)
        found = self._found[rule.name]
        if isinstance(found, Broken):
            raise found
        return found

    def go_on(self, first: str, run: SharedRun) -> None:
        """Try the rules of a run that begins with the function ``first``, until one is broken.

        That rule and those that follow are tried again in their turn, in runs of their own. So this
        saves starts of a good bot, and changes no verdict. After a hang, runs are shared no more.
        """
        names, trial = {first, *TOGETHER[first]}, replace(self._trial, shared=run)
        for rule in self._wanted:
            if rule.attempt.__name__ in names and rule.name not in self._found:
                try:
                    self._found[rule.name] = rule.attempt(trial) or ""
                except Broken as broken:
                    if not rule.advice or type(broken) is not Broken or broken.fix:
                        self._shares = not isinstance(broken, Hung)
                        return
                    self._found[rule.name] = broken  # it answers, but does not do what is advised

    @cached_property
    def _finding(self) -> Finding | None:
        """Mistake that the probes find, or ``None``. The probes run when this is first needed."""
        return find_mistake(self._trial)

    def _choose_fix(self, rule: Rule, broken: Broken) -> str:
        """Return the advice for a failure: the rule's or the failure's own."""
        fix, is_unflushed = broken.fix, isinstance(broken, Unflushed)
        if is_unflushed and fix == flush(self._lines) and not self._answers_fill_a_buffer():
            fix = read_lines(self._lines)
        if not fix:
            return rule.fix
        if isinstance(broken, Crashed) and not self._follows_plain_rule:
            self._crash = self._crash or fix
            return self._crash  # it crashes at every question
        is_explained = isinstance(broken, rule.explains) and self._follows_plain_rule
        is_general = is_unflushed or isinstance(broken, Left) or broken.is_general
        is_general |= fix in self._general
        if is_explained and not is_general and not self._is_known_crash(rule, broken):
            return rule.fix
        self._general.add(fix)
        return fix

    def _answers_fill_a_buffer(self) -> bool:
        """Ask for enough answers to fill a buffer, and return whether some arrive.

        The input stays open meanwhile. If none arrive, the bot reads to the end of its input first,
        or it is slow.
        """
        try:
            with self._trial.start() as bot:
                bot.say(bot.question(self._trial.position) * BUFFERED_LINES)
                bot.listen(BUFFER_SECONDS)
                return bool(bot.heard)
        except Broken:
            return False

    def _is_known_crash(self, rule: Rule, broken: Broken) -> bool:
        """Return whether a rule with other advice found the same crash.

        If so, replace the advice of that rule by the advice of the crash.
        """
        if not isinstance(broken, Crashed):
            return False
        advice = self._crashes.setdefault(broken.seen, rule.fix)
        if advice == rule.fix:
            return False
        failures: list[Cause | RuleOutcome] = [*self._report.causes, *self._report.rules]
        for failure in failures:
            if (failure.seen, failure.fix) == (broken.seen, advice):
                failure.fix = broken.fix
        return True

    @property
    def _follows_plain_rule(self) -> bool:
        """True if the bot follows the first rule, which asks a plain question."""
        return bool(self._report.rules) and self._report.rules[0].passed

    def _add_cause(self, cause: Cause) -> None:
        """Add a failed rule to the cause in the report with the same ``fix``, or add a new cause.

        Rules that fail the check and rules that are only advice do not share a cause. If both have
        the same ``fix``, only those that fail the check are reported.
        """
        causes = self._report.causes
        same = next((other for other in causes if other.fix == cause.fix), None)
        if same is None:
            causes.append(cause)
        elif same.advice == cause.advice:
            same.rules += cause.rules
            same.elsewhere &= cause.elsewhere
        elif same.advice:
            causes[causes.index(same)] = cause
