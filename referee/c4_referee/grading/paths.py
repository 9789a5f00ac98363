"""Texts without folders of this machine, for students."""

import re
from collections.abc import Iterable
from pathlib import Path

FOLDERS = re.compile(r"(?<![\w.~/<])/(?:[^/\s'\"<>|:]+/)*(?=[^/\s])")
"""Pattern of the folders in an absolute path."""


def without_folders(text: str, known: Iterable[str] = ()) -> str:
    """Return the text with only the last part of each absolute path.

    Folders that are ``known``, the current folder and the user's may have blanks in their names.
    """
    folders = (*known, str(Path.cwd()), str(Path.home()))
    for folder in sorted(folders, key=len, reverse=True):
        text = text.replace(f"{folder.rstrip('/')}/", "/")
    return FOLDERS.sub("", text)
