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
from c4_referee.classroom.play import games_played, play, run_to_play
from c4_referee.classroom.publish import publish
from c4_referee.classroom.runs import Run
from c4_referee.classroom.take_in import take_in
from c4_referee.report.texts import counted

Tell = Callable[[str, str, float], None]
"""Function that is called with the name of a step, a line about it, and its seconds."""


def take_steps(room: Classroom, submissions: Path | None, only: str | None, tell: Tell) -> None:
    """Do all steps of a run, or ``only`` one of them.

    Raises ``UsageError`` if the submissions or the settings are wrong, and ``KeyboardInterrupt``
    after Ctrl-C, with a text that says what was done. The next call continues.
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
    name = "take-in"
    try:
        for name, step in steps.items():
            if only in {None, name}:
                began = time.monotonic()
                line = step()
                tell(name, line, time.monotonic() - began)
    except KeyboardInterrupt:
        run = room.runs.open_one()
        games = f", {games_played(run, room.runs)}" if run and name == "play" else ""
        text = f"stopped in the step {name}{games}; all that was done is kept, and the same command"
        raise KeyboardInterrupt(f"{text} goes on from there") from None


def _play(room: Classroom, tell: Tell) -> str:
    graded = grade_new(room)
    words = f"; {counted(graded, 'bot')} graded" if graded else ""
    if stopped := room.runs.open_one():
        began = time.monotonic()
        tell("plan", f"the run that was stopped, with its versions: {stopped.plan}", 0.0)
        line = _play_run(room, stopped)
        tell("play", line, time.monotonic() - began)
    conditions = (room.register, room.bots, room.settings, room.runs)
    run = run_to_play(*conditions, sandboxed=room.sandboxed, finished=stopped)
    if run is None:
        return f"no games: fewer than two bots are ready{words}"
    if run is stopped:
        return f"no other run: nothing has changed since runs/{run.name} began{words}"
    tell("plan", run.plan, 0.0)
    return _play_run(room, run) + words


def _play_run(room: Classroom, run: Run) -> str:
    """Play a run, which shows the names that the site will show."""
    run.names = room.shown_names
    room.runs.save(run)
    return play(run, room.runs)
