"""Downloads of course platforms, one platform per module.

Each module has ``recognises(names, folder)``, which returns whether a folder with these names may
be a download of the platform, ``read(root)``, which returns the submissions in it, and
``grades_header``, the columns of the platform's file of grades. Names of folders end with a slash.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from c4_protocol.program.errors import UsageError

from c4_referee.classroom.submissions.handed import Download, Handed, visible_names
from c4_referee.classroom.submissions.platforms import (
    canvas,
    gradescope,
    moodle,
    plain,
    repositories,
)
from c4_referee.classroom.submissions.unpacking import DOWNLOAD_LIMITS, is_archive, stem_of, unpack
from c4_referee.records.formats.cells import safe_cell

NAMED_PLATFORMS = (moodle, gradescope, canvas, repositories)
"""Platforms that give names of their own, in the order in which they are tried. ``plain`` reads all
other folders."""
PLATFORMS: dict[str, ModuleType] = {
    module.__name__.rpartition(".")[2]: module for module in (*NAMED_PLATFORMS, plain)
}
POSSIBLE = "    Points Possible"
"""First cell of the row with the maximum points, as Canvas writes it."""
MAX_OUTER_FOLDERS = 3
"""Maximum number of folders around a download: its own one, and others if it was packed again."""


def read_download(source: Path, scratch: Path) -> Download:
    """Return the submissions in a download: an archive, or a folder that was unpacked already.

    An archive is unpacked into the new folder ``scratch``, and the submissions are there. Raises
    ``UsageError`` if there is no submission, and ``Refused`` if the archive cannot be unpacked.
    """
    root, notes = source, list[str]()
    if is_archive(source):
        root = scratch / stem_of(source.name)
        unpack(source, root, DOWNLOAD_LIMITS, notes)
    elif not source.is_dir():
        raise UsageError(f"{source} is no folder, and no zip or tar archive")
    download = _read_folder(root, is_unpacked=root != source)
    if not download.handed:
        raise UsageError(f"{source} holds no submission")
    handed = tuple(map(_with_texts, download.handed))
    return replace(download, handed=handed, ignored=(*download.ignored, *notes))


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
    top = [dict(zip(header, header, strict=True))]
    if platform == "canvas":
        header = (*header, "Grade")
        top = [top[0] | {"Grade": assignment}, {"Student": POSSIBLE, "Grade": f"{max_points:g}"}]
    shared = {"Maximum grade": f"{max_points:g}"}
    cells = [
        {"Name": next(iter(columns.values()), ""), **shared, **columns}
        | {"Grade": "" if grade is None else f"{round(grade, 2):g}", "Feedback comments": comment}
        for columns, grade, comment in rows
        if grade is not None or platform != "canvas"  # its empty cell removes a grade
    ]
    return [[str(safe_cell(row.get(name, ""))) for name in header] for row in (*top, *cells)]
