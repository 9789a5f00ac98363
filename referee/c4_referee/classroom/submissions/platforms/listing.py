"""Names in a folder of a download, without those that operating systems put there."""

from pathlib import Path

from c4_referee.classroom.submissions.tree import LEFT_OUT

SYSTEM_FILES = frozenset({"thumbs.db", "desktop.ini"})


def visible_names(folder: Path) -> list[str]:
    """Return the names of files and folders, sorted. Names of folders end with a slash."""
    return sorted(
        f"{path.name}/" if path.is_dir() else path.name
        for path in folder.iterdir()
        if path.name not in LEFT_OUT
        and path.name.lower() not in SYSTEM_FILES
        and not path.name.startswith(".")
    )
