"""Search in a bot's standard error for a file that the sandbox hides from it.

A bot that needs this file runs without a sandbox, but fails in it. Its error usually names the file
or the module.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from c4_referee.bots.mounts import View

QUOTED = r"""["'`\u2018]([^"'`\u2019\n]{1,300})["'`\u2019]"""
NAMES = rf"{QUOTED}|([\w.~+-]*/[\w.~+/-]+)|(?<=execvp )(\S+)(?=:)"
"""Pattern of texts that may be names of files or modules: in quotes, or with a slash."""
ENDINGS = ("", ".py", ".js", ".class", ".jar", ".so")
"""Endings that an error may leave out."""
LINES = 20
"""Number of lines at the end of standard error that are searched."""


def hidden_path(text: str, view: View) -> Path | None:
    """Return a path that the text names and that exists only outside of the sandbox, if any."""
    last_lines = "\n".join(text.splitlines()[-LINES:])
    for found in re.finditer(NAMES, last_lines):
        for path in _paths(next(filter(None, found.groups())), view):
            is_around = path == view.folder or path in view.folder.parents
            if os.path.exists(path) and not is_around and not view.shows(path):  # noqa: PTH110
                return path
    return None


def _paths(name: str, view: View) -> Iterator[Path]:
    """Yield the paths that a name in an error may mean.

    A relative name begins at the bot's folder, or at the folder of a file that the bot can see, as
    names of modules do.
    """
    folders = dict.fromkeys((view.folder, *(path.parent for path in view.seen)))
    for text in dict.fromkeys((name, name.replace(".", "/"))):
        for folder in folders:
            for ending in ENDINGS:
                yield Path(os.path.normpath(folder / f"{text}{ending}"))
