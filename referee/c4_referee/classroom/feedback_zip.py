"""The file with the feedback of all students, in the form that the platform takes back.

Moodle takes a folder for each student, with the name of the download, or files whose names begin as
in the download. So does Brightspace. Canvas takes a file for each student, with the name of the
download: an archive if the student handed in an archive, otherwise a text with the name of the
program, which begins with a comment that says so. Elsewhere there is a folder for each student.
"""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import chain
from pathlib import Path

from c4_referee.classroom.submissions.similar import COMMENTS
from c4_referee.report.site.writer import MARKER
from c4_referee.system.safe_files import read_file

MARKDOWN_FILE = "feedback.md"
"""Name of the feedback as a text in the folder of a student (``pages.feedback``)."""
NOT_A_PROGRAM = "This is the feedback to your submission, as a text. It is not your program."
File = tuple[str, bytes]
"""Path of a file in an archive, and its content."""


def feedback_zip(platform: str, folders: Mapping[str, Path]) -> bytes:
    """Return an archive with the folders of feedback, by the names that the platform knows.

    A folder that the platform does not know is left out. The same folders give the same bytes.
    """
    named = ((returned, folder) for returned, folder in sorted(folders.items()) if returned)
    return _zipped(chain.from_iterable(_files(platform, *each) for each in named))


def _files(platform: str, returned: str, folder: Path) -> Iterator[File]:
    """Generate what the platform takes back for a student."""
    if platform == "canvas" and returned.endswith(".zip"):
        yield returned, _zipped(_contents(folder))
    elif platform == "canvas":
        sign = COMMENTS.get(Path(returned).suffix.lower(), "//")[0]
        comment = f"{sign if sign in '#;' else '//'} {NOT_A_PROGRAM}\n\n"
        yield returned, comment.encode() + read_file(folder / MARKDOWN_FILE)
    elif returned.endswith("_file_") or platform == "brightspace":
        start = returned if returned.endswith(("_file_", " - ")) else f"{returned}/"
        yield f"{start}{MARKDOWN_FILE}", read_file(folder / MARKDOWN_FILE)
        yield f"{start}feedback.zip", _zipped(_contents(folder))
    else:
        for name, data in _contents(folder):
            yield f"{returned}/{name}", data


def _contents(folder: Path) -> Iterator[File]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != MARKER:
            yield str(path.relative_to(folder)), read_file(path)


def _zipped(files: Iterable[File]) -> bytes:
    """Return an archive of some files, which does not depend on the time."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files:
            member = zipfile.ZipInfo(name)
            member.external_attr = 0o644 << 16
            archive.writestr(member, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
