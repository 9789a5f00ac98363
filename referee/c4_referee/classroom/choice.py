"""How a submission is compiled, and which of the ways in which it may start plays."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from c4_protocol.program.errors import UsageError
from c4_protocol.rules.variant import Variant

from c4_referee.bots.bot_folder import folder_digest
from c4_referee.bots.languages import BUILD_FILES
from c4_referee.bots.spec import BotSpec
from c4_referee.check.driver import Trial
from c4_referee.check.whole_file import check_all, failures
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.submissions.compiling import (
    Compiled,
    compile_start,
    spec_of,
    working_copy,
)
from c4_referee.classroom.submissions.mains import short_list
from c4_referee.classroom.submissions.start import Start, Unclear
from c4_referee.classroom.submissions.start_rules import find_starts
from c4_referee.classroom.submissions.time_limit import Exceeded, limited_time

UNREAD = "unread"
"""Stands for the digest of a folder that cannot be read, or not in time."""


def chosen_start(
    place: Path, python: str, settings: ClassSettings, main: str = "", *, sandboxed: bool
) -> tuple[Start, Compiled]:
    """Return the start of a submission that plays, and what compiling it has given.

    The submission is in ``place / "files"``. Each start is compiled in a fresh copy,
    ``place / "build"``, and then checked, until one passes. A start that is alone needs no check
    here, nor does one whose build file makes a program. If none passes, the first one is compiled
    again and returned. ``main`` is the path of the main program, if it is known, and ``python`` the
    environment of the class. Raises ``NoStart``, or ``Unclear`` if none of several main programs
    passes.
    """
    build, faults = place / "build", dict[str, str]()
    working_copy(place / "files", build)
    starts = find_starts(build, main)
    mains = [start.main for start in starts if start.main]
    for start in starts:
        if faults:
            working_copy(place / "files", build)
        done, why = compile_copy(start, build, python, settings, sandboxed=sandboxed), ""
        if len(starts) == 1:
            return start, done
        if not done.passed:
            why = done.why_failed
        elif start.because not in BUILD_FILES:
            why = fault_of(spec_of(start, "bot", build, python, sandboxed=sandboxed), settings)
        if not why:
            others = [main for main in mains if main != start.main]
            note = f"{short_list(others)} could, too" if start.main and others else ""
            note = f"{short_list([*faults])} failed" if faults else note
            return replace(start, note=note), done
        faults[start.main or start.because] = why
    if len(mains) > 1:
        found = "; ".join(f"{main}: {faults[main]}" for main in mains)
        raise Unclear(f"several programs could be its main one, and none plays: {found}", mains)
    working_copy(place / "files", build)
    return starts[0], compile_copy(starts[0], build, python, settings, sandboxed=sandboxed)


def compile_copy(
    start: Start, build: Path, python: str, settings: ClassSettings, *, sandboxed: bool
) -> Compiled:
    """Compile a start in a copy of a submission, and note what the copy holds then."""
    seconds = settings.compile_seconds
    done = compile_start(start, build, python, sandboxed=sandboxed, seconds=seconds)
    if (built := digest_of_copy(build)) != UNREAD:
        return replace(done, built=built)
    reason = "error: the compilers have left what is no regular file, or too large"
    return replace(done, passed=False, messages=reason)


def digest_of_copy(build: Path) -> str:
    """Return a digest of a folder with the times of all changes, or "" if it is not there.

    It is ``UNREAD`` if something in it cannot be read, or not in time: files can have holes of any
    size.
    """
    if not build.is_dir():
        return ""
    try:
        with limited_time():
            return folder_digest(build, with_times=True)
    except (Exceeded, OSError, UsageError):
        return UNREAD


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
