"""The first step of a run: submissions of a download are unpacked, and become versions."""

import shutil
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from c4_protocol.program.errors import UsageError

from c4_referee.bots.bot_folder import folder_digest
from c4_referee.classroom.folder import Classroom
from c4_referee.classroom.students import Register, Student, Version
from c4_referee.classroom.submissions.handed import Download, Handed
from c4_referee.classroom.submissions.platforms import read_download
from c4_referee.classroom.submissions.start import failure_text
from c4_referee.classroom.submissions.tree import Refused, is_fault_of_this_machine
from c4_referee.classroom.submissions.unpacking import gather
from c4_referee.classroom.who import LIST_FILE, enlist, read_list
from c4_referee.report.terminal.bar import Bar
from c4_referee.report.texts import counted

MOST_SHOWN = 10
"""Maximum number of things in a download that are listed because they are no submission."""
DIGEST_LENGTH = 12
"""Number of hexadecimal digits of a version's digest, which differ for one student's versions."""


def take_in(room: Classroom, source: Path | None) -> str:
    """Take in a download, if there is one, and return a line for people.

    Raises ``UsageError`` if the download cannot be read, or holds the class itself, or if the disk
    is full.
    """
    if source is None:
        return ""
    listed, register, home = read_list(room.folder / LIST_FILE), room.register, source.resolve()
    if room.folder.resolve().is_relative_to(home) or home.is_relative_to(register.folder.resolve()):
        raise UsageError(f"{home} holds the class itself: put the submissions in another folder")
    with (
        Bar("taking in") as bar,
        TemporaryDirectory(prefix=".download-", dir=register.folder) as scratch,
    ):
        download = read_download(source, Path(scratch) / "download")
        enlisted, lines = enlist(register.class_of, download, listed, room.settings.staff.keys())
        register.save()
        for number, (handed, student) in enumerate(enlisted):
            bar.move(number, len(enlisted))
            take_one(handed, student, register, Path(scratch) / "new")
            register.save()
    return _summary(download, register, lines)


def take_one(handed: Handed, student: Student, register: Register, scratch: Path) -> None:
    """Unpack a submission, and make it the latest version of its student."""
    found = _unpacked(handed, scratch)
    known = [version.digest for version in student.versions]
    if found.digest not in known:
        student.versions.append(found)
    student.latest = [*known, found.digest].index(found.digest) + 1
    version = student.versions[student.latest - 1]
    version.late, version.handed_in = handed.late, handed.time or version.handed_in
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
        if is_fault_of_this_machine(error):
            raise UsageError(f"cannot write {scratch}: {error.strerror}") from None
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


def _summary(download: Download, register: Register, lines: Sequence[str]) -> str:
    """Return a line for people, lines on who is who, and one for each thing that was left out."""
    states = Counter(map(_state, register.students))
    parts = [f"{number} {state}" for state, number in states.most_common()]
    handed = counted(len(download.handed), "submission")
    told = [f"{handed} ({download.platform}): {', '.join(parts)}", *lines]
    told += [download.remark] if download.remark else []
    told += [f"left out: {line}" for line in download.ignored[:MOST_SHOWN]]
    if more := len(download.ignored[MOST_SHOWN:]):
        told.append(f"left out: {more} more things")
    return "\n         ".join(told)


def _state(student: Student) -> str:
    """Return what a download has of a student, in a word."""
    version = student.version
    if version is None or not student.is_here:
        return "missing"
    if version.refused:
        return "refused"
    return "new" if student.latest != student.told else "unchanged"
