"""Files that nobody should write to as if they were ordinary files, for tests."""

import os
from pathlib import Path

ODD = {"link": "a link", "hard link": "a hard link", "pipe": "not a regular file",
       "folder": "not a regular file"}  # fmt: skip
"""Kinds of odd files, with words of the reason for which they are refused."""
PRECIOUS = b"grades of the class, without a line end"


def make_odd(path: Path, kind: str) -> Path:
    """Put an odd file in the place of ``path``. Return a file that must not be changed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    precious = path.parent.parent / f"precious {path.name}"
    # A second name of what is there, or a file that nothing would refuse for its content.
    precious.write_bytes(path.read_bytes() if path.is_file() else PRECIOUS)
    path.unlink(missing_ok=True)
    if kind == "link":
        path.symlink_to(precious)
    elif kind == "hard link":
        path.hardlink_to(precious)
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    return precious
