"""Removes the paths of the instructor's machine from texts for students.

Such texts are messages of compilers, standard error, tracebacks, and commands of the check. Paths
in the submission become relative to its folder. Folders of the instructor become "...", with the
folders in them: only the names of files stay. Paths of the system, such as those in /usr, are the
same on all machines and stay.
"""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from c4_referee.bots.contain import places
from c4_referee.bots.own import package_folders

SAME_EVERYWHERE = {"etc", "proc", "dev", "tmp"} | {
    path.parts[1] for path in (*places.SYSTEM_FOLDERS, *places.SYSTEM_LINKS)
}
"""Names of the folders in / whose paths stay."""
INNER_FOLDERS = r"""(?:[^\s'"<>|:;,()\[\]{}*?\\]*/)?"""
"""Pattern of the folders between a folder of the instructor and the name of a file."""

NOTHING = "(?!)"
"""Pattern that matches nothing."""


class Scrubber:
    """Removes paths of this machine from texts about the submission in ``folder``.

    ``private`` are more folders of the instructor, such as that of the class. The home folder, the
    temporary folder, and the folders of Python and of our packages are always private. No path of
    these is in a result, also not with the escapes of JSON, Python, addresses or the shell.
    """

    def __init__(self, folder: Path, *private: Path) -> None:
        own = _alternatives([folder])
        paths = _alternatives([folder, *private, *_usual_folders()])
        tops = {"home", *(path.name for path in Path("/").iterdir())} - SAME_EVERYWHERE
        top = "|".join(map(re.escape, sorted(tops)))
        change = rf"""\bcd (['"]?)(?:{own})\1 && """
        self._own = re.compile(rf"{change}|(?:file://)?(?:{own})(?:(\\?/)|(?![\w-]))")
        self._private = re.compile(rf"(?:{paths}|(?<![\w.~/-])/(?:{top})(?=/)){INNER_FOLDERS}")

    def __call__(self, text: str) -> str:
        """Return the text without paths of this machine."""
        text = self._own.sub(_relative, text)
        while self._private.search(text):  # again, because what remains may form such a path
            text = self._private.sub(lambda found: "..." + "/" * found[0].endswith("/"), text)
        return text

    def json_value(self, value: Any) -> Any:  # noqa: ANN401 - any value of JSON
        """Return a value of JSON, such as a report, with all texts in it scrubbed."""
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {self.json_value(key): self.json_value(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self.json_value(inner) for inner in value]
        return value


def _relative(found: re.Match[str]) -> str:
    """Return what replaces the submission's folder: nothing before a path in it, else a dot."""
    return "" if found[2] or found[0].startswith("cd ") else "."


def _usual_folders() -> Iterator[Path]:
    """Yield the private folders of every machine, without those of the system."""
    packages = (folder.parent for folder in package_folders())
    temporary = Path(tempfile.gettempdir())
    for path in (places.user_home(), temporary, Path(sys.prefix), Path(sys.base_prefix), *packages):
        if not (places.is_system_path(path) or path == Path("/tmp")):
            yield path


def _alternatives(folders: Iterable[Path]) -> str:
    """Return a pattern of folders in all forms in which a text may hold them, longest first."""
    ways = (places.absolute_path, places.real_path)
    paths = {way(folder) for folder in folders for way in ways}
    forms = {form for path in paths - {Path("/")} for form in _forms(str(path))}
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True))) or NOTHING


def _forms(path: str) -> set[str]:
    """Return a path with the escapes of the shell, and in Python, JSON and addresses."""
    forms = {quote(os.fsencode(path))}
    for text in (path, path.replace("'", "'\"'\"'")):
        in_json = json.dumps(text)[1:-1]
        in_bytes = repr(os.fsencode(text))[2:-1]
        forms |= {text, in_json, in_json.replace("/", "\\/"), in_bytes, repr(text)[1:-1]}
    return forms
