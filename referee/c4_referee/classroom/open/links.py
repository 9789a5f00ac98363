"""Links with which students hand in: ``links.csv``, one row for each bot of a student or a group.

A link is a secret of 128 bits: who has it, hands in for this bot. The instructor sends the links.
One that was forwarded is removed from its row, and a new one is made.
"""

import csv
import os
import re
from collections import Counter
from hashlib import sha256
from io import StringIO
from pathlib import Path
from secrets import token_urlsafe

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.csv_files import read_csv
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.submissions.handed import Download, Handed
from c4_referee.classroom.who import LIST_FILE, enlist, read_list
from c4_referee.contest.live.follow import state_of_file
from c4_referee.records.formats.cells import safe_cell
from c4_referee.system.safe_files import replace_file

LINKS_FILE = "links.csv"
HEADINGS = ("name", "bot", "link")
INSTRUCTOR = "instructor"
"""The bot of the instructor's own link, which no student has: it leads to the page of the class."""
PREFIX = "hand-in/"
"""Beginning of a link, after the address of the server."""
SECRET_BYTES = 16
SECRET = re.compile(rf"{PREFIX}([\w-]{{22}})", re.ASCII)
"""Pattern of a link with ``SECRET_BYTES`` bytes in base64."""


def enlist_class(room: Classroom) -> str:
    """Make a bot for each student of the list, and return lines for the instructor.

    Students with the same ``folder`` are a group. Raises ``UsageError`` if there is nobody.
    """
    register, listed = room.register, read_list(room.folder / LIST_FILE)
    folders = Counter(person.folder for person in listed if person.folder)
    groups = [Handed(f"folder:{name}", name, ()) for name in folders if folders[name] > 1]
    download = Download(register.class_of.platform, tuple(groups))
    _, lines = enlist(register.class_of, download, listed, room.settings.staff.keys())
    for student in register.students:
        student.is_here = bool(student.versions)
    if not register.students:
        path = room.folder / LIST_FILE
        raise UsageError(f"write the list of the class into {path}: see docs/class.md")
    register.save()
    return "\n         ".join(lines)


def make_links(room: Classroom) -> int:
    """Make the links that are missing, and return their number. Only the user can read the file.

    Rows of bots that do not exist are removed.
    """
    path, known = room.folder / LINKS_FILE, _links_of(room.folder / LINKS_FILE)
    names = {INSTRUCTOR: "the instructor: the page of the class"}
    names |= {each.alias: each.name for each in room.register.by_name}
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    for alias, name in names.items():
        secret = known.get(alias) or token_urlsafe(SECRET_BYTES)
        writer.writerow([safe_cell(name), alias, f"{PREFIX}{secret}"])
    mask = os.umask(0o077)
    try:
        replace_file(path, text.getvalue().encode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    finally:
        os.umask(mask)
    return len(names.keys() - known.keys())


def _links_of(path: Path) -> dict[str, str]:
    """Return the secret of each bot in ``links.csv``. Rows with another link have none.

    A secret that two rows have counts for none of them.
    """
    rows = read_csv(path)[0] if path.exists() else []
    found = [
        (row[1], match[1]) for row in rows if len(row) > 2 and (match := SECRET.search(row[2]))
    ]
    counts = Counter(secret for _, secret in found)
    return {alias: secret for alias, secret in found if counts[secret] == 1}


class Links:
    """The links of a class, read again when their file has changed.

    Only their digests are kept and compared, so the time of an answer says nothing about a link.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LINKS_FILE
        self._state: object = None
        self._bots: dict[bytes, str] = {}

    def has_changed(self) -> bool:
        """Read the file if it has changed, and return whether it has."""
        state = state_of_file(self._path)
        if state == self._state:
            return False
        links = _links_of(self._path)
        self._bots = {sha256(link.encode()).digest(): alias for alias, link in links.items()}
        self._state = state
        return True

    def bot_of(self, secret: str) -> str | None:
        """Return the alias of the bot to which a link belongs, or ``None``."""
        self.has_changed()
        return self._bots.get(sha256(secret.encode(errors="replace")).digest())
