"""The first step of a run: submissions of a download are unpacked, and become versions."""

import csv
import shutil
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from c4_protocol.program.errors import UsageError

from c4_referee.bots.bot_folder import folder_digest
from c4_referee.classroom.aliases import new_alias
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.submissions.handed import Download, Handed
from c4_referee.classroom.submissions.platforms import read_download
from c4_referee.classroom.submissions.start import failure_text
from c4_referee.classroom.submissions.tree import Refused
from c4_referee.classroom.submissions.unpacking import gather
from c4_referee.report.terminal.bar import Bar
from c4_referee.report.texts import counted
from c4_referee.system.safe_files import read_file

NAMES_FILE = "students.csv"
"""Name of the optional file with a folder and a name on each line."""
MAX_NAMES_BYTES = 16 << 20
"""Maximum size of this file, in bytes."""
MOST_SHOWN = 10
"""Maximum number of things in a download that are listed because they are no submission."""
DIGEST_LENGTH = 12
"""Number of hexadecimal digits of a version's digest, which differ for one student's versions."""


def take_in(room: Classroom, source: Path | None) -> str:
    """Take in a download, if there is one, and return a line for people.

    Raises ``UsageError`` if the download cannot be read, or holds the class itself.
    """
    if source is None:
        return ""
    names, register, home = read_names(room.folder / NAMES_FILE), room.register, source.resolve()
    if room.folder.resolve().is_relative_to(home) or home.is_relative_to(register.folder.resolve()):
        raise UsageError(f"{home} holds the class itself: put the submissions in another folder")
    with (
        Bar("taking in") as bar,
        TemporaryDirectory(prefix=".download-", dir=register.folder) as scratch,
    ):
        download = read_download(source, Path(scratch) / "download")
        _enlist(room, download, names)
        for number, handed in enumerate(download.handed):
            bar.move(number, len(download.handed))
            _take(handed, register, Path(scratch) / "new")
            register.save()
    return _summary(download, register)


def read_names(path: Path) -> dict[str, str]:
    """Return the names of students by their folders, from ``students.csv`` if there is one.

    A first line with the words ``folder`` and ``name`` is a heading.
    """
    if not path.exists():
        return {}
    try:
        text = StringIO(read_file(path, MAX_NAMES_BYTES).decode("utf-8-sig"), newline="")
        rows = [[cell.strip() for cell in row] for row in csv.reader(text) if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"cannot read {path}: {error}") from None
    for number, row in enumerate(rows, 1):
        if len(row) < 2 or not all(row[:2]):
            raise UsageError(f"{path}, row {number}: write a folder, a comma and a name")
    heading = ["folder", "name"]
    return {row[0]: row[1] for row in rows if [*map(str.lower, row[:2])] != heading}


def _enlist(room: Classroom, download: Download, names: Mapping[str, str]) -> None:
    """Enter new students, and note who is in the download."""
    roll = room.register.class_of
    roll.platform = download.platform
    handed = {each.key: each for each in download.handed}
    keys = {each.returned: each.key for each in download.handed}
    unknown = "folder" if download.platform in {"plain", "repositories"} else download.platform
    wanted = {keys.get(folder, f"{unknown}:{folder}"): name for folder, name in names.items()}
    for key in [*wanted, *handed]:
        if key not in roll.students:
            taken = {*room.settings.staff, *(each.alias for each in roll.students.values())}
            roll.students[key] = Student(key=key, name=key, alias=new_alias(taken))
    for key, student in roll.students.items():
        student.is_here = key in handed
        if key in handed:
            student.name = handed[key].name
            student.columns, student.returned = dict(handed[key].columns), handed[key].returned
        student.name = wanted.get(key, student.name)
    room.register.save()


def _take(handed: Handed, register: Register, scratch: Path) -> None:
    """Unpack a submission, and make it the latest version of its student."""
    student, found = register.class_of.students[handed.key], _unpacked(handed, scratch)
    known = [version.digest for version in student.versions]
    if found.digest not in known:
        student.versions.append(found)
    student.latest = [*known, found.digest].index(found.digest) + 1
    version = student.versions[student.latest - 1]
    version.late = handed.late
    files = register.place(student, version) / "files"
    if not files.exists():
        files.parent.mkdir(parents=True, exist_ok=True)
        scratch.rename(files)


def _unpacked(handed: Handed, scratch: Path) -> Version:
    """Unpack a submission into a new folder, which stays empty if the submission is refused."""
    shutil.rmtree(scratch, ignore_errors=True)
    refusal = ""
    try:
        gather(handed.parts, scratch)
        digest = folder_digest(scratch)
    except Exception as error:
        refusal = str(error) if isinstance(error, Refused) else failure_text(error)
        digest = _digest_of_refused(handed, refusal)
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
    now = f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
    digest = digest[:DIGEST_LENGTH]
    return Version(digest=digest, handed_in=now, refused=bool(refusal), reason=refusal)


def _digest_of_refused(handed: Handed, reason: str) -> str:
    """Return a digest of a submission that was not unpacked."""
    digest = sha256(reason.encode())
    for part in handed.parts:
        digest.update(part.name.encode(errors="surrogateescape"))
        if part.source.is_file() and not part.source.is_symlink():
            digest.update(str(part.source.stat().st_size).encode())
    return digest.hexdigest()


def _summary(download: Download, register: Register) -> str:
    """Return a line for people, and a line for each thing that was left out."""
    states = Counter(map(_state, register.students))
    parts = [f"{number} {state}" for state, number in states.most_common()]
    handed = counted(len(download.handed), "submission")
    lines = [f"{handed} ({download.platform}): {', '.join(parts)}", *download.ignored[:MOST_SHOWN]]
    if more := len(download.ignored[MOST_SHOWN:]):
        lines.append(f"{more} more were left out")
    return "\n         left out: ".join(lines)


def _state(student: Student) -> str:
    """Return what a download has of a student, in a word."""
    version = student.version
    if version is None or not student.is_here:
        return "missing"
    if version.refused:
        return "refused"
    return "new" if student.latest != student.told else "unchanged"
