"""Hints about files that the sandbox hides from a bot.

A bot that needs such a file runs without a sandbox, but fails in it. Its error usually names the
file or the module. ``hidden_path`` looks for this file on the machine. Only the check of a bot may
show the result, because a bot can name any path in its error: records and pages would tell everyone
which files exist. ``hint_without_looking`` is for records. It depends only on the bot's own words
and files.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from c4_protocol.program.text import visible

from c4_referee.bots.contain.mounts import View
from c4_referee.bots.contain.named import sorted_entries
from c4_referee.bots.contain.places import is_shared_folder
from c4_referee.bots.contain.programs import BIN_FOLDERS

QUOTED = r"""["'`\u2018]([^"'`\u2019\n]{1,300})["'`\u2019]"""
JAVA = r"(?:ClassNotFoundException|NoClassDefFoundError|load main class):? ([\w.$/]+)"
"""Pattern of a class that Java does not find."""
PATH = r"(?<![\w.~+/-])((?>[\w.~+-]*/[\w.~+/-]+|[\w~+-]+(?:\.[\w-]+)*\.\w{1,8}))"
"""Pattern of a text with a slash or with an ending, such as book.txt. As texts of hostile programs
may be long, it begins only where a name begins, and takes nothing back (``?>``)."""
NAMES = rf"{QUOTED}|{JAVA}|{PATH}(?!:(?:\d|line))|(?<=execvp )(\S+)(?=:)"
"""Pattern of texts that may be names of files or modules. A line number follows the name of a file
that is only where the program was when it failed."""
ENDINGS = ("", ".py", ".js", ".class", ".jar", ".so")
"""Endings that an error may leave out."""
LINES = 20
"""Number of lines at the end of standard error that are searched."""
MAX_NAMES = 200
MAX_FOLDERS = 20
"""Maximum numbers of names in an error, and of folders in the bot's folders, that are looked at."""
MISSING = re.compile(
    r"no such file|not found|(?:can ?not|can't|could not) (?:find|open|load|read)|no module named|"
    r"ClassNotFound|NoClassDef",
    re.IGNORECASE,
)
"""Pattern of errors about a file or module that does not exist for the program."""
MISTAKE = re.compile(r"(?m)^(?:Uncaught )?(?:Syntax|Type|Key|Index|Name|Value|Reference)Error")
"""Pattern of errors that do not depend on files."""
MAX_SHOWN = 200
"""Maximum length of a path in a hint for records, in characters. A longer one is not shown."""


def hidden_path(text: str, view: View) -> Path | None:
    """Return a path that the text names and that exists only outside of the sandbox, if any."""
    folders = dict.fromkeys((view.folder, *(path.parent for path in view.seen)))
    is_missing = MISSING.search(_last_lines(text))
    if not is_missing and MISTAKE.search(_last_lines(text)):
        return None  # it names what is in the program, such as 'grid'
    if is_missing:  # search paths often lead to folders such as lib
        own = dict.fromkeys((view.folder, *(path.parent for path in view.named)))
        inner = (path for folder in own for path in sorted_entries(folder) if path.is_dir())
        folders |= dict.fromkeys(islice(inner, MAX_FOLDERS))
    for name in islice(_names_in(text), MAX_NAMES):
        for path in _paths(name, folders):
            is_around = path == view.folder or path in view.folder.parents
            if os.path.exists(path) and not is_around and not view.shows(path):  # noqa: PTH110
                return path
    return None


def hint_without_looking(text: str, view: View) -> str:
    """Return what a bot with this standard error may lack in the sandbox, or "".

    Files outside of the sandbox are not looked at.
    """
    if not MISSING.search(_last_lines(text)):
        return ""
    if line := refused_line(text, view):
        return f"a file of the bot names what the sandbox hides: {line} in its table shows it"
    if view.is_shared:
        return (
            "other bots run in its folder, so the sandbox shows only the files that its command "
            "names: give it a folder of its own, or name what it may read with visible in its table"
        )
    if not view.has_folder:
        return (
            "the sandbox shows only the files that the command names: if the bot needs others, "
            "set folder in its table in a --bots file"
        )
    named = (Path(name) for name in _names_in(text) if name.startswith(os.sep))
    hidden = next((path for path in named if not view.shows(path)), None)
    line = f" with {visible_line(hidden)}" if hidden and len(str(hidden)) <= MAX_SHOWN else ""
    return f"the sandbox shows the bot its own folder: if it needs more, set visible{line}"


def refused_line(text: str, view: View) -> str:
    """Return the line of a bot's table that shows the first path that only its files name, or "".

    It is "" if the text is not an error about a missing file.
    """
    path = next((path for path in view.refused if len(str(path)) <= MAX_SHOWN), None)
    if path is None or not MISSING.search(_last_lines(text)):
        return ""
    is_program = path.parent.name in BIN_FOLDERS and not is_shared_folder(path.parent.parent)
    return visible_line(path.parent.parent if is_program else path)


def advice(view: View, line: str = 'visible = ["FILE"]') -> str:
    """Return what to write in a bot's table. ``line`` shows it a file that is hidden."""
    folder = (
        "" if view.has_folder else 'folder = "DIR" (where all its files are; it runs there) or '
    )
    return f"set {folder}{line} under its [bots.NAME] in a --bots file"


def visible_line(path: Path) -> str:
    """Return the line of a bot's table that makes a path visible."""
    return f"visible = {json.dumps([visible(str(path))], ensure_ascii=False)}"


def _last_lines(text: str) -> str:
    return "\n".join(text.splitlines()[-LINES:])


def _names_in(text: str) -> Iterator[str]:
    """Yield the texts in the last lines of an error that may be names of files or modules."""
    for match in re.finditer(NAMES, _last_lines(text)):
        yield next(filter(None, match.groups()))


def _paths(name: str, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths that a name in an error may mean.

    A relative name begins at one of the folders, as names of modules do. Modules of Node.js are
    also in its folder node_modules.
    """
    module = [f"node_modules/{name}"] if re.match(r"[\w@]", name) else []
    for text in dict.fromkeys((name, name.replace(".", "/"), *module)):
        for folder in folders:
            for ending in ENDINGS:
                yield Path(os.path.normpath(folder / f"{text}{ending}"))
