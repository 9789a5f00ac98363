"""The steps of a run, in their order."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from c4_referee.classroom.check_versions import check_new
from c4_referee.classroom.compile_versions import compile_new
from c4_referee.classroom.environment import make_environment
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.grades import grade_new
from c4_referee.classroom.play import play, run_to_play
from c4_referee.classroom.publish import publish
from c4_referee.classroom.take_in import take_in
from c4_referee.report.texts import counted

Tell = Callable[[str, str, float], None]
"""Function that is called with the name of a step, a line about it, and its seconds."""


def take_steps(room: Classroom, submissions: Path | None, only: str | None, tell: Tell) -> None:
    """Do all steps of a run, or ``only`` one of them.

    Raises ``UsageError`` if the submissions or the settings are wrong, and ``KeyboardInterrupt``
    after Ctrl-C. The next call continues.
    """
    steps: Mapping[str, Callable[[], str]] = {
        "take-in": partial(take_in, room, submissions),
        "compile": partial(compile_new, room),
        "check": partial(check_new, room),
        "play": partial(_play, room, tell),
        "publish": partial(publish, room),
    }
    if only not in {"take-in", "publish"}:
        make_environment(room.folder, room.settings, room.folder)
    for name, step in steps.items():
        if only in {None, name}:
            began = time.monotonic()
            line = step()
            tell(name, line, time.monotonic() - began)


def _play(room: Classroom, tell: Tell) -> str:
    graded = grade_new(room)
    words = f"; {counted(graded, 'bot')} graded" if graded else ""
    run = run_to_play(room.register, room.bots, room.settings, room.runs, sandboxed=room.sandboxed)
    if run is None:
        return f"no games: fewer than two bots are ready{words}"
    tell("plan", run.plan, 0.0)
    newer = sum(each.playing != run.versions.get(each.alias, 0) for each in room.register.students)
    if newer:
        words += f"; it began before {counted(newer, 'submission')}: run the command again"
    return play(run, room.runs) + words
