"""Downloads of an assignment in Brightspace.

Each attempt has a folder ``12345-678910 - Jane Doe - Nov 23, 2026 600 PM``, or files whose names
begin with this and `` - ``. The first number is that of the student, the second one that of the
assignment. The time is local, without a colon. The last attempt counts. ``index.html`` lists all.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names

PATTERN = re.compile(
    r"(?P<start>(?P<number>\d+)-\d+ - (?P<name>.+?) - "
    r"(?P<day>(?:(?! - ).)*\d),? (?P<clock>\d{3,4})(?: (?P<half>[APap])\.?[Mm]\.?)?)"
    r"(?: - (?P<file>.+))?",
    re.DOTALL,
)
DAYS = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%Y-%m-%d")
"""Forms of dates, with the English names of months."""
INDEX = "index.html"

grades_header = ("OrgDefinedId", "Username", "Grade", "End-of-Line Indicator")


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether at least half of the names are ones that Brightspace gives."""
    return 0 < len(names) <= 2 * sum(bool(PATTERN.fullmatch(name.rstrip("/"))) for name in names)


def read(root: Path) -> Download:
    """Return the submissions in a folder."""
    attempts = defaultdict[str, dict[str, list[re.Match[str]]]](dict)
    ignored = []
    for name in visible_names(root):
        if match := PATTERN.fullmatch(name.rstrip("/")):
            attempts[match["number"]].setdefault(match["start"], []).append(match)
        elif name != INDEX:
            ignored.append(f"{name} holds no files of a student")
    handed = []
    for number, starts in sorted(attempts.items()):
        *earlier, last = sorted(starts, key=lambda start: (_time(starts[start][0]), start))
        ignored += [f"{start} is an earlier attempt" for start in earlier]
        files, time = starts[last], _time(starts[last][0])
        parts = tuple(Part(root / file[0], file["file"] or "") for file in files)
        returned = f"{last} - " if files[0]["file"] else last
        key, name = f"brightspace:{number}", files[0]["name"]
        handed.append(Handed(key, name, parts, returned=returned, time=time))
    return Download("brightspace", tuple(handed), tuple(ignored))


def _time(match: re.Match[str]) -> str:
    """Return the time in a name, or "" if its date is written in another language."""
    half = f"{match['half']}m" if match["half"] else ""
    for day in DAYS:
        with suppress(ValueError):
            form = f"{day} {'%I%M%p' if half else '%H%M'}"
            text = f"{match['day']} {match['clock'].zfill(4)}{half}"
            return f"{datetime.strptime(text, form):%Y-%m-%d %H:%M}"
    return ""
