"""The server's view of an open class: the owner of each link, the steps of a hand-in, the feedback.

It only reads the class, and writes what was handed in into the inbox.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from c4_referee.classroom.accounts import account_of
from c4_referee.classroom.check_versions import may_play
from c4_referee.classroom.folder import FILES_OF_FEEDBACK, Classroom
from c4_referee.classroom.open import inbox
from c4_referee.classroom.open.ladder import LADDER, faults_of, placed_versions
from c4_referee.classroom.open.links import INSTRUCTOR, Links
from c4_referee.classroom.open.state import State, read_state
from c4_referee.classroom.open.taking import playable
from c4_referee.classroom.pages.feedback import feedback_variables
from c4_referee.classroom.play import MIN_BOTS
from c4_referee.classroom.publish import FEEDBACK, SIMILAR_FILE
from c4_referee.classroom.settings import ClassSettings
from c4_referee.classroom.students import Register, Student
from c4_referee.classroom.tables import scrubber
from c4_referee.report.site.environment import environment
from c4_referee.system.safe_files import read_regular

STEPS = ("Handed in", "Taken in", "Compiled", "Checked", "Placed on the ladder")


class ClassDesk:
    """The desk of a class, a ``serve.hand_in.Desk``."""

    def __init__(self, room: Classroom) -> None:
        self._folder, self._settings = room.folder, room.settings
        self._links, self._names = Links(room.folder), room.shown_names
        self._feedback, self._folders = room.folder / FEEDBACK, room.folder_names
        self.max_bytes = int(room.settings.hand_in_mb * 1_000_000)

    def bot_of(self, secret: str) -> str | None:
        """Return the alias of the bot to which a link belongs, or ``None``."""
        return self._links.bot_of(secret)

    def put(self, bot: str, files: Sequence[tuple[str, bytes]], fields: Mapping[str, str]) -> None:
        """Store what was handed in.

        Raises ``OSError`` if that is not possible, and ``ValueError`` if it is nothing.
        """
        now, again = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}", fields.get("again", "")
        hand_in = inbox.HandIn(alias=bot, time=now)
        if bot == INSTRUCTOR:
            try:
                paused, deadline = "paused" in fields, fields.get("deadline", "").strip()
                hand_in.state = State(
                    paused=paused,
                    deadline=deadline.replace("T", " "),
                    final=inbox.stamp() if "final" in fields else "",
                )
            except ValidationError:
                raise ValueError("Write the deadline as 2026-12-18 18:00") from None
            files = ()
        elif files:
            hand_in.names = tuple(name for name, _ in files)
        elif again.isascii() and again.isdecimal():
            hand_in.again = int(again)
        else:
            raise ValueError("Choose a file first")
        inbox.put(self._folder, hand_in, [data for _, data in files])

    def folder_of(self, bot: str) -> Path:
        """Return the folder with the feedback of a bot, or of all bots for the instructor."""
        return self._feedback / ("" if bot == INSTRUCTOR else self._folders[bot])

    def shown_name(self, bot: str) -> str:
        """Return the name of a bot on public pages."""
        return self._names.get(bot, bot)

    def page(self, bot: str, link: str, notice: str, standing: tuple[str, str]) -> str:
        """Return the page of a bot, or that of the instructor."""
        if bot == INSTRUCTOR:
            return self._class_page(link, notice)
        waits = any(alias == bot for _, alias in inbox.waiting(self._folder))  # before the register
        register = Register(self._folder)
        student = register.class_of.students[bot]
        placed = placed_versions(self._folder / LADDER).get(bot) == student.latest
        states = [*_states(student, self._settings, waits=waits, placed=placed)]
        is_judged = "now" not in states[:-1]
        student.told = 0  # the page speaks of the last hand-in, and not of the last run
        account = account_of(student, register, self._settings, ())
        if account.tone == "plays":  # nothing is to be mended, and the games are on other pages
            account = replace(account, todo=())
        if "now" not in states:
            account = replace(account, rank=standing[0])
        faults, version = [], student.playing_version
        if version:
            scrub = scrubber(register, student, version)
            found = faults_of(self._folder / LADDER, bot, student.playing)
            faults = [(game, scrub(text)) for game, text in found]
        playing = sum(each.playing > 0 for each in register.students) + len(self._settings.staff)
        has_rank = self._settings.site_games and not faults
        waits_for_rank = states[-1] == "done" and has_rank and not standing[0]
        template = environment().get_template("hand_in.html.jinja")
        return template.render(
            root="../",
            steps=zip(STEPS, states, strict=True) if student.versions or waits else (),
            waits=waits,
            is_busy="now" in states or waits_for_rank,
            is_judged=is_judged and student.versions,
            notice=notice,
            faults=faults,
            is_alone=states[-1] == "now" and playing < MIN_BOTS,
            feedback=f"{link}/" if (self.folder_of(bot) / "index.html").is_file() else "",
            games_page=standing[1],
            title=self._settings.name,
            deadline=read_state(self._folder).deadline,
            max_mb=self._settings.hand_in_mb,
            again=[number for number in playable(student) if number != student.latest],
            **feedback_variables(account),
        )

    def _class_page(self, link: str, notice: str) -> str:
        """Return the page of the instructor: who has handed in what, and why it does not play."""
        waiting = Counter(alias for _, alias in inbox.waiting(self._folder))
        register, placed = Register(self._folder), placed_versions(self._folder / LADDER)
        template = environment().get_template("open_class.html.jinja")
        similar = list[str]()
        with suppress(OSError):  # there is none yet
            similar = read_regular(self._folder / SIMILAR_FILE).decode().splitlines()
        return template.render(
            root="../",
            link=link,
            title=self._settings.name,
            notice=notice,
            state=self._wanted_state(),
            late=self._settings.late,
            tables=[name for name in FILES_OF_FEEDBACK if (self._feedback / name).is_file()],
            similar=similar,
            is_changing=waiting[INSTRUCTOR] > 0,
            students=register.by_name,
            folders=self._folders if self._feedback.is_dir() else {},
            waiting=waiting,
            placed=placed,
        )

    def _wanted_state(self) -> State:
        """Return what the instructor has decided last, also if it is still in the inbox."""
        state = read_state(self._folder)
        for path, alias in inbox.waiting(self._folder):
            if alias == INSTRUCTOR:
                with suppress(OSError, ValidationError):  # it is taken in now
                    state = state.changed_to(inbox.read_hand_in(path).state or state)
        return state


def _states(
    student: Student, settings: ClassSettings, *, waits: bool, placed: bool
) -> Iterator[str]:
    """Generate the states of ``STEPS``: "done", "now", "failed", or "" for what comes later."""
    version = student.version
    yield "done" if version or waits else ""
    if waits or version is None:
        yield from ("now" if waits else "", "", "", "")
        return
    compiled = version.compiled
    if version.refused:
        yield from ("failed", "", "", "")
    elif version.is_ready:
        yield from ("done", "done", "done")
        yield "done" if placed else "now" if may_play(version, settings) else "failed"
    elif compiled and compiled.passed:
        yield from ("done", "done", "failed" if version.checked or version.reason else "now", "")
    else:
        yield from ("done", "failed" if version.reason else "now", "", "")
