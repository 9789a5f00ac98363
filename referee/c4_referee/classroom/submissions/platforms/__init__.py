"""Downloads of course platforms, one platform per module.

Each module has ``recognises(names, folder)``, which returns whether a folder with these names may
be a download of the platform, ``read(root)``, which returns the submissions in it, and
``grades_header``, the columns of the platform's file of grades. Names of folders end with a slash.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.submissions.handed import Download, Handed, visible_names
from c4_referee.classroom.submissions.platforms import (
    blackboard,
    brightspace,
    canvas,
    gradescope,
    moodle,
    plain,
    repositories,
)
from c4_referee.classroom.submissions.unpacking import (
    MAX_OUTER_FOLDERS,
    is_archive,
    stem_of,
    unpack,
)
from c4_referee.records.formats.cells import safe_cell

NAMED_PLATFORMS = (moodle, gradescope, blackboard, brightspace, canvas, repositories)
"""Platforms that give names of their own, in the order in which they are tried. ``plain`` reads all
other folders."""
PLATFORMS: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module for module in (*NAMED_PLATFORMS, plain)
}
POSSIBLE = "    Points Possible"
"""First cell of the row with the maximum points, as Canvas writes it."""
TITLES = {"canvas": "{}", "blackboard": "{}", "brightspace": "{} Points Grade"}
"""Titles of the column of grades on platforms on which it has the name of the assignment."""
OF_A_PLATFORM = re.compile(r".*(?:_\d{4,}|\d{4}[-_]\d\d[-_]\d\d|\(\w+\)).*", re.DOTALL)
"""Pattern of names that a program gives: with a long number, a date, or a user name."""
UNKNOWN = (
    "the names look like those of a platform that c4-referee does not know: each folder or file "
    "counts as a student. If that is wrong, make a folder for each student"
)


def read_download(source: Path, scratch: Path) -> Download:
    """Return the submissions in a download: an archive, or a folder that was unpacked already.

    An archive is unpacked into the new folder ``scratch``, and the submissions are there. Raises
    ``UsageError`` if there is no submission, and ``Refused`` if the archive cannot be unpacked.
    """
    root, notes = source, list[str]()
    if is_archive(source):
        root = scratch / stem_of(source.name)
        unpack(source, root, notes=notes)
    elif not source.is_dir():
        raise UsageError(f"{source} is no folder, and no zip or tar archive")
    download = _read_folder(root, is_unpacked=root != source)
    if not download.handed:
        raise UsageError(f"{source} holds no submission")
    handed = tuple(map(_with_texts, download.handed))
    strange = sum(OF_A_PLATFORM.fullmatch(one.name) is not None for one in handed)
    is_unknown = download.platform == "plain" and 2 * strange > len(handed) > 1
    remark, ignored = UNKNOWN if is_unknown else "", (*download.ignored, *notes)
    return replace(download, handed=handed, ignored=ignored, remark=remark)


def _with_texts(handed: Handed) -> Handed:
    """Return a submission whose names can be written. Those of files can be any bytes."""
    return replace(
        handed,
        key=_text(handed.key),
        name=_text(handed.name),
        columns={key: _text(value) for key, value in handed.columns.items()},
        returned=_text(handed.returned),
    )


def _text(name: str) -> str:
    return name.encode(errors="backslashreplace").decode()


def _read_folder(root: Path, *, is_unpacked: bool) -> Download:
    """Read a download in a folder, or in an inner folder if the outer ones hold nothing else."""
    folders = [root]
    for _ in range(MAX_OUTER_FOLDERS):
        names = visible_names(folders[-1])
        if len(names) == 1 and names[0].endswith("/"):
            folders.append(folders[-1] / names[0])
    for folder in folders:
        for platform in NAMED_PLATFORMS:
            if platform.recognises(visible_names(folder), folder.name):
                download: Download = platform.read(folder)
                return download
    return plain.read(folders[:2][-1] if is_unpacked else root)


def grades_rows(
    platform: str,
    rows: Sequence[tuple[Mapping[str, str], float | None, str]],
    assignment: str,
    max_points: float,
) -> list[list[str]]:
    """Return the rows of a platform's file of grades, with its header.

    ``rows`` has the ``columns`` of each student (``Handed``), the grade and a comment. No cell is a
    formula (``formats.cells``), so a plain ``csv.writer`` can write them.
    """
    header = PLATFORMS[platform].grades_header
    title = TITLES.get(platform, "Grade").format(assignment)
    top = [dict(zip(header, header, strict=True)) | {"Grade": title}]
    if platform == "canvas":
        top.append({"Student": POSSIBLE, "Grade": f"{max_points:g}"})
    shared = {"Maximum grade": f"{max_points:g}", "End-of-Line Indicator": "#"}
    cells = [
        {"Name": next(iter(columns.values()), ""), **shared, **columns}
        | {"Grade": "" if grade is None else f"{round(grade, 2):g}", "Feedback comments": comment}
        for columns, grade, comment in rows
        if grade is not None or platform != "canvas"  # its empty cell removes a grade
    ]
    return [[str(safe_cell(row.get(name, ""))) for name in header] for row in (*top, *cells)]
