"""The file with the feedback of all students, in the form that the platform takes back.

Moodle takes a folder for each student, with the name of the download, or files whose names begin as
in the download. Canvas takes a file for each student, with the name of the download: an archive if
the student handed in an archive, otherwise a text. Elsewhere there is a folder for each student.
"""

import zipfile
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path

from c4_referee.site.writer import MARKER

MARKDOWN_FILE = "feedback.md"
"""Name of the feedback as a text in the folder of a student (``pages.feedback``)."""


def feedback_zip(platform: str, folders: Mapping[str, Path]) -> bytes:
    """Return an archive with the folders of feedback, by the names that the platform knows.

    Folders without such a name are left out. The same content gives the same bytes.
    """
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for returned, folder in sorted(folders.items()):
            for name, data in _files(platform, returned, folder) if returned else ():
                archive.writestr(_member(name), data)
    return packed.getvalue()


def _files(platform: str, returned: str, folder: Path) -> Iterator[tuple[str, bytes]]:
    if platform == "canvas":
        is_archive = returned.endswith(".zip")
        yield returned, _zipped(folder) if is_archive else (folder / MARKDOWN_FILE).read_bytes()
    elif returned.endswith("_file_"):
        yield f"{returned}{MARKDOWN_FILE}", (folder / MARKDOWN_FILE).read_bytes()
        yield f"{returned}feedback.zip", _zipped(folder)
    else:
        for name, data in _contents(folder):
            yield f"{returned}/{name}", data


def _contents(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != MARKER:
            yield str(path.relative_to(folder)), path.read_bytes()


def _zipped(folder: Path) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _contents(folder):
            archive.writestr(_member(name), data)
    return packed.getvalue()


def _member(name: str) -> zipfile.ZipInfo:
    """Return a member of an archive that does not depend on the time."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o644 << 16
    return member
