"""The loop of an open class: what was handed in is taken in, and then the ladder goes on.

A slice of games is at least as long as the turn of take-in before it, so neither starves.
"""

import time
from collections.abc import Callable
from datetime import datetime
from typing import NoReturn

from c4_protocol.program.errors import ArenaError

from c4_referee.classroom.check_versions import check_new
from c4_referee.classroom.compile_versions import compile_new
from c4_referee.classroom.environment import make_environment
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.ladder import Ladder
from c4_referee.classroom.open.links import Links, enlist_class, make_links
from c4_referee.classroom.open.state import read_state
from c4_referee.classroom.open.taking import Turns, take_turn
from c4_referee.classroom.publish import FEEDBACK, SITE, write_similar
from c4_referee.classroom.steps import Tell, take_steps

POLL_SECONDS = 0.5
"""Seconds between two looks into the inbox when there is nothing to do."""
PAUSE = 50.0
"""Minimum pause between two comparisons of all hand-ins, in durations of the last one."""


def prepare_open(room: Classroom, tell: Tell) -> None:
    """Make the students, their links and the inbox, before the server starts.

    Raises ``UsageError`` if there are no students, or if a file of the instructor is wrong.
    """
    if lines := enlist_class(room):
        tell("students", lines, 0.0)
    tell("links", f"{make_links(room)} new in links.csv", 0.0)
    inbox.prepare(room.folder)


def play_final(room: Classroom, tell: Tell) -> None:
    """Play a run of the versions that ``late`` lets play, and write the site and the feedback.

    If this is stopped, the next start goes on with it.
    """
    try:
        for step in ("play", "publish"):
            take_steps(room, None, step, tell)
        published = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}: {SITE}/ and {FEEDBACK}/"
    except ArenaError as error:
        tell("final", published := str(error), 0.0)
    state = read_state(room.folder)
    state.model_copy(update={"final": False, "paused": True, "published": published}).save(
        room.folder
    )


class _Comparison:
    """Writes which hand-ins are nearly the same. This takes a small part of the time."""

    def __init__(self, room: Classroom) -> None:
        self._room, self._is_old, self._next = room, True, 0.0

    def write(self, *, is_new: bool) -> None:
        """Write it if there were new hand-ins since the last time, after a pause."""
        self._is_old |= is_new
        began = time.monotonic()
        if self._is_old and began >= self._next:
            write_similar(self._room)
            ended, self._is_old = time.monotonic(), False
            self._next = ended + PAUSE * (ended - began)


def run_open(room: Classroom, tell: Tell, is_served: Callable[[], bool]) -> NoReturn:
    """Take in and play for ever.

    Raises ``KeyboardInterrupt`` after Ctrl-C, and ``ArenaError`` if the server has ended.
    """
    make_environment(room.folder, room.settings, room.folder)
    compile_new(room)
    check_new(room)
    ladder, turns, links = Ladder(room), Turns(room.folder), Links(room.folder)
    comparison = _Comparison(room)
    while True:
        if not is_served():
            raise ArenaError("the server has ended; nothing is lost: start the command again")
        seconds = 0.0
        if links.has_changed():
            make_links(room)
        if turns.next_ones():
            seconds = take_turn(room, turns, tell)
        comparison.write(is_new=seconds > 0)
        state = read_state(room.folder)
        if state.final and not turns.next_ones():
            play_final(room, tell)
        elif ladder.has_work and not (state.paused or state.final):
            began = time.monotonic()
            line = ladder.play(seconds, turns.next_ones)
            tell("ladder", line, time.monotonic() - began)
        elif not seconds:
            time.sleep(POLL_SECONDS)
