"""The loop of an open class: what was handed in is taken in, and then the ladder goes on.

A slice of games is at least as long as the turn of take-in before it, so neither starves.
"""

import time
from collections.abc import Callable
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
from c4_referee.classroom.steps import Tell

POLL_SECONDS = 0.5
"""Seconds between two looks into the inbox when there is nothing to do."""


def prepare_open(room: Classroom, tell: Tell) -> None:
    """Make the students, their links and the inbox, before the server starts.

    Raises ``UsageError`` if there are no students, or if a file of the instructor is wrong.
    """
    if lines := enlist_class(room):
        tell("students", lines, 0.0)
    tell("links", f"{make_links(room)} new in links.csv", 0.0)
    inbox.prepare(room.folder)


def run_open(room: Classroom, tell: Tell, is_served: Callable[[], bool]) -> NoReturn:
    """Take in and play for ever.

    Raises ``KeyboardInterrupt`` after Ctrl-C, and ``ArenaError`` if the server has ended.
    """
    make_environment(room.folder, room.settings, room.folder)
    compile_new(room)
    check_new(room)
    ladder, turns, links = Ladder(room), Turns(room.folder), Links(room.folder)
    while True:
        if not is_served():
            raise ArenaError("the server has ended; nothing is lost: start the command again")
        seconds = 0.0
        if links.has_changed():
            make_links(room)
        if turns.next_ones():
            seconds = take_turn(room, turns, tell)
        if ladder.has_work and not read_state(room.folder).paused:
            began = time.monotonic()
            line = ladder.play(seconds, turns.next_ones)
            tell("ladder", line, time.monotonic() - began)
        elif not seconds:
            time.sleep(POLL_SECONDS)
