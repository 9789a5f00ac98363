"""Exports of submissions to an assignment in Gradescope.

Each submission has a folder ``submission_123``. ``submission_metadata.yml`` says by these names who
handed it in. Its keys begin with a colon, because a program in Ruby writes it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml
from c4_protocol.program.errors import UsageError

from c4_referee.submissions.handed import Download, Handed, Part
from c4_referee.submissions.platforms.listing import names_in

METADATA = "submission_metadata.yml"
MAX_METADATA_BYTES = 20 << 20
"""Maximum size of this file. A larger one is not read, because YAML is slow."""

grades_header = ("Name", "SID", "Email", "Submission ID", "Grade", "Feedback comments")


def recognises(names: Sequence[str], _folder: str = "") -> bool:
    """Return whether there is a file that says who handed in what."""
    return METADATA in names


def read(root: Path) -> Download:
    """Return the submissions in a folder. Raises ``UsageError`` if it cannot be read."""
    metadata = _metadata(root / METADATA)
    students: dict[str, Handed] = {}
    ignored = []
    for name in names_in(root):
        handed = _handed(root / name, metadata.get(name.rstrip("/")))
        if name.rstrip("/") in metadata and handed.key not in students:
            students[handed.key] = handed
        elif name != METADATA:
            ignored.append(f"{name} is no submission, or one more of the same student")
    return Download("gradescope", tuple(students[key] for key in sorted(students)), tuple(ignored))


class _Loader(yaml.SafeLoader):
    """Reads plain data, and merges nothing: with an older PyYAML, a small file became large."""

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Leave a mapping as it is."""


def _metadata(path: Path) -> Mapping[object, object]:
    """Return what the file says of each submission."""
    if path.stat().st_size > MAX_METADATA_BYTES:
        raise UsageError(f"{METADATA} has more than {MAX_METADATA_BYTES >> 20} MB")
    try:
        content = yaml.load(path.read_bytes(), _Loader)
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        raise UsageError(f"{METADATA} cannot be read: {' '.join(str(error).split())}") from error
    return content if isinstance(content, dict) else {}


def _handed(folder: Path, record: object) -> Handed:
    """Return a submission. The number in its name changes whenever a student submits again."""
    listed = record.get(":submitters") if isinstance(record, dict) else None
    people = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    names, sids, emails = (
        [str(person[key]) for person in people if isinstance(person.get(key), str | int)]
        for key in (":name", ":sid", ":email")
    )
    key = ",".join(sorted(emails or sids)) or folder.name
    columns = {"Name": ", ".join(names), "SID": ", ".join(sids), "Email": ", ".join(emails)}
    columns["Submission ID"] = folder.name.removeprefix("submission_")
    return Handed(f"gradescope:{key}", columns["Name"] or key, (Part(folder),), columns=columns)
