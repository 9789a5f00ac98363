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
from c4_referee.classroom.open.state import State, read_state
from c4_referee.classroom.open.taking import Turns, take_turn
from c4_referee.classroom.play import staff_of
from c4_referee.classroom.publish import FEEDBACK, SITE, write_similar
from c4_referee.classroom.steps import Tell, take_steps
from c4_referee.classroom.submissions.start import failure_text

POLL_SECONDS = 0.5
"""Seconds between two looks into the inbox when there is nothing to do."""
RETRY_SECONDS = 10.0
"""Seconds until it is tried again after an error."""
PAUSE, MIN_PAUSE = 50.0, 30.0
"""Minimum pause between two comparisons of all hand-ins: in durations of the last one, and in
seconds."""


def prepare_open(room: Classroom, tell: Tell) -> None:
    """Make the students, their links and the inbox, before the server starts.

    Raises ``UsageError`` if there are no students, or if a file of the instructor is wrong.
    """
    staff_of(room.settings, [])
    if lines := enlist_class(room):
        tell("students", lines, 0.0)
    tell("links", f"{make_links(room)} new in links.csv", 0.0)
    inbox.prepare(room.folder)


class OpenClass:
    """An open class that runs. ``tell`` gets a line about each thing that was done."""

    def __init__(self, room: Classroom, tell: Tell) -> None:
        self._room, self._tell, self._folder = room, tell, room.folder
        self._ladder, self._links = Ladder(room), Links(room.folder)
        self._turns = Turns(room.folder)
        self._is_similar_old, self._next_comparison = True, 0.0
        self._is_unsure = True
        """Whether a version may have been taken in that was not checked."""

    def step(self) -> bool:
        """Do what is next, and return whether there was something.

        Raises ``ArenaError`` or ``OSError`` if that is not possible. It can be tried again.
        """
        seconds, is_unsure, self._is_unsure = 0.0, self._is_unsure, True  # until this step ends
        if is_unsure:
            compile_new(self._room, self._room.register.class_of.students)
            check_new(self._room)
        if self._links.has_changed():
            make_links(self._room)
        if self._turns.next_ones(before := read_state(self._folder).final):
            seconds = take_turn(self._room, self._turns, self._tell, before)
        self._compare(is_new=seconds > 0)
        state, has_work = read_state(self._folder), True
        if state.final:
            if not self._turns.next_ones(state.final):
                self._play_final(state)
        elif self._ladder.has_work and not state.paused:
            began = time.monotonic()
            line = self._ladder.play(seconds, self._turns.next_ones)
            self._tell("ladder", line, time.monotonic() - began)
        else:
            has_work = seconds > 0
        self._is_unsure = False
        return has_work

    def _compare(self, *, is_new: bool) -> None:
        """Write which hand-ins are nearly the same, if some are new, in a part of the time."""
        self._is_similar_old |= is_new
        began = time.monotonic()
        if self._is_similar_old and began >= self._next_comparison:
            try:
                write_similar(self._room)
                self._is_similar_old = False
            finally:
                ended = time.monotonic()
                self._next_comparison = ended + max(MIN_PAUSE, PAUSE * (ended - began))

    def _play_final(self, state: State) -> None:
        """Play a run of the versions that ``late`` lets play, and write the site and the feedback.

        If this is stopped, or raises ``OSError``, the next step goes on with it. Any other error is
        shown to the instructor, and ends this final.
        """
        try:
            if not state.is_played:
                compile_new(self._room)  # what bots have changed in their folders is undone
                check_new(self._room)
                take_steps(self._room, None, "play", self._tell)
                state.is_played = True
                state.save(self._folder)
            take_steps(self._room, None, "publish", self._tell)
            now = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
            state.published = f"{now}: {SITE}/ and {FEEDBACK}/ are written"
        except OSError:
            raise
        except Exception as error:  # the instructor reads it, and the ladder can go on
            is_known = isinstance(error, ArenaError)
            state.published = str(error) if is_known else failure_text(error)
            self._tell("final", state.published, 0.0)
        state.final, state.is_played, state.paused = "", False, True
        state.save(self._folder)


def run_open(room: Classroom, tell: Tell, is_served: Callable[[], bool]) -> NoReturn:
    """Take in and play for ever.

    Raises ``KeyboardInterrupt`` after Ctrl-C, and ``ArenaError`` if the server has ended.
    """
    make_environment(room.folder, room.settings, room.folder)
    running = OpenClass(room, tell)
    while True:
        if not is_served():
            raise ArenaError("the server has ended; nothing is lost: start the command again")
        try:
            pause = 0.0 if running.step() else POLL_SECONDS
        except (ArenaError, OSError) as error:  # such as a full disk: the server goes on
            pause = RETRY_SECONDS
            tell("waits", f"{pause:.0f} s: {error}", 0.0)
        time.sleep(pause)
