"""Exports of submissions to an assignment in Gradescope.

Each submission has a folder ``submission_123``. ``submission_metadata.yml`` says by these names who
handed it in. Its keys begin with a colon, because a program in Ruby writes it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from c4_protocol.program.errors import UsageError

from c4_referee.classroom.submissions.handed import Download, Handed, Part, visible_names
from c4_referee.system.safe_files import read_file

METADATA = "submission_metadata.yml"

grades_header = ("Name", "SID", "Email", "Submission ID", "Grade", "Feedback comments")


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether there is a file that says who handed in what."""
    return METADATA in names


def read(root: Path) -> Download:
    """Return the submissions in a folder. Raises ``UsageError`` if it cannot be read."""
    records = _records(root / METADATA)
    students: dict[str, Handed] = {}
    ignored = []
    for name in visible_names(root):
        handed = _handed(root / name, records.get(name.rstrip("/")))
        if name.rstrip("/") in records and handed.key not in students:
            students[handed.key] = handed
        elif name != METADATA:
            ignored.append(f"{name} is no submission, or one more of the same student")
    return Download("gradescope", tuple(students[key] for key in sorted(students)), tuple(ignored))


def _records(path: Path) -> Mapping[object, Any]:
    """Return what the file says of each submission."""
    try:
        content = yaml.safe_load(read_file(path))
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"{METADATA} cannot be read: {' '.join(str(error).split())}") from error
    return content if isinstance(content, dict) else {}


def _handed(folder: Path, record: Any) -> Handed:  # noqa: ANN401 - any value of YAML
    """Return a submission. The number in its name changes whenever a student submits again."""
    people = record.get(":submitters") if isinstance(record, dict) else None
    people = [one for one in people or () if isinstance(one, dict)]
    keys = (":name", ":sid", ":email")
    names, sids, emails = ([str(one[key]) for one in people if one.get(key)] for key in keys)
    key = ",".join(sorted(emails or sids)) or folder.name
    columns = {"Name": ", ".join(names), "SID": ", ".join(sids), "Email": ", ".join(emails)}
    columns["Submission ID"] = folder.name.removeprefix("submission_")
    return Handed(f"gradescope:{key}", columns["Name"] or key, (Part(folder),), columns=columns)
