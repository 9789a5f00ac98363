"""Which of the ways in which a submission may start plays: the first that passes the check."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from c4_protocol.rules.variant import Variant

from c4_referee.bots.languages import BUILD_FILES
from c4_referee.bots.spec import BotSpec
from c4_referee.check.driver import Trial
from c4_referee.check.whole_file import check_all, failures
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.compiling import Compiled, first_error
from c4_referee.classroom.submissions.mains import short_list
from c4_referee.classroom.submissions.start import Start, Unclear


def chosen_start(
    starts: Sequence[Start],
    compiled: Callable[[Start], Compiled],
    fault: Callable[[Start], str],
) -> tuple[Start, Compiled]:
    """Return the start of a submission that plays, and what compiling it has given.

    ``compiled`` compiles a start in a fresh copy. ``fault`` checks the bot in it, and returns what
    is wrong with it, or "". A start that is alone needs no check here, nor does one whose build
    file makes a program. If none passes, the first one is compiled again and returned. Raises
    ``Unclear`` if it is one of several main programs.
    """
    faults: dict[str, str] = {}
    mains = [start.main for start in starts if start.main]
    for start in starts:
        done, why = compiled(start), ""
        if len(starts) == 1:
            return start, done
        if not done.passed:
            why = f"it does not compile: {first_error(done.messages)}"
        elif start.because not in BUILD_FILES:
            why = fault(start)
        if not why:
            others = [main for main in mains if main != start.main]
            note = f"{short_list(others)} could, too" if start.main and others else ""
            note = f"{short_list([*faults])} failed" if faults else note
            return replace(start, note=note), done
        faults[start.main or start.because] = why
    if len(mains) > 1:
        found = "; ".join(f"{main}: {faults[main]}" for main in mains)
        raise Unclear(f"several programs could be its main one, and none plays: {found}", mains)
    return starts[0], compiled(starts[0])


def fault_of(spec: BotSpec, settings: ClassSettings) -> str:
    """Return why a bot fails the check of a class, or ""."""
    trial = partial(trial_of, spec, settings)
    (checked,) = check_all({spec.name: trial}, lambda _: None, 1, settings.check_seconds)
    if checked.passed_here or checked.report is None:
        return checked.reason
    return str(failures(checked.report)[0]["seen"])


def trial_of(spec: BotSpec, settings: ClassSettings) -> Trial:
    """Return what a check tries. Raises ``ArenaError`` if the bot cannot be started."""
    spec.check_startable()
    return Trial(spec, Variant.parse(settings.variant), spec.time_ms or settings.time_ms)
