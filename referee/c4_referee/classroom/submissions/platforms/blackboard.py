"""Downloads of the files of an assignment in Blackboard.

All files are in one folder: ``Bot_jdoe3_attempt_2026-11-23-18-00-00_bot.py``, with the title, the
user name and the local time. A text for each attempt has the same name without a file
(``..._18-00-00.txt``). Its first line has the full name and the user name, in any language:
``Name: John Doe (jdoe3)``. Titles and user names may hold ``_``, so only the text says where the
user name begins. The last attempt with a file counts.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names
from c4_referee.system.safe_files import read_start

PATTERN = re.compile(
    r"(?P<start>.+?)_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+[^/])|\.txt)", re.DOTALL
)
FIRST_LINE = re.compile(r"[^:\uff1a]*[:\uff1a]\s*(?P<name>.*?)\s*\((?P<user>[^()]+)\)\s*")
MAX_LINE_BYTES = 4096

grades_header = ("Last Name", "First Name", "Username", "Grade")
"""Columns that the Grade Center takes back. More columns would become new ones there."""


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether at least half of the names are ones that Blackboard gives."""
    return 0 < len(names) <= 2 * sum(bool(PATTERN.fullmatch(name)) for name in names)


def read(root: Path) -> Download:
    """Return the submissions in a folder. All files of an attempt are one submission."""
    found = [(name, PATTERN.fullmatch(name)) for name in visible_names(root)]
    files = [match for _, match in found if match]
    ignored = [f"{name} is no file of a student" for name, match in found if not match]
    people = dict(_people(root, [match for match in files if not match["file"]]))
    titles = [start.removesuffix(f"_{user}") for start, (_, user) in people.items()]
    attempts = defaultdict[str, list[re.Match[str]]](list)
    for match in files:
        if match["start"] not in people:  # no text says who it is
            known = (title for title in titles if match["start"].startswith(f"{title}_"))
            title = max(known, key=len, default=match["start"].rpartition("_")[0])
            user = match["start"].removeprefix(title).removeprefix("_")
            people[match["start"]] = (user, user)
        if match["file"]:
            attempts[people[match["start"]][1]].append(match)
    handed = []
    for user, all_files in sorted(attempts.items()):
        last = max(match["time"] for match in all_files)
        parts = [Part(root / it[0], it["file"]) for it in all_files if it["time"] == last]
        ignored += [f"{it[0]} is of an earlier attempt" for it in all_files if it["time"] != last]
        name = people[all_files[0]["start"]][0]
        time = re.sub(r"(.+)-(\d\d)-(\d\d)-\d\d", r"\1 \2:\3", last)
        columns = {"Username": user}
        key = f"blackboard:{user}"
        handed.append(Handed(key, name, tuple(parts), columns=columns, time=time))
    return Download("blackboard", tuple(handed), tuple(ignored))


def _people(root: Path, texts: Sequence[re.Match[str]]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Generate beginnings of names, each with the full name and the user name in its text."""
    for text in texts:
        lines = read_start(root / text[0], MAX_LINE_BYTES).decode("utf-8-sig", errors="replace")
        match = FIRST_LINE.fullmatch(lines.strip().partition("\n")[0])
        if match and text["start"].endswith(f"_{match['user']}"):
            yield text["start"], (match["name"] or match["user"], match["user"])
