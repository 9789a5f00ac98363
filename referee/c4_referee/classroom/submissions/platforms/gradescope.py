"""Exports of submissions to an assignment in Gradescope.

Each submission has a folder ``submission_123``. ``submission_metadata.yml`` says by these names who
handed it in. Its keys begin with a colon, because a program in Ruby writes it.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from c4_protocol.program.errors import UsageError

from c4_referee.classroom.submissions.handed import (
    Download,
    Handed,
    Part,
    person_of,
    visible_names,
)
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
    record = record if isinstance(record, dict) else {}
    number, people = folder.name.removeprefix("submission_"), []
    for one in record.get(":submitters") or ():
        if isinstance(one, dict):
            titles = {"Name": ":name", "SID": ":sid", "Email": ":email"}
            cells = {title: str(one.get(key) or "") for title, key in titles.items()}
            who = cells["Email"] or cells["SID"]
            cells["Submission ID"] = number
            if who:
                people.append(person_of(cells, f"gradescope:{who}", cells["Name"] or who))
    key = ",".join(sorted(person.key.partition(":")[2] for person in people)) or folder.name
    name, time = ", ".join(person.name for person in people) or key, record.get(":created_at")
    if isinstance(time, datetime):  # without a zone, it is UTC
        time = time if time.tzinfo else time.replace(tzinfo=UTC)
        local = f"{time.astimezone():%Y-%m-%d %H:%M}"
    else:
        local = ""
    return Handed(
        f"gradescope:{key}",
        name,
        (Part(folder),),
        columns={"Submission ID": number},
        time=local,
        members=tuple(people),
    )
