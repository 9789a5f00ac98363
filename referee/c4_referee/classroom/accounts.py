"""Sentences of the feedback: what happened to the last submission, and what to do next."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from c4_referee.check.whole_file import failures
from c4_referee.classroom.entries import Account, Tone
from c4_referee.classroom.runs import Run
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.tables import scrubber
from c4_referee.report.texts import counted, ordinal

NOT_HERE = "The last download has nothing from you."
IMPROVE = "To get better, look at the costliest moves and the lost games below."
CORRECT = "Correct what the compiler says, below, and hand in again."
CHOOSE = (
    "Hand in one program only, or add a file `bot.toml` with the line "
    '`command = "..."` that starts it.'
)
GAVE_UP = (
    "It gave up in the last run: it lost its first games by the same fault, so none of its games "
    "counts."
)
MOST_FIXES = 3
"""Maximum number of causes of a failed check that are listed as things to do."""


def account_of(
    student: Student, register: Register, settings: ClassSettings, runs: Sequence[Run]
) -> Account:
    """Return the account of a student's submission. ``runs`` are those that are over."""
    version, run = student.version, runs[-1] if runs else None
    if version is None:
        return Account(student.alias, "Nothing was handed in.", "not", ("Hand in a bot.",))
    scrub = scrubber(register, student, version)
    check = register.check_of(student, version) if version.checked else None
    start, compiled = version.start, version.compiled
    plays: Tone = "plays" if student.playing == student.latest else "earlier"
    return Account(
        bot=student.alias,
        happened=_happened(student, version, settings, run.name if run else ""),
        tone=plays if student.playing else "not",
        todo=tuple(scrub(text) for text in _todo(version, check)),
        version=student.latest,
        playing=student.playing or None,
        handed_in=version.handed_in,
        late=version.late,
        language=start.language if start else "",
        command=scrub(shlex.join(start.command)) if start else "",
        because=scrub(": ".join(filter(None, (start.because, start.note)))) if start else "",
        messages=scrub(compiled.messages) if compiled else "",
        check=check,
        grade=student.playing_version.grade if student.playing_version else None,
        notes=tuple(_notes(student, run)),
        rank=_rank(student.alias, runs),
    )


def _rank(bot: str, runs: Sequence[Run]) -> str:
    """Return the rank in the last run, and that of the version before in its last run; or ""."""
    shown = [(run, row) for run in reversed(runs) for row in run.rows if row.name == bot]
    if not shown or shown[0][0] is not runs[-1]:
        return ""
    (run, row), *before = shown
    text, version = f"{ordinal(row.rank)} of {len(run.rows)}", run.versions.get(bot)
    same = sum(each.rank == row.rank and each.games > 0 for each in run.rows) - 1
    if row.games and same:
        text += f" (shared with {counted(same, 'other bot')})"
    for other, earlier in before:
        if (number := other.versions.get(bot)) != version:
            total = f" of {len(other.rows)}" if len(other.rows) != len(run.rows) else ""
            return f"{text}, {ordinal(earlier.rank)}{total} with version {number}"
    return text


def _happened(student: Student, version: Version, settings: ClassSettings, run: str) -> str:
    """Return one sentence or two on what happened since the last submission."""
    latest, playing = student.latest, student.playing
    is_new = latest != student.told or student.told_in == run
    if playing == latest and student.is_here and is_new:
        return f"Version {latest} is ready and plays."
    if playing == latest:
        news = "You handed in nothing new." if student.is_here else NOT_HERE
    elif version.is_ready and version.late and settings.late == "leave out":
        news = f"Version {latest} came late and does not play."
    else:
        news = f"Version {latest} is not ready."
    return f"{news} Version {playing} plays on." if playing else f"{news} You have no bot in play."


def _todo(version: Version, check: Mapping[str, Any] | None) -> Iterator[str]:
    """Generate sentences on what to do next."""
    if version.is_ready:
        yield IMPROVE
    elif version.mains:
        yield f"{sentence(version.reason)} {CHOOSE}"
    elif version.compiled and not version.compiled.passed:
        yield CORRECT
    elif check:
        for cause in failures(check)[:MOST_FIXES]:
            yield f"{sentence(cause['fix'])} {sentence('what happened: ' + cause['seen'])}"
    else:
        yield sentence(version.reason)


def sentence(text: str) -> str:
    """Return a text that begins with a capital or the name of a file, and ends as a sentence."""
    begin = text[:1] if "." in text.partition(" ")[0].rstrip(".:") else text[:1].upper()
    return f"{begin}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def _notes(student: Student, run: Run | None) -> Iterator[str]:
    """Generate sentences on what else a student must know."""
    if run is None or student.alias not in run.versions:
        return
    if next((row.gave_up for row in run.rows if row.name == student.alias), False):
        yield GAVE_UP
    if (number := run.versions[student.alias]) != student.playing:
        yield f"The games below are those of version {number}: run {run.name} began with it."
