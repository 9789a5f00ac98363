"""Records that the pages of a class show besides games: standings, and accounts of submissions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from c4_referee.classroom.grading.points import Grade

Tone = Literal["plays", "earlier", "not"]
"""Which version of a student plays: the latest, an earlier one, or none."""


@dataclass(frozen=True)
class Row:
    """A bot in the standings of a run.

    ``name`` is the name that the site shows, and ``version`` counts the versions of a submission
    from 1; it is ``None`` for a bot of the staff. ``los`` is the likelihood that the bot is
    stronger than the next one. ``page`` is the number of its page in the site of the run. What is
    not known is ``None``.
    """

    name: str
    version: int | None
    rank: int
    points: float
    games: int
    rating: float | None = None
    low: float | None = None
    high: float | None = None
    los: float | None = None
    gave_up: bool = False
    page: int | None = None


@dataclass(frozen=True)
class Account:
    """Account of a submission for its student, without the games.

    ``bot`` is the alias. ``happened`` says in one or two sentences what happened since the last
    submission, ``tone`` what plays, ``todo`` what to do next, and ``notes`` what else to know.
    ``rank`` is that in the last run, such as "7th of 28, 12th with version 2", or "".
    ``version`` is the version that was handed in last, and ``playing`` the one that plays.
    ``command`` starts it, and ``because`` says what decided that. ``messages`` are those of the
    compiler. ``check`` is the report of the check as JSON (``check.checker.CheckReport``). Texts
    hold no path of this machine (``scrub.py``).
    """

    bot: str
    happened: str
    tone: Tone
    todo: tuple[str, ...] = ()
    version: int | None = None
    playing: int | None = None
    handed_in: str = ""
    late: bool = False
    language: str = ""
    command: str = ""
    because: str = ""
    messages: str = ""
    check: Mapping[str, Any] | None = None
    grade: Grade | None = None
    notes: tuple[str, ...] = ()
    rank: str = ""
